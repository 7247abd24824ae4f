import Type from 'typebox'
import type { Refusal } from '../../kernel/refusals.ts'
import type { InvoiceId, InvoiceSummary } from '../../modules/invoices/index.ts'
import {
  type Attempt,
  type BatchResult,
  outcomes,
  type QueriedStatus,
  type ReportStatus,
} from '../../modules/submissions/index.ts'
import type { Answers } from '../answers.ts'
import { Day, Fields, Instant, isoOrNull, List, Maybe, Named, OneOf, Prose, Uuid } from '../fields.ts'
import type { Moment } from '../speak.ts'
import { Problem } from './invoices.ts'

const Text = Maybe(Type.String())
const Problems = List(Problem)

/** Why something was refused, inside an answer that succeeded otherwise. */
export const RefusalView = Named('SubmitRefusal', { code: Type.String(), message: Type.String(), details: Problems })
export const refusalIn = (answers: Answers) => (refusal: Refusal) => ({
  code: answers[refusal.refusal].code,
  message: refusal.message,
  details: (refusal.details ?? []).map(({ path, rule, message }) => ({ path, rule, message })),
})

export const BatchBody = Named('NewBatch', {
  invoiceIds: Type.Array(Uuid, { minItems: 1, maxItems: 100, uniqueItems: true }),
})
export const BatchView = Named('Batch', {
  queued: Type.Integer(),
  failed: Type.Integer(),
  results: List(
    Fields({ invoiceId: Uuid, result: OneOf('queued', 'failed'), invoiceNumber: Text, error: Maybe(RefusalView) }),
  ),
})
export const batchFrom = ({ body }: { body: { invoiceIds: readonly string[] } }) => ({
  ids: body.invoiceIds as readonly InvoiceId[],
})
export const toBatch = (answers: Answers) => (results: readonly BatchResult[]) => {
  const told = results.map(({ id, outcome }) =>
    outcome instanceof Error
      ? { invoiceId: id, result: 'failed' as const, invoiceNumber: null, error: refusalIn(answers)(outcome) }
      : { invoiceId: id, result: 'queued' as const, invoiceNumber: outcome.number, error: null },
  )
  const queued = told.filter(({ result }) => result === 'queued').length
  return { queued, failed: told.length - queued, results: told }
}

/** What is known of a document at the authority. */
export const ReportView = Named('SubmissionReport', {
  outcome: OneOf(...outcomes),
  message: Type.String(),
  reference: Text,
  sha256: Text,
  retriesLeft: Type.Integer(),
  nextAttemptAt: Maybe(Instant),
  refusals: List(
    Fields({
      told: Type.String({ description: 'as the authority said it' }),
      path: Type.String(),
      message: Type.String({ description: 'in plain words, with what to do' }),
      mendedBy: OneOf('reopen', 'connection', 'operator', 'unknown'),
    }),
  ),
  canReopen: Type.Boolean({ description: 'Whether the document can be made a draft again now, by `reopen`.' }),
  canRetry: Type.Boolean({ description: 'Whether another round of attempts can be asked for now, by `retry`.' }),
  canCancel: Type.Boolean({
    description:
      'Whether the invoice can be cancelled now, by `cancel`. False for notes, and while notes of the invoice are drafts or not decided yet.',
  }),
  authorityOutage: Maybe(Fields({ since: Instant })),
})
/** `pathHere`: what this form calls a place in the document. */
const toReport = (report: ReportStatus, pathHere: (path: string) => string) => ({
  outcome: report.outcome,
  message: report.message,
  reference: report.reference,
  sha256: report.sha256,
  retriesLeft: report.retriesLeft,
  nextAttemptAt: isoOrNull(report.nextAttemptAt),
  refusals: report.refusals.map(({ told, fault, mendedBy }) => ({
    told,
    path: pathHere(fault.path),
    message: fault.message,
    mendedBy,
  })),
  canReopen: report.canReopen,
  canRetry: report.canRetry,
  canCancel: report.canCancel,
  authorityOutage: report.outage && { since: report.outage.since.toISOString() },
})

/** What the authority itself says of it, when asked. */
export const AuthorityView = Maybe(
  Named('AuthorityRecord', {
    transmitted: Type.Boolean(),
    delivered: Type.Boolean(),
    paymentStatus: Maybe(OneOf('pending', 'partial', 'paid', 'rejected')),
    registeredOn: Maybe(Day),
  }),
)
const toAuthority = ({ found }: Pick<QueriedStatus, 'found'>) =>
  found
    ? {
        transmitted: found.transmitted,
        delivered: found.delivered,
        paymentStatus: found.paymentStatus ?? null,
        registeredOn: found.registeredOn ?? null,
      }
    : null

export const AttemptView = Named('SubmissionAttempt', {
  at: Instant,
  endedAt: Maybe(Instant),
  step: OneOf('sign', 'lookup', 'transmit', 'confirm', 'query'),
  sha256: Text,
  cause: OneOf('submitted', 'retried', 'automatic', 'asked', 'notified'),
  actor: Maybe(Fields({ type: OneOf('user', 'api_key', 'service', 'system'), id: Maybe(Uuid), name: Type.String() })),
  answer: Text,
  why: Text,
  told: List(Type.String()),
  late: Type.Boolean(),
})
const toAttempt = (attempt: Attempt) => ({
  at: attempt.begunAt.toISOString(),
  endedAt: isoOrNull(attempt.endedAt),
  step: attempt.step,
  sha256: attempt.sha256,
  cause: attempt.cause,
  actor: attempt.askedBy && { type: attempt.askedBy.kind, id: attempt.askedBy.id, name: attempt.askedBy.name },
  answer: attempt.answer,
  why: attempt.why,
  told: [...attempt.told],
  late: attempt.isLate,
})

export const CancelBody = Fields({ reason: Prose(1, 500), notes: Type.Optional(Maybe(Prose(0, 2000))) })
export const cancellationFrom = ({
  params,
  body,
}: {
  params: { id: string }
  body: { reason: string; notes?: string | null }
}) => ({ id: params.id as InvoiceId, reason: body.reason, notes: body.notes ?? null })

interface Standing {
  readonly invoice: InvoiceSummary
  readonly report: ReportStatus
}
/**
 * The three answers that tell where a document stands: from what is kept, from the authority, and with all that was asked. A form says how it
 * tells of the invoice itself, and what it calls the fields that a refusal names.
 */
export function tellStanding<View extends object>(
  toStatus: (invoice: InvoiceSummary, moment: Moment) => View,
  pathHere: (path: string) => string,
) {
  const standing = ({ invoice, report }: Standing, moment: Moment) => ({
    ...toStatus(invoice, moment),
    report: toReport(report, pathHere),
  })
  return {
    standing,
    queried: ({ found, ...rest }: Standing & Pick<QueriedStatus, 'found'>, moment: Moment) => ({
      ...standing(rest, moment),
      authority: toAuthority({ found }),
    }),
    timeline: ({ attempts, ...rest }: Standing & { readonly attempts: readonly Attempt[] }, moment: Moment) => ({
      ...standing(rest, moment),
      attempts: attempts.map(toAttempt),
    }),
  }
}
export const versionOfInvoice = ({ invoice }: { readonly invoice: { readonly version: number } }) => invoice.version
