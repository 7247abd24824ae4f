import type { ExplainedRefusal } from '../../../jurisdictions/port.ts'
import type { TokenCaller } from '../../../kernel/callers.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { type Outside, reading } from '../../../platform/operations/operation.ts'
import type { Ports } from '../../../platform/operations/ports.ts'
import { canReopen, getInvoiceStatus, type InvoiceId, type InvoiceSummary } from '../../invoices/index.ts'
import { findLastAnswer, listAttempts } from './attempts.store.ts'
import { obstacleToCancelling, obstacleToRetrying } from './obstacles.ts'
import { type Attempt, mostRetries, type Submission } from './submission.ts'
import { type AuthorityLink, findLastSubmission, findLink } from './submissions.store.ts'

export const outcomes = [
  'not_submitted',
  'waiting',
  'in_progress',
  'unknown',
  'registered',
  'accepted',
  'rejected',
  'not_registered',
] as const
/**
 * What we know about a document at the authority. `waiting`: nothing has left yet. `unknown`: the document left, or
 * may have left, and is looked up before it is sent again. `not_registered`: all attempts ended, and the authority
 * does not have it.
 */
export type ReportOutcome = (typeof outcomes)[number]

export interface ReportStatus {
  readonly outcome: ReportOutcome
  /** one sentence for people */
  readonly message: string
  readonly reference: string | null
  readonly sha256: string | null
  readonly retriesLeft: number
  readonly nextAttemptAt: Date | null
  /** the reasons of the refusal in plain words, with their places in the document */
  readonly refusals: readonly ExplainedRefusal[]
  /** each flag uses the same rule as the operation that it is named after */
  readonly canReopen: boolean
  readonly canRetry: boolean
  readonly canCancel: boolean
  /** null if the authority is reachable */
  readonly outage: { readonly since: Date } | null
}

const sentences: Readonly<Record<ReportOutcome, string>> = {
  not_submitted: 'The document was not submitted to the tax authority.',
  waiting: 'The document is waiting to be sent to the tax authority.',
  in_progress: 'The document is being sent to the tax authority.',
  unknown:
    'The document was sent, but no clear answer has come. It is looked up at the tax authority before it is sent again.',
  registered: 'The tax authority has registered the document. It is on its way to the buyer.',
  accepted: 'The tax authority has accepted the document.',
  rejected: 'The tax authority has rejected the document. The refusals give the reasons.',
  not_registered: 'All attempts ended before the document reached the tax authority. Retry later.',
}
const givenUp: Partial<Record<ReportOutcome, string>> = {
  unknown: 'All attempts ended without a clear answer. Call query-status, or retry.',
  registered:
    'The tax authority has registered the document, but has not confirmed that it went to the buyer. Call query-status to complete it.',
}
/** The network may never confirm that the buyer's side has the document. */
const unconfirmed = 'The tax authority has accepted the document. The buyer has not confirmed it yet.'
const ended =
  'All attempts ended, and the tax authority does not have the document. Nothing was charged. Reopen the document to submit it again.'

/** A note is rejected with its invoice before it is submitted itself. */
const rejectedWithInvoice =
  'The note was not submitted, because the tax authority rejected the invoice that it corrects. Reopen and delete the note, correct the invoice, then issue the note again.'

/** No refusal: the submission failed, and the authority does not have the document. */
const isEnded = ({ state, refused }: Submission): boolean => state === 'rejected' && refused === null

export function outcomeOf(submission: Submission): ReportOutcome {
  const { state, isFailed, sends, fence } = submission
  if (isEnded(submission)) return 'not_registered'
  if (state === 'accepted' || state === 'rejected') return state
  if (state === 'signed' || state === 'transmitted') return 'registered'
  if (state === 'unknown') return 'unknown'
  if (isFailed) return 'not_registered'
  return sends === 0 && fence === 0 ? 'waiting' : 'in_progress'
}

function messageOf(submission: Submission, outcome: ReportOutcome, lastWhy: string | null): string {
  const { state, isFailed, goesToBuyer, isDelivered } = submission
  if (isEnded(submission)) return ended
  if (state === 'accepted' && goesToBuyer && !isDelivered) return unconfirmed
  if (!isFailed) return sentences[outcome]
  const reason = lastWhy === null ? '' : ` The last attempt: ${lastWhy}.`
  return (givenUp[outcome] ?? sentences[outcome]) + reason
}

