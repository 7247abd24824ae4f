import type { Caller } from '../../../kernel/callers.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import { type Inside, type Outside, operation, reading } from '../../../platform/operations/operation.ts'
import { collectedPayments, type InvoiceId } from '../../invoices/index.ts'
import type { OpeningAccount } from '../accounts/virtual-account.ts'
import { getAccountOf } from '../accounts/virtual-accounts.store.ts'
import { match, mostInvoices } from '../matching/match.ts'
import type { Move } from '../payments/payment-balances.ts'
import type { ReceivedPayment, ReceivedPaymentId } from '../payments/received-payment.ts'
import { listPending, lockPayment, type PendingPayment } from '../payments/received-payments.store.ts'
import { contextOf, emitMoves, move, recordOn } from './move-money.ts'
import { spreadCreditJob } from './spread-credit.ts'

/**
 * The invoice of the account, or else the buyer's open invoices of the account's seller, oldest first. The provider
 * pays that seller, so other sellers' invoices are excluded.
 */
async function candidates(
  { tx }: Inside<Caller>,
  tenant: Tenant,
  { invoiceId, buyerId, sellerId }: OpeningAccount,
  { currency }: ReceivedPayment,
): Promise<InvoiceId[]> {
  if (invoiceId !== null) return [invoiceId]
  return buyerId === null
    ? []
    : await collectedPayments.listOpenInvoices(tx, tenant, { buyerId, sellerId, currency, limit: mostInvoices })
}

/** Matches a payment once. The payment was recorded before, so a failure here loses no money. */
export const matchPayment = operation(
  { needs: [], refuses: [] },
  async (context: Inside<Caller>, { tenant, id }: { tenant: Tenant; id: ReceivedPaymentId }): Promise<void> => {
    const before = await lockPayment(context.tx, tenant, id)
    if (!before || before.matchedAt !== null) return
    const place = await contextOf(context, tenant, before)
    const account = await getAccountOf(context.tx, tenant, before.accountId)
    const locked = await collectedPayments.lockCollectables(
      context.tx,
      tenant,
      await candidates(context, tenant, account, before),
    )
    const named = locked.find((one) => one.id === account.invoiceId)
    const buyerId = account.buyerId ?? named?.invoice.buyerId ?? null
    const isBuyersAccount = account.invoiceId === null && account.buyerId !== null
    const { allocations, creditedMinor } = match({
      amountMinor: before.unmatchedMinor,
      currency: before.currency,
      invoices: locked,
      hasBuyer: buyerId !== null,
      isBuyersAccount,
    })
    const moves: Move[] = await recordOn(context, place, before, allocations, locked)
    if (creditedMinor > 0n) moves.push({ type: 'credit', amountMinor: creditedMinor })
    const after = await move(context, tenant, before, moves, { matchedAt: context.now, buyerId })
    emitMoves(context, tenant, before, after, moves)
    if (isBuyersAccount && creditedMinor > 0n) context.enqueue(spreadCreditJob, { ...tenant, paymentId: id })
  },
)

/** The process that recorded a payment has matched it within this time, or died. */
const patienceMs = 15_000

export const findPending = reading(
  { needs: [], refuses: [] },
  ({ db, realNow: now }: Outside<Caller>, after: PendingPayment | undefined) =>
    listPending(db, { before: new Date(now.getTime() - patienceMs), after, limit: 100 }),
)
