import type { Caller } from '../../../kernel/callers.ts'
import type { EventOf } from '../../../kernel/events.ts'
import type { Inside } from '../../../platform/operations/operation.ts'
import type { Payment } from './payment.ts'

type EmitContext = Pick<Inside<Caller>, 'emit'>

/** Payments are real money, so their events belong to live mode. */
export function emitPaymentEvent({ emit }: EmitContext, type: EventOf<'payment'>, payment: Payment): void {
  const { organisationId, id, version, kind, status, amountMinor, refundedMinor, currency, credits, subscriptionId } =
    payment
  emit(
    type,
    { organisationId, mode: 'live', objectId: id, version },
    {
      paymentId: id,
      kind,
      status,
      amountMinor: Number(amountMinor),
      refundedMinor: Number(refundedMinor),
      currency,
      credits: Number(credits),
      ...(subscriptionId === null ? {} : { subscriptionId }),
    },
  )
}

const eventTypeOf: Partial<Record<Payment['status'], EventOf<'payment'>>> = {
  succeeded: 'billing.payment.succeeded',
  failed: 'billing.payment.failed',
  expired: 'billing.payment.expired',
  partially_refunded: 'billing.payment.refunded',
  refunded: 'billing.payment.refunded',
  disputed: 'billing.payment.disputed',
  charged_back: 'billing.payment.charged_back',
}

/** Emits an event if the status or the refunded amount changed. */
export function emitPaymentChange(context: EmitContext, before: Payment, after: Payment): void {
  const type = eventTypeOf[after.status]
  if (type && (after.status !== before.status || after.refundedMinor !== before.refundedMinor))
    emitPaymentEvent(context, type, after)
}
