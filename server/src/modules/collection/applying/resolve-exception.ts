import type { TokenCaller } from '../../../kernel/callers.ts'
import { refuse } from '../../../kernel/refusals.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import { type BuyerId, findBuyer } from '../../buyers/index.ts'
import { collectedPayments, type InvoiceId } from '../../invoices/index.ts'
import { getAccountOf } from '../accounts/virtual-accounts.store.ts'
import { mostInvoices, spread } from '../matching/match.ts'
import { type Move, unresolvedMinor } from '../payments/payment-balances.ts'
import type { ReceivedPayment, ReceivedPaymentId } from '../payments/received-payment.ts'
import { lockPayment } from '../payments/received-payments.store.ts'
import { contextOf, emitMoves, move, recordOn } from './move-money.ts'
import { spreadCreditJob } from './spread-credit.ts'

/** What a user says a payment was for. */
export type Resolution = { readonly invoiceId: InvoiceId } | { readonly buyerId: BuyerId }

interface ResolutionTarget {
  readonly invoices: readonly collectedPayments.Collectable[]
  readonly buyerId: BuyerId | null
}

/** The provider pays the seller of the payment's account, so only invoices of that seller can be paid. */
async function targetOf(
  { tx, caller }: Inside<TokenCaller>,
  payment: ReceivedPayment,
  resolution: Resolution,
): Promise<ResolutionTarget> {
  const { tenant } = caller
  const { sellerId } = await getAccountOf(tx, tenant, payment.accountId)
  if ('buyerId' in resolution) {
    const { buyerId } = resolution
    if (!(await findBuyer(tx, tenant, buyerId))) throw refuse('resource.not_found')
    const { currency } = payment
    const ids = await collectedPayments.listOpenInvoices(tx, tenant, {
      buyerId,
      sellerId,
      currency,
      limit: mostInvoices,
    })
    return { invoices: await collectedPayments.lockCollectables(tx, tenant, ids), buyerId }
  }
  const [found] = await collectedPayments.lockCollectables(tx, tenant, [resolution.invoiceId])
  if (!found) throw refuse('resource.not_found')
  if (found.currency !== payment.currency)
    throw refuse('collection.invoice_closed', {
      message: `The payment is in ${payment.currency} and the invoice in ${found.currency}. Choose another invoice.`,
    })
  if (found.invoice.sellerId !== sellerId)
    throw refuse('collection.invoice_closed', {
      message: 'The payment went to another seller than the invoice’s. Choose an invoice of that seller, or refund it.',
    })
  if (!found.isPayable || found.dueMinor === 0n) throw refuse('collection.invoice_closed')
  return { invoices: [found], buyerId: payment.buyerId ?? found.invoice.buyerId }
}

/**
 * Applies unmatched or overpaid money to what the user names. The rest becomes the buyer's credit. Credit of another
 * buyer is released first, so that the ledger shows the change of its owner.
 */
export const resolveException = operation(
  {
    needs: ['collection.manage'],
    refuses: ['resource.not_found', 'request.invalid', 'collection.nothing_left', 'collection.invoice_closed'],
  },
  async (
    context: Inside<TokenCaller>,
    { id, resolution }: { id: ReceivedPaymentId; resolution: Resolution },
  ): Promise<ReceivedPayment> => {
    const { tx, caller, now } = context
    const { tenant } = caller
    const before = await lockPayment(tx, tenant, id)
    if (!before) throw refuse('resource.not_found')
    const left = unresolvedMinor(before)
    if (left === 0n) throw refuse('collection.nothing_left')
    const { invoices, buyerId } = await targetOf(context, before, resolution)
    const { allocations } = spread(left, before.currency, invoices)
    const place = await contextOf(context, tenant, before)
    const releasedMinor = buyerId === before.buyerId ? 0n : before.creditedMinor
    const unmatchedMinor = before.unmatchedMinor + releasedMinor
    const moves: Move[] = releasedMinor > 0n ? [{ type: 'release_credit', amountMinor: releasedMinor }] : []
    moves.push(...(await recordOn(context, place, before, allocations, invoices, { unmatchedMinor })))
    const taken = moves.reduce((sum, { type, amountMinor }) => (type === 'apply' ? sum + amountMinor : sum), 0n)
    const rest = unmatchedMinor - taken
    if (rest > 0n && buyerId !== null) moves.push({ type: 'credit', amountMinor: rest })
    const after = await move(context, tenant, before, moves, { matchedAt: before.matchedAt ?? now, buyerId })
    emitMoves(context, tenant, before, after, moves)
    if ('buyerId' in resolution && after.creditedMinor > 0n)
      context.enqueue(spreadCreditJob, { ...tenant, paymentId: id })
    return after
  },
)
