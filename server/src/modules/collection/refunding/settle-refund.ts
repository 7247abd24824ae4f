import type { Caller } from '../../../kernel/callers.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Inside } from '../../../platform/operations/operation.ts'
import { collectedPayments } from '../../invoices/index.ts'
import { contextOf, emitMoves, move, recordOn } from '../applying/move-money.ts'
import type { Move } from '../payments/payment-balances.ts'
import { type ReceivedPayment, receivedPaymentPayload } from '../payments/received-payment.ts'
import {
  findCreditOwner,
  listWithdrawn,
  lockPayment,
  type WithdrawnShare,
} from '../payments/received-payments.store.ts'
import { nextTry, type Refund, type RefundId } from './refund.ts'
import { lockRefund, saveNextTry, saveSettled } from './refunds.store.ts'

/** The provider's result. `pending` if the refund has not ended or the result is unknown. */
export type RefundAnswer =
  | { readonly kind: 'sent' }
  | { readonly kind: 'pending' }
  | {
      readonly kind: 'failed'
      readonly reason: string
      /** The operator's balance at the provider was too low. */
      readonly hasNoBalance?: true
    }

/** An invoice gets at most what is due now: it may have been paid in another way since. */
function within(wanted: readonly WithdrawnShare[], locked: readonly collectedPayments.Collectable[]): WithdrawnShare[] {
  const due = new Map(locked.map(({ id, isPayable, dueMinor }) => [id, isPayable ? dueMinor : 0n]))
  return wanted.flatMap((one) => {
    const left = due.get(one.invoiceId) ?? 0n
    const amountMinor = left < one.amountMinor ? left : one.amountMinor
    due.set(one.invoiceId, left - amountMinor)
    return amountMinor > 0n ? [{ ...one, amountMinor }] : []
  })
}

const sumOf = (some: readonly WithdrawnShare[]): bigint => some.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)

/**
 * The refund failed, so its money returns to its previous parts, as far as they have room. Credit returns only if it
 * was that of the payment's present buyer: a person may have assigned the payment to another one since. If the sender's bank has
 * taken the transfer back meanwhile, there is no money to return: invoices and credit stay unchanged.
 */
async function putBack(
  context: Inside<Caller>,
  tenant: Tenant,
  before: ReceivedPayment,
  refund: Refund,
): Promise<{ after: ReceivedPayment; moves: Move[] }> {
  const back: Move = { type: 'refund_back', amountMinor: refund.amountMinor, refundId: refund.id }
  if (before.reversedAt !== null) {
    const reversed: Move = { type: 'reverse', amountMinor: refund.amountMinor, refundId: refund.id }
    const moves = [back, reversed]
    return { after: await move(context, tenant, before, moves), moves }
  }
  const withdrawn = await listWithdrawn(context.tx, tenant, before.id, refund.id)
  const locked = await collectedPayments.lockCollectables(context.tx, tenant, [
    ...new Set(withdrawn.map(({ invoiceId }) => invoiceId)),
  ])
  const place = await contextOf(context, tenant, before)
  const fitting = within(withdrawn, locked)
  const allocations = fitting.map((share) => ({ ...share, fromCredit: share.creditOf !== null }))
  const again = await recordOn(context, place, before, allocations, locked, {
    refundId: refund.id,
    unmatchedMinor: before.unmatchedMinor + refund.amountMinor,
  })
  const isOwnCredit = ({ creditOf }: WithdrawnShare) => creditOf !== null && creditOf === before.buyerId
  const owner = (await findCreditOwner(context.tx, tenant, before.id, refund.id)) ?? before.buyerId
  const releasedMinor = owner === before.buyerId ? refund.creditedMinor : 0n
  // What an invoice had from the buyer's credit, and has no room for now, is credit again.
  const creditMinor = releasedMinor + sumOf(withdrawn.filter(isOwnCredit)) - sumOf(fitting.filter(isOwnCredit))
  const credit: Move[] =
    creditMinor > 0n && before.buyerId !== null
      ? [{ type: 'credit', amountMinor: creditMinor, refundId: refund.id }]
      : []
  const moves = [back, ...again, ...credit]
  return { after: await move(context, tenant, before, moves), moves }
}

/** Applies the provider's result to a refund. Idempotent: a refund ends once. */
export async function settleRefund(
  context: Inside<Caller>,
  tenant: Tenant,
  ids: { readonly refundId: RefundId; readonly paymentId: ReceivedPayment['id'] },
  answer: RefundAnswer,
): Promise<{ readonly payment: ReceivedPayment; readonly refund: Refund }> {
  const { tx, now, realNow, emit, log } = context
  const before = await lockPayment(tx, tenant, ids.paymentId)
  const refund = await lockRefund(tx, tenant, ids.refundId)
  if (!before || !refund) throw new Error('a refund is there as long as its payment is')
  if (refund.state !== 'pending') return { payment: before, refund }
  if (answer.kind === 'pending') {
    await saveNextTry(tx, tenant, refund.id, nextTry(realNow, refund.tries))
    return { payment: before, refund }
  }
  const failure = answer.kind === 'failed' ? answer.reason.slice(0, 500) : null
  const settled = await saveSettled(tx, tenant, refund.id, { state: answer.kind, failure, now })
  const refundData = { refundId: refund.id, refundAmountMinor: Number(refund.amountMinor) }
  if (failure === null) {
    // The seller lost this amount: the sender got the refund, and the sender's bank took back the whole transfer.
    if (before.reversedAt !== null)
      log.error('collection.refunded_and_reversed', { organisationId: tenant.organisationId, reference: before.id })
    const about = { ...tenant, objectId: before.id, version: before.version }
    emit('collection.payment_refunded', about, { ...receivedPaymentPayload(before), ...refundData })
    return { payment: before, refund: settled }
  }
  const { after, moves } = await putBack(context, tenant, before, refund)
  const about = { ...tenant, objectId: after.id, version: after.version }
  emit('collection.refund_failed', about, { ...receivedPaymentPayload(after), ...refundData, reason: failure })
  emitMoves(context, tenant, before, after, moves)
  return { payment: after, refund: settled }
}
