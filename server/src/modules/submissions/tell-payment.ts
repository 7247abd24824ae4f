import type { DoneAnswer, PaymentStanding } from '../../jurisdictions/port.ts'
import type { Caller, SystemCaller } from '../../kernel/callers.ts'
import { type Refusal, refuse } from '../../kernel/refusals.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Consumer } from '../../platform/events/consumer.ts'
import { exchange, type Inside, type Outcome, type Outside } from '../../platform/operations/operation.ts'
import { job } from '../../platform/work/jobs.ts'
import { getOwnInvoice, type Invoice, type InvoiceId, paymentStatusOf } from '../invoices/index.ts'
import { authorityOf } from './query-status.ts'
import type { SubmissionId } from './submission.ts'
import { findLastSubmission } from './submissions.store.ts'
import { findPaymentTold, listPaidAmong, savePaymentTold } from './tell-payment.store.ts'

export interface PaidInvoice extends Tenant {
  readonly invoiceId: InvoiceId
}

export const tellPaymentJob = job<PaidInvoice>('tell-payment', 'authority')

/** What was paid before the authority accepted a document is told then; whatever is paid or taken back later, at once. */
export const paymentsToTell: Consumer = {
  name: 'payments-to-tell',
  on: ['invoice.payment_recorded', 'invoice.payment_reversed', 'invoice.accepted'],
  lane: 'work',
  startsAt: 'now',
  batchSize: 1_000,
  restMs: 200,
  wants: ({ type, data }) => type === 'invoice.accepted' || data.authorityReference !== null,
  take: async ({ tx, enqueue }, events) => {
    const accepted = events.filter(({ type }) => type === 'invoice.accepted')
    const changed = events.filter(({ type }) => type !== 'invoice.accepted')
    const paid = accepted.length === 0 ? [] : await listPaidAmong(tx, accepted)
    for (const { organisationId, mode, objectId } of [...paid, ...changed])
      if (mode !== null)
        enqueue(
          tellPaymentJob,
          { organisationId, mode, invoiceId: objectId as InvoiceId },
          { key: `tell-payment:${objectId}` },
        )
  },
}

interface Told {
  readonly status: PaymentStanding
  readonly paidMinor: bigint
}

function standingOf(invoice: Invoice): Told {
  const { paidMinor } = invoice
  const status = paymentStatusOf(invoice)
  return { status: status === 'paid' ? 'paid' : status === 'partially_paid' ? 'partial' : 'pending', paidMinor }
}

/** A part is told by its amount, so that another part is told again. */
const asText = ({ status, paidMinor }: Told): string => (status === 'partial' ? `partial ${paidMinor}` : status)

/** What the document itself said when it was sent. */
const saidByDocument = ({ declaredPaymentStatus }: Invoice): string =>
  declaredPaymentStatus === 'paid' ? 'paid' : 'pending'

const isRegistered = (state: string): boolean => ['signed', 'transmitted', 'accepted'].includes(state)

interface TellIntent extends Tenant {
  readonly submissionId: SubmissionId
  readonly country: string
  readonly reference: string
  readonly status: PaymentStanding
  readonly paidMinor: string
}

/** `later`: nobody answered, so it is to be tried again. */
export type TellOutcome = 'told' | 'refused' | 'later'

/** Tells the authority how far a document is paid. Repeating it does no harm, so whoever died in between simply begins anew. */
export const tellPayment = exchange(
  { needs: [], refuses: ['resource.not_found', 'authority.no_access'] },
  {
    name: 'tell-payment',
    deadlineMs: 15_000,
    intend: async (
      { tx }: Inside<SystemCaller>,
      { organisationId, mode, invoiceId }: PaidInvoice,
    ): Promise<TellIntent | Refusal> => {
      const tenant = { organisationId, mode }
      const invoice = await getOwnInvoice(tx, tenant, invoiceId)
      const submission = await findLastSubmission(tx, tenant, invoiceId)
      // One that is on its way is told of when it has arrived.
      if (!submission || !isRegistered(submission.state)) return refuse('resource.not_found')
      const standing = standingOf(invoice)
      const told = (await findPaymentTold(tx, tenant, submission.id)) ?? saidByDocument(invoice)
      if (told === asText(standing)) return refuse('resource.not_found')
      const { id: submissionId, country, reference } = submission
      const { status, paidMinor } = standing
      return { ...tenant, submissionId, country, reference, status, paidMinor: String(paidMinor) }
    },
    call: async (context: Outside<Caller> & { signal: AbortSignal }, intent: TellIntent): Promise<DoneAnswer> => {
      const { status, paidMinor, reference, country } = intent
      const { authority } = await authorityOf(context, intent, country)
      const payment = status === 'partial' ? { status, paidMinor: BigInt(paidMinor) } : { status }
      return await authority.updatePaymentStatus(reference, payment, context.signal)
    },
    inquire: { none: 'the work that asked for it is done again' },
    settle: async (
      { tx, log }: Inside<Caller>,
      { organisationId, mode, submissionId, reference, status, paidMinor }: TellIntent,
      outcome: Outcome<DoneAnswer>,
    ): Promise<TellOutcome> => {
      const answer = outcome.kind === 'answered' ? outcome.answer : undefined
      if (answer?.kind !== 'done' && answer?.kind !== 'refused') return 'later'
      if (answer.kind === 'refused')
        log.error('authority.payment_not_taken', { organisationId, reference, reason: status })
      const told = asText({ status, paidMinor: BigInt(paidMinor) })
      // What it refuses it would refuse again: it counts as told until something else is paid.
      await savePaymentTold(tx, { organisationId, mode }, submissionId, told)
      return answer.kind === 'done' ? 'told' : 'refused'
    },
  },
)
