import type { Caller } from '../../kernel/callers.ts'
import { newId, type OrganisationId } from '../../kernel/ids.ts'
import { withoutLinks } from '../../kernel/links.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { job } from '../../platform/jobs/jobs.ts'
import { turnOfPerson } from '../../platform/jobs/turns.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import type { SealedPlace, Vault } from '../../platform/secrets/secrets.ts'
import { type MessageBody, type MessageCarrier, MessageNotTaken } from './message.ts'
import { endAttempt, findMessage, insertMessage, type MessageRow, saveSent } from './messages.store.ts'

export const sendMessageJob = job<{ messageId: string }>('send-message', 'mail')

export const messageBodyPlace = (id: string): SealedPlace => ({ table: 'messages', column: 'sealed_body', id })

export interface NewMessage extends Omit<MessageBody, 'attachments'> {
  /** Why the message is sent, e.g. `verify-email:<code id>`. One cause has one message, even if it is queued again. */
  readonly cause: string
  /**
   * Whose share of the queue it uses: the organisation's, or the recipient's own for messages about their account. A
   * code then never waits behind invoices of an organisation.
   */
  readonly sentFor: OrganisationId | 'recipient'
  readonly channel: 'email' | 'sms'
  readonly to: string
  readonly attachments?: MessageBody['attachments']
}

/** The sealed row of a new message. */
export function rowOf(
  { vault, now }: Inside<Caller>,
  id: string,
  { cause, channel, to, attachments = [], ...words }: Omit<NewMessage, 'sentFor'>,
): MessageRow {
  const { fromName } = words
  // `compose` wrote the text; these two are shown beside it.
  const shown = {
    subject: withoutLinks(words.subject),
    ...(fromName === undefined ? {} : { fromName: withoutLinks(fromName) }),
  }
  const body: MessageBody = { ...words, ...shown, attachments }
  const sealedBody = vault.seal(JSON.stringify(body), messageBodyPlace(id))
  return { id, cause, channel, recipient: to, sealedBody, createdAt: now }
}

/** Written in the transaction that causes it. A job sends it after the commit. */
export async function queueMessage(context: Inside<Caller>, { sentFor, ...message }: NewMessage): Promise<void> {
  const row = rowOf(context, newId(), message)
  const isNew = await insertMessage(context.tx, row)
  const turn = sentFor === 'recipient' ? turnOfPerson(message.to) : sentFor
  if (isNew) context.enqueue(sendMessageJob, { messageId: row.id }, { turn })
}

interface Delivery {
  readonly db: Queryable
  readonly vault: Vault
  readonly carrier: MessageCarrier
  readonly clock: Clock
}

/**
 * A crash between the carrier's acceptance and our record sends the message again, under the same id. A duplicate mail
 * is better than a lost one.
 */
export async function deliverMessage({ db, vault, carrier, clock }: Delivery, messageId: string): Promise<void> {
  const row = await findMessage(db, messageId)
  if (!row?.sealedBody) return
  const body = JSON.parse(vault.open(row.sealedBody, messageBodyPlace(row.id))) as MessageBody
  try {
    await carrier.carry({ id: row.id, channel: row.channel, to: row.recipient, createdAt: row.createdAt, ...body })
  } catch (error) {
    if (error instanceof MessageNotTaken) await endAttempt(db, row.id)
    throw error
  }
  await saveSent(db, row.id, clock.now())
}
