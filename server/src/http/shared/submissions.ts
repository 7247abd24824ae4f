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
import type { Moment } from '../definitions/describe-route.ts'
import {
  Day,
  Fields,
  Instant,
  isoOrNull,
  List,
  Maybe,
  means,
  Named,
  OneOf,
  Prose,
  Uuid,
} from '../definitions/fields.ts'
import type { Answers } from '../reply/answers.ts'
import { Problem } from './invoices.ts'
import { meaningOf } from './value-meanings.ts'

const Text = Maybe(Type.String())
const Problems = List(Problem)

/** Why one part of a request was refused, inside a reply that is otherwise a success. */
export const RefusalView = Named('SubmitRefusal', {
  code: means('The error code, as in an error response.', Type.String()),
  reason: means('The name of the refusal, as `error.reason` in an error response.', Type.String()),
  message: means('What is wrong and what to do, in English.', Type.String()),
  details: means('The single problems. Empty if there is nothing to add to `message`.', Problems),
})
export const refusalIn = (answers: Answers) => (refusal: Pick<Refusal, 'refusal' | 'message' | 'details'>) => ({
  code: answers[refusal.refusal].code,
  reason: refusal.refusal,
  message: refusal.message,
  details: (refusal.details ?? []).map(({ path, rule, message }) => ({ path, rule, message })),
})

export const BatchBody = Named('NewBatch', {
  invoiceIds: Type.Array(Uuid, {
    minItems: 1,
    maxItems: 100,
    uniqueItems: true,
    description: 'The ids of the finalised documents to submit, in this order.',
  }),
})
export const BatchView = Named('Batch', {
  queued: means('The number of documents that were queued for submission.', Type.Integer()),
  failed: means('The number of documents that were refused.', Type.Integer()),
  results: means(
    'One result for each id, in the order of the request.',
    List(
      Fields({
        invoiceId: means('The id from the request.', Uuid),
        result: means('`queued`: on its way to the tax authority. `failed`: refused.', OneOf('queued', 'failed')),
        invoiceNumber: means('The number of the document. Null if you have no document with this id.', Text),
        error: means('Why the document was refused. Null if it was queued.', Maybe(RefusalView)),
      }),
    ),
  ),
})
export const batchFrom = ({ body }: { body: { invoiceIds: readonly string[] } }) => ({
  ids: body.invoiceIds as readonly InvoiceId[],
})
export const toBatch = (answers: Answers) => (results: readonly BatchResult[]) => {
  const views = results.map(({ id, number, outcome }) =>
    outcome instanceof Error
      ? { invoiceId: id, result: 'failed' as const, invoiceNumber: number, error: refusalIn(answers)(outcome) }
      : { invoiceId: id, result: 'queued' as const, invoiceNumber: number, error: null },
  )
  const queued = views.filter(({ result }) => result === 'queued').length
  return { queued, failed: views.length - queued, results: views }
}

/** What is known of the submission of a document. */
export const ReportView = Named('SubmissionReport', {
  outcome: means(
    '`not_submitted`: never submitted. `waiting`: nothing was sent yet. `in_progress`: being sent. `unknown`: sent, and nobody knows whether it arrived. `registered`: the tax authority has it, the buyer does not yet. `accepted` and `rejected`: the decision of the tax authority. `not_registered`: given up, and the tax authority does not have it.',
    OneOf(...outcomes),
  ),
  message: means('The outcome in one or two English sentences, with what to do.', Type.String()),
  reference: means('The number under which the document is submitted (IRN). Null before the first submission.', Text),
  sha256: means(
    'The SHA-256 hash of the submitted document, as hexadecimal digits. Null before the first submission.',
    Text,
  ),
  retriesLeft: means('How many times you can still call `retry`.', Type.Integer()),
  nextAttemptAt: means('When the next automatic attempt starts. Null if none is planned.', Maybe(Instant)),
  refusals: means(
    'The reasons for which the tax authority rejected the document. Empty unless it did.',
    List(
      Fields({
        told: Type.String({ description: 'The reason in the words of the tax authority.' }),
        path: means('The field of the document that the reason is about. Empty if unknown.', Type.String()),
        message: Type.String({ description: 'What is wrong and what to do, in plain English.' }),
        mendedBy: means(
          'What corrects the problem. `reopen`: reopen and change the document. `connection`: change the connection to the tax authority. `operator`: the operator of this installation must act. `unknown`: the reason is not known to Risiti.',
          OneOf('reopen', 'connection', 'operator', 'unknown'),
        ),
      }),
    ),
  ),
  canReopen: Type.Boolean({ description: 'Whether `reopen` is possible now.' }),
  canRetry: Type.Boolean({ description: 'Whether `retry` is possible now.' }),
  canCancel: Type.Boolean({
    description:
      'Whether `cancel` is possible now. False for notes, and while notes of the invoice are drafts or undecided.',
  }),
  authorityOutage: means(
    'Set while the tax authority does not answer. Null otherwise.',
    Maybe(Fields({ since: means('When the tax authority stopped answering.', Instant) })),
  ),
})
/** `pathHere` translates the path of a field into this form's names. */
const toReport = (report: ReportStatus, pathHere: (path: string) => string) => ({
  outcome: report.outcome,
  message: report.message,
  reference: report.reference,
  sha256: report.sha256,
  retriesLeft: report.retriesLeft,
  nextAttemptAt: isoOrNull(report.nextAttemptAt),
  refusals: report.refusals.map(({ authorityText, fault, mendedBy }) => ({
    told: authorityText,
    path: pathHere(fault.path),
    message: fault.message,
    mendedBy,
  })),
  canReopen: report.canReopen,
  canRetry: report.canRetry,
  canCancel: report.canCancel,
  authorityOutage: report.outage && { since: report.outage.since.toISOString() },
})

