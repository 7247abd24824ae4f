import type { DoneAnswer, ReportedPaymentStatus } from '../../../jurisdictions/port.ts'
import type { Caller, SystemCaller } from '../../../kernel/callers.ts'
import { type Refusal, refuse } from '../../../kernel/refusals.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Consumer } from '../../../platform/background/consumer.ts'
import { job } from '../../../platform/jobs/jobs.ts'
import { type CallOutcome, exchange, type Inside, type Outside } from '../../../platform/operations/operation.ts'
import { derivedStatuses, getOwnInvoice, type InvoiceId } from '../../invoices/index.ts'
import type { SubmissionId } from '../state/submission.ts'
import { findLastSubmission } from '../state/submissions.store.ts'
import { authorityOf } from './authority-access.ts'
import {
  findReportedPayment,
  listPaymentFacts,
  type PaymentFacts,
  saveReportedPayment,
} from './report-payment.store.ts'

export interface PaidInvoice extends Tenant {
  readonly invoiceId: InvoiceId
}

export const reportPaymentJob = job<PaidInvoice>('tell-payment', 'authority')

type Enqueue = Inside<SystemCaller>['enqueue']

function enqueuePaymentReport(enqueue: Enqueue, { organisationId, mode, invoiceId }: PaidInvoice): void {
  enqueue(reportPaymentJob, { organisationId, mode, invoiceId }, { key: `tell-payment:${invoiceId}` })
}

/**
 * Follows everything that changes how far a document is paid: payments, and credit notes that start or stop counting.
 * On acceptance, the payment is compared with the status in the document's bytes, because it may have changed
 * meanwhile.
 */
export const paymentReports: Consumer = {
  name: 'payment-status-to-tell',
  on: ['invoice.payment_recorded', 'invoice.payment_reversed', 'invoice.paid', 'invoice.updated', 'invoice.accepted'],
  pool: 'work',
  startsAt: 'now',
  batchSize: 1_000,
  restMs: 200,
  wants: ({ type, data }) =>
    data.authorityReference !== null &&
    (type !== 'invoice.updated' || (data.changed as readonly string[]).includes('creditedMinor')),
  take: async ({ tx, enqueue }, events) => {
    const [accepted, changed] = [new Map<string, PaidInvoice>(), new Map<string, PaidInvoice>()]
    for (const { organisationId, mode, objectId, type } of events)
      if (mode !== null) {
        const invoice = { organisationId, mode, invoiceId: objectId as InvoiceId }
        ;(type === 'invoice.accepted' ? accepted : changed).set(objectId, invoice)
      }
    // Always enqueue a job: a report that is running now is not stored yet.
    for (const invoice of changed.values()) enqueuePaymentReport(enqueue, invoice)
    const facts = accepted.size === 0 ? [] : await listPaymentFacts(tx, [...accepted.values()])
    for (const one of facts) if (one.reported !== asText(paymentOf(one))) enqueuePaymentReport(enqueue, one)
  },
}

interface ReportedPayment {
  readonly status: ReportedPaymentStatus
  readonly paidMinor: bigint
}

/** A credit note is never paid. A declared partial payment has no amount, but the authority requires one. */
function paymentOf(invoice: Omit<PaymentFacts, 'reported' | 'invoiceId' | keyof Tenant>): ReportedPayment {
  const { type, paidMinor } = invoice
  const status = type === 'credit_note' ? 'unpaid' : derivedStatuses.paymentStatusOf(invoice)
  if (status === 'paid') return { status: 'paid', paidMinor }
  return { status: status === 'partially_paid' && paidMinor > 0n ? 'partial' : 'pending', paidMinor }
}

/** A partial payment includes its amount, so that another amount is reported again. */
const asText = ({ status, paidMinor }: ReportedPayment): string =>
  status === 'partial' ? `partial ${paidMinor}` : status

const isRegisteredOrAccepted = (state: string): boolean => ['signed', 'transmitted', 'accepted'].includes(state)

interface ReportPaymentIntent extends Tenant {
  readonly submissionId: SubmissionId
  readonly country: string
  readonly reference: string
  readonly status: ReportedPaymentStatus
  readonly paidMinor: string
}

/** `later`: no answer came, so the report is retried. */
export type ReportPaymentOutcome = 'reported' | 'refused' | 'later'

/**
 * Reports to the authority how far a document is paid. A repeated report does no harm, so a worker that takes over
 * simply starts again.
 */
export const reportPayment = exchange(
  { needs: [], refuses: ['resource.not_found', 'authority.no_access'] },
  {
    name: 'tell-payment',
    deadlineMs: 15_000,
    intend: async (
      { tx }: Inside<SystemCaller>,
      { organisationId, mode, invoiceId }: PaidInvoice,
    ): Promise<ReportPaymentIntent | Refusal> => {
      const tenant = { organisationId, mode }
      const invoice = await getOwnInvoice(tx, tenant, invoiceId)
      const submission = await findLastSubmission(tx, tenant, invoiceId)
      // The payment of an undecided document is reported after its acceptance.
      if (!submission || !isRegisteredOrAccepted(submission.state)) return refuse('resource.not_found')
      const payment = paymentOf(invoice)
      const { id: submissionId, country, reference } = submission
      if ((await findReportedPayment(tx, tenant, submissionId)) === asText(payment)) return refuse('resource.not_found')
      const { status, paidMinor } = payment
      // The answer may be lost. Until it is read, nobody knows what the authority has, so the next comparison must differ.
      await saveReportedPayment(tx, tenant, submissionId, 'unknown')
      return { ...tenant, submissionId, country, reference, status, paidMinor: String(paidMinor) }
    },
    call: async (
      context: Outside<Caller> & { signal: AbortSignal },
      intent: ReportPaymentIntent,
    ): Promise<DoneAnswer> => {
      const { status, paidMinor, reference, country } = intent
      const { authority } = await authorityOf(context, intent, country)
      const payment = status === 'partial' ? { status, paidMinor: BigInt(paidMinor) } : { status }
      // An authority without payment statuses gets no report.
      return (await authority.updatePaymentStatus?.(reference, payment, context.signal)) ?? { kind: 'done' }
    },
    inquire: { none: 'the work that asked for it is done again' },
    settle: async (
      { tx, log }: Inside<Caller>,
      { organisationId, mode, submissionId, reference, status, paidMinor }: ReportPaymentIntent,
      outcome: CallOutcome<DoneAnswer>,
    ): Promise<ReportPaymentOutcome> => {
      const answer = outcome.kind === 'answered' ? outcome.answer : undefined
      if (answer?.kind !== 'done' && answer?.kind !== 'refused') return 'later'
      if (answer.kind === 'refused')
        log.error('authority.payment_not_taken', { organisationId, reference, reason: status })
      const reported = asText({ status, paidMinor: BigInt(paidMinor) })
      // The authority would refuse it again. It counts as reported until the payment changes.
      await saveReportedPayment(tx, { organisationId, mode }, submissionId, reported)
      return answer.kind === 'done' ? 'reported' : 'refused'
    },
  },
)
