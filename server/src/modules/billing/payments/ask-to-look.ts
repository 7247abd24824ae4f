import type { Caller } from '../../../kernel/callers.ts'
import type { OrganisationId } from '../../../kernel/ids.ts'
import type { Inside } from '../../../platform/operations/operation.ts'
import { job } from '../../../platform/work/jobs.ts'
import type { PaymentId } from './payment.ts'

export interface PaymentRef {
  readonly organisationId: OrganisationId
  readonly paymentId: PaymentId
  /** what the provider called it when it told us of it */
  readonly subject?: string
}

export const lookAtPaymentJob = job<PaymentRef>('look-at-payment', 'money')

/** One look that waits stands for all that are asked for meanwhile. */
export const askToLook = (
  { enqueue }: Pick<Inside<Caller>, 'enqueue'>,
  { organisationId, paymentId }: PaymentRef,
): void => enqueue(lookAtPaymentJob, { organisationId, paymentId }, { key: `look-at-payment:${paymentId}` })