/** The last attempt's result. */
interface LastAttempt {
  readonly isFirstUnderWay: boolean
  /** why the attempt failed; null if it did not, or if the reason is unknown */
  readonly lastWhy: string | null
}

type WhatCanBeDone = Pick<ReportStatus, 'canReopen' | 'canRetry' | 'canCancel'>

const notSubmitted = ({ status }: InvoiceSummary, can: WhatCanBeDone): ReportStatus => ({
  outcome: 'not_submitted',
  message: status === 'rejected' ? rejectedWithInvoice : sentences.not_submitted,
  reference: null,
  sha256: null,
  retriesLeft: mostRetries,
  nextAttemptAt: null,
  refusals: [],
  ...can,
  outage: null,
})

/** The outcome that we report. While the first attempt is running, it is not called unknown. */
function reportOf(
  submission: Submission,
  ports: Pick<Ports, 'jurisdictions'>,
  link: AuthorityLink | undefined,
  { isFirstUnderWay, lastWhy }: LastAttempt,
  can: WhatCanBeDone,
): ReportStatus {
  const known = outcomeOf(submission)
  const outcome = known === 'unknown' && isFirstUnderWay ? 'in_progress' : known
  const { refused, country, reference, sha256, retries, dueAt, state } = submission
  const rules = ports.jurisdictions.of(country)?.reporting
  const refusals = state === 'rejected' && rules ? (refused ?? []).map((text) => rules.explain(text)) : []
  return {
    outcome,
    message: messageOf(submission, outcome, lastWhy),
    reference,
    sha256,
    retriesLeft: mostRetries - retries,
    nextAttemptAt: dueAt,
    refusals,
    ...can,
    outage: link?.state === 'open' && dueAt !== null ? { since: link.since } : null,
  }
}

export async function readReport(
  db: Queryable,
  ports: Pick<Ports, 'jurisdictions'>,
  tenant: Tenant,
  invoice: InvoiceSummary,
): Promise<ReportStatus> {
  const submission = await findLastSubmission(db, tenant, invoice.id)
  const link = submission && (await findLink(db, submission.country, tenant.mode))
  const isFirst = submission?.state === 'unknown' && submission.sends === 1
  const last = isFirst || submission?.isFailed ? await findLastAnswer(db, tenant, submission.id) : undefined
  const lastAttempt = { isFirstUnderWay: isFirst && last === undefined, lastWhy: last?.why ?? null }
  const can = {
    canReopen: await canReopen(db, tenant, invoice),
    canRetry: obstacleToRetrying(invoice, submission) === undefined,
    canCancel: (await obstacleToCancelling(db, tenant, invoice)) === undefined,
  }
  return submission ? reportOf(submission, ports, link, lastAttempt, can) : notSubmitted(invoice, can)
}

/** The state of a submission from our own tables, cheap enough for polling. */
export const getReportStatus = reading(
  { needs: ['invoice.read'], refuses: ['resource.not_found'] },
  async (context: Outside<TokenCaller>, { id }: { id: InvoiceId }) => {
    const invoice = await getInvoiceStatus.body(context, { id })
    return { invoice, report: await readReport(context.db, context.ports, context.caller.tenant, invoice) }
  },
)

export interface Timeline {
  readonly invoice: InvoiceSummary
  readonly report: ReportStatus
  readonly attempts: readonly Attempt[]
}

/** All attempts about a document: the answers, and who or what caused each. */
export const getTimeline = reading(
  { needs: ['invoice.read'], refuses: ['resource.not_found'] },
  async (context: Outside<TokenCaller>, { id }: { id: InvoiceId }): Promise<Timeline> => {
    const { db, ports, caller } = context
    const invoice = await getInvoiceStatus.body(context, { id })
    return {
      invoice,
      report: await readReport(db, ports, caller.tenant, invoice),
      attempts: await listAttempts(db, caller.tenant, id),
    }
  },
)
