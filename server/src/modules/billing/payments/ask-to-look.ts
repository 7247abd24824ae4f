import type { Caller } from '../../../kernel/callers.ts'
import type { OrganisationId } from '../../../kernel/ids.ts'
import { job } from '../../../platform/jobs/jobs.ts'
import type { Inside } from '../../../platform/operations/operation.ts'
import type { PaymentId } from './payment.ts'

export interface PaymentRef {
  readonly organisationId: OrganisationId
  readonly paymentId: PaymentId
  /** The provider's name of the payment, as in its notification. */
  readonly subject?: string
}

export const lookAtPaymentJob = job<PaymentRef>('look-at-payment', 'money')

/** One waiting job covers all requests to look that arrive meanwhile. */
export const askToLook = (
  { enqueue }: Pick<Inside<Caller>, 'enqueue'>,
  { organisationId, paymentId }: PaymentRef,
): void => enqueue(lookAtPaymentJob, { organisationId, paymentId }, { key: `look-at-payment:${paymentId}` })