/** The record of the tax authority about a document. */
export const AuthorityView = means(
  'The record of the tax authority. Null if the tax authority does not have the document.',
  Maybe(
    Named('AuthorityRecord', {
      transmitted: means('Whether the tax authority has passed the document on to the buyer.', Type.Boolean()),
      delivered: means('Whether the buyer has confirmed the document.', Type.Boolean()),
      paymentStatus: means(
        'The payment status at the tax authority: `pending`, `partial`, `paid` or `rejected`. Null if it has none.',
        Maybe(OneOf('pending', 'partial', 'paid', 'rejected')),
      ),
      registeredOn: means('The day on which the tax authority registered the document. Null if unknown.', Maybe(Day)),
    }),
  ),
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
  at: means('When the request to the tax authority started.', Instant),
  endedAt: means('When the request ended. Null while it runs, or if its end was not recorded.', Maybe(Instant)),
  step: means(
    '`sign`: register the document. `lookup`: check whether it is registered. `transmit`: pass it on to the buyer. `confirm`: check whether it was passed on. `query`: a status query of a user.',
    OneOf('sign', 'lookup', 'transmit', 'confirm', 'query'),
  ),
  sha256: means('The SHA-256 hash of the document that was sent. Null if the step sends none.', Text),
  cause: means(
    'What started the request. `submitted`: a submission. `retried`: a call of `retry`. `automatic`: the schedule. `asked`: a call of `query-status`. `notified`: a notification of the tax authority.',
    OneOf('submitted', 'retried', 'automatic', 'asked', 'notified'),
  ),
  actor: means(
    'Who started the request. Null if nobody did.',
    Maybe(
      Fields({
        type: means(meaningOf.actors, OneOf('user', 'api_key', 'service', 'system')),
        id: means('The id of the user or API key. Null for `service` and `system`.', Maybe(Uuid)),
        name: means('The name of the user, API key or service.', Type.String()),
      }),
    ),
  ),
  answer: means(
    'The result: `signed`, `transmitted`, `found`, `absent`, `refused`, `unclear`, `not_sent` or `other_document`. Null while the request runs.',
    Text,
  ),
  why: means('The reason for an unclear result, in English. Null if the result is clear.', Text),
  told: means('The messages of the tax authority, in its own words. At most 20.', List(Type.String())),
  late: means('Whether the answer came after another worker had taken over the submission.', Type.Boolean()),
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
  told: [...attempt.messages],
  late: attempt.isLate,
})

export const CancelBody = Fields({
  reason: means('Why the invoice is cancelled. Printed on the credit note.', Prose(1, 500)),
  notes: Type.Optional(means('Remarks for the buyer, printed on the credit note.', Maybe(Prose(0, 2000)))),
})
export const cancellationFrom = ({
  params,
  body,
}: {
  params: { id: string }
  body: { reason: string; notes?: string | null }
}) => ({ id: params.id as InvoiceId, reason: body.reason, notes: body.notes ?? null })

interface InvoiceReport {
  readonly invoice: InvoiceSummary
  readonly report: ReportStatus
}
/**
 * The three replies about a document's state: from our records, from the authority, and with all attempts. A form adds how it shows the
 * invoice, and its names for fields in a refusal.
 */
export function reportStatusRoutes<View extends object>(
  toStatus: (invoice: InvoiceSummary, moment: Moment) => View,
  pathHere: (path: string) => string,
) {
  const status = ({ invoice, report }: InvoiceReport, moment: Moment) => ({
    ...toStatus(invoice, moment),
    report: toReport(report, pathHere),
  })
  return {
    status,
    queried: ({ found, ...rest }: InvoiceReport & Pick<QueriedStatus, 'found'>, moment: Moment) => ({
      ...status(rest, moment),
      authority: toAuthority({ found }),
    }),
    timeline: ({ attempts, ...rest }: InvoiceReport & { readonly attempts: readonly Attempt[] }, moment: Moment) => ({
      ...status(rest, moment),
      attempts: attempts.map(toAttempt),
    }),
  }
}
export const versionOfInvoice = ({ invoice }: { readonly invoice: { readonly version: number } }) => invoice.version
