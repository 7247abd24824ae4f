import type { SystemCaller, TokenCaller } from '../../kernel/callers.ts'
import type { EventNotice } from '../../kernel/event-notice.ts'
import { wordingOf } from '../../kernel/languages/wording.ts'
import { refuse } from '../../kernel/refusals.ts'
import type { StatementDocument } from '../../kernel/statement-of-account.ts'
import { findEventData } from '../../platform/events/event-data.store.ts'
import { jobOn } from '../../platform/jobs/jobs.ts'
import { turnOf } from '../../platform/jobs/turns.ts'
import { type Inside, type Outside, operation, preparedOperation } from '../../platform/operations/operation.ts'
import { type BuyerId, emitBuyerEvent, findBuyer } from '../buyers/index.ts'
import { mails, type RenderedFile } from '../documents/index.ts'
import { mailLimits, queueMessage } from '../messages/index.ts'
import { type AskedStatement, findAccount, statementForFile, wholeStatement } from './read-statement.ts'
import { statementPdf } from './statement-file.ts'

export const mailStatementJob = jobOn('mail-statement-of-account', 'mail', ['buyer.statement_sent'])

export interface SentStatement {
  readonly to: string
  readonly currency: string
  readonly from: string
  readonly until: string
}

/** Mails the statement of account to its buyer. The call emits an event, and a job writes the mail with the PDF. */
export const sendStatement = operation(
  {
    needs: ['invoice.send_to_buyer', 'invoice.read', 'buyer.read'],
    refuses: [
      'resource.not_found',
      'request.invalid',
      'jurisdiction.unsupported',
      'statement_of_account.too_long',
      'statement_of_account.no_email',
      'limit.document_mails',
      'limit.mails',
    ],
  },
  async (context: Inside<TokenCaller>, asked: AskedStatement): Promise<SentStatement> => {
    const { tx, caller } = context
    const { tenant } = caller
    const sources = { ...context, db: tx }
    const { buyer, currency, period } = await findAccount(sources, tenant, caller.country, asked)
    if (!buyer.email) throw refuse('statement_of_account.no_email')
    const { from, to } = period
    await wholeStatement(sources, tenant, { buyerId: buyer.id, currency, from, to })
    await mailLimits.countDocumentMail(context, tenant, buyer.id, buyer.email)
    emitBuyerEvent(context, 'buyer.statement_sent', tenant, buyer, { email: buyer.email, currency, from, to })
    return { to: buyer.email, currency, from, until: to }
  },
)

interface PreparedMail {
  readonly to: string
  readonly statement: StatementDocument
  /** undefined if the statement of account grew too long after it was sent: then the mail says so */
  readonly file: RenderedFile | undefined
}

/** `undefined` if the event or the buyer is gone, or if a sandbox mail would reach a stranger. */
async function prepare(context: Outside<SystemCaller>, notice: EventNotice): Promise<PreparedMail | undefined> {
  const { organisationId, mode, objectId, eventId } = notice
  const data = await findEventData(context.db, organisationId, eventId, 'buyer.statement_sent')
  if (!data || mode === null) return undefined
  const { email, currency, from, to } = data
  const tenant = { organisationId, mode }
  const buyerId = objectId as BuyerId
  if (!(await findBuyer(context.db, tenant, buyerId))) return undefined
  if (!(await mails.mayBeMailed(context, tenant, email))) return undefined
  const asked = { buyerId, currency, from, to }
  const { statement, isTooLong } = await statementForFile(context, tenant, asked)
  return { to: email, statement, file: isTooLong ? undefined : await statementPdf(context, tenant, statement) }
}

function letterOf({ statement, file }: PreparedMail) {
  const { seller, buyer, mode, currency, closingMinor, ages } = statement
  const wording = wordingOf(statement.language)
  const from = wording.day(statement.from)
  const to = wording.day(statement.to)
  const money = (minor: bigint) => wording.money(minor, currency)
  const subject = wording.say('mail.statement.subject', { seller: seller.name, from, to })
  const lateMinor = closingMinor + ages.creditMinor - ages.notDueMinor
  // Credit lowers what is owed, so more can be late than is owed.
  const overdueMinor = lateMinor < closingMinor ? lateMinor : closingMinor
  const mail = mails.buyerMail(
    { mode, seller, logo: null, wording },
    {
      subject,
      greeting: wording.say('mail.greeting', { buyer: buyer.name }),
      paragraphs: [
        `${wording.say('mail.statement.sent', { seller: seller.name, from, to })} ${file ? wording.say('mail.attached') : wording.say('mail.statement.too_long', { seller: seller.name })}`,
        closingMinor < 0n
          ? wording.say('mail.statement.in_credit', { amount: money(-closingMinor) })
          : wording.say('mail.statement.owed', { amount: money(closingMinor) }),
        ...(overdueMinor > 0n ? [wording.say('mail.statement.overdue', { amount: money(overdueMinor) })] : []),
      ],
    },
  )
  return {
    ...mail,
    attachments: file
      ? [{ filename: file.fileName, contentType: file.contentType, base64: file.bytes.toString('base64') }]
      : [],
  }
}

/** Writes the mail, once for each call. The PDF is drawn before the transaction opens. */
export const mailStatement = preparedOperation(
  {
    needs: [],
    refuses: ['resource.not_found', 'request.invalid', 'jurisdiction.unsupported', 'document.not_drawn'],
  },
  prepare,
  async (context: Inside<SystemCaller>, notice: EventNotice, prepared: PreparedMail | undefined): Promise<boolean> => {
    if (!prepared) return false
    await queueMessage(context, {
      cause: `statement-sent:${notice.eventId}`,
      sentFor: turnOf(notice),
      channel: 'email',
      to: prepared.to,
      ...letterOf(prepared),
    })
    return true
  },
)
