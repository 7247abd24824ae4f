import type { Caller } from '../../../kernel/callers.ts'
import { businessDay } from '../../../kernel/days.ts'
import { spelled } from '../../../kernel/decimal.ts'
import { currencyDigits } from '../../../kernel/money-words.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import { actorOf } from '../../../platform/events/actors.ts'
import type { Inside } from '../../../platform/operations/operation.ts'
import { collectedPayments, derivedStatuses, type Invoice, type InvoiceId } from '../../invoices/index.ts'
import { getAccountOf } from '../accounts/virtual-accounts.store.ts'
import type { Allocation } from '../matching/match.ts'
import type { Move } from '../payments/payment-balances.ts'
import { type ReceivedPayment, receivedPaymentPayload } from '../payments/received-payment.ts'
import { type InvoiceShare, listInvoiceShares, moveMoney, type WithMoves } from '../payments/received-payments.store.ts'

/** The tenant and the day that a payment is recorded under. */
export interface PaymentContext {
  readonly tenant: Tenant
  readonly country: string
  /** time zone of the country */
  readonly zone: string
  readonly paidOn: string
}

export async function contextOf(
  { tx, ports }: Inside<Caller>,
  tenant: Tenant,
  payment: ReceivedPayment,
): Promise<PaymentContext> {
  const { jurisdiction } = await getAccountOf(tx, tenant, payment.accountId)
  const zone = ports.jurisdictions.of(jurisdiction)?.zone ?? 'UTC'
  return { tenant, country: jurisdiction, zone, paidOn: businessDay(payment.receivedAt, zone) }
}

/** Money for an invoice, and whether the service itself took all of it from the buyer's credit. */
export interface CreditableAllocation extends Allocation<InvoiceId> {
  readonly fromCredit?: boolean
}

/**
 * Records money on locked invoices and returns the moves: the unmatched part is used first, then the credit. The
 * payment itself is not written here.
 */
export async function recordOn(
  context: Inside<Caller>,
  place: PaymentContext,
  payment: ReceivedPayment,
  allocations: readonly CreditableAllocation[],
  locked: readonly collectedPayments.Collectable[],
  { refundId, unmatchedMinor = payment.unmatchedMinor }: { refundId?: string; unmatchedMinor?: bigint } = {},
): Promise<Move[]> {
  const moves: Move[] = []
  let unmatched = unmatchedMinor
  const now = new Map(locked.map(({ id, invoice }) => [id, invoice]))
  for (const { invoiceId, amountMinor, fromCredit = false } of allocations) {
    const before = now.get(invoiceId)
    if (!before) throw new Error('money goes to an invoice that is not locked')
    const { paymentId, invoice } = await collectedPayments.recordCollected(context, place, before, {
      receivedPaymentId: payment.id,
      amountMinor,
      paidOn: place.paidOn,
      reference: payment.providerReference,
      fromCredit,
    })
    now.set(invoiceId, invoice)
    const entry = { invoiceId, invoicePaymentId: paymentId, refundId }
    const plain = amountMinor < unmatched ? amountMinor : unmatched
    unmatched -= plain
    if (plain > 0n) moves.push({ type: 'apply', amountMinor: plain, ...entry })
    if (plain < amountMinor) moves.push({ type: 'use_credit', amountMinor: amountMinor - plain, ...entry })
  }
  return moves
}

const smallest = (one: bigint, other: bigint): bigint => (one < other ? one : other)

interface TakenShare extends InvoiceShare {
  readonly takenMinor: bigint
}

/**
 * How much to take of each share: first the amounts that invoices owe back, then the rest, latest first. Otherwise a
 * refund for a cancelled invoice would make another invoice due again.
 */
function divide(
  amountMinor: bigint,
  shares: readonly InvoiceShare[],
  invoices: ReadonlyMap<InvoiceId, Invoice>,
): TakenShare[] {
  let left = amountMinor
  const owed = new Map([...invoices].map(([id, invoice]) => [id, derivedStatuses.refundOwedMinor(invoice)]))
  const owedBack = shares.map((share) => {
    const owedMinor = owed.get(share.invoiceId) ?? 0n
    const takenMinor = smallest(smallest(share.amountMinor, owedMinor), left)
    owed.set(share.invoiceId, owedMinor - takenMinor)
    left -= takenMinor
    return { ...share, takenMinor }
  })
  const divided = owedBack.map((share) => {
    const moreMinor = smallest(share.amountMinor - share.takenMinor, left)
    left -= moreMinor
    return { ...share, takenMinor: share.takenMinor + moreMinor }
  })
  if (left > 0n) throw new Error('there is not so much on invoices')
  return divided.filter(({ takenMinor }) => takenMinor > 0n)
}

/** Withdraws money from invoices and returns the moves. Invoices that owe a refund come first, then the latest. */
export async function takeOff(
  context: Inside<Caller>,
  place: PaymentContext,
  payment: ReceivedPayment,
  amountMinor: bigint,
  refundId?: string,
): Promise<Move[]> {
  const { tenant } = place
  const shares = await listInvoiceShares(context.tx, tenant, payment.id)
  const locked = await collectedPayments.lockCollectables(context.tx, tenant, [
    ...new Set(shares.map(({ invoiceId }) => invoiceId)),
  ])
  const invoices = new Map(locked.map(({ id, invoice }) => [id, invoice]))
  const moves: Move[] = []
  const parts = divide(amountMinor, shares, invoices)
  for (const { invoiceId, invoicePaymentId, amountMinor: stands, takenMinor: taken } of parts) {
    const before = invoices.get(invoiceId)
    if (!before) throw new Error('money stands on an invoice that is gone')
    const { payment: withdrawn, invoice: without } = await collectedPayments.withdrawCollected(
      context,
      place,
      before,
      invoicePaymentId,
    )
    const buyerId = withdrawn.fromCredit ? before.buyerId : null
    moves.push({ type: 'withdraw', amountMinor: stands, invoiceId, invoicePaymentId, refundId, buyerId })
    invoices.set(invoiceId, without)
    if (taken === stands) continue
    // A payment of an invoice can only be withdrawn as a whole, so the part that stays is recorded again.
    const { paymentId, invoice } = await collectedPayments.recordCollected(context, place, without, {
      receivedPaymentId: payment.id,
      amountMinor: stands - taken,
      paidOn: place.paidOn,
      reference: payment.providerReference,
      fromCredit: withdrawn.fromCredit,
    })
    invoices.set(invoiceId, invoice)
    const entry = { invoiceId, invoicePaymentId: paymentId, refundId, buyerId }
    moves.push({ type: 'apply', amountMinor: stands - taken, ...entry })
  }
  return moves
}

/** Writes the moves of a payment, and raises its version. */
export function move(
  { tx, caller, now }: Pick<Inside<Caller>, 'tx' | 'caller' | 'now'>,
  tenant: Tenant,
  payment: ReceivedPayment,
  moves: readonly Move[],
  more: WithMoves = {},
): Promise<ReceivedPayment> {
  return moveMoney(tx, tenant, payment, moves, { ...more, actor: actorOf(caller), now })
}

/** Emits events for the moves, for a changed buyer, and for a changed reconciliation status. */
export function emitMoves(
  { emit }: Pick<Inside<Caller>, 'emit'>,
  tenant: Tenant,
  before: ReceivedPayment,
  after: ReceivedPayment,
  moves: readonly Move[],
): void {
  const about = { ...tenant, objectId: after.id, version: after.version }
  const payload = receivedPaymentPayload(after)
  const major = (minor: bigint): string => spelled(minor, currencyDigits(after.currency))
  const applied = moves.filter(({ type }) => type === 'apply' || type === 'use_credit')
  const isFirst = before.matchedAt === null && after.matchedAt !== null
  const hasOtherBuyer = before.buyerId !== null && before.buyerId !== after.buyerId
  if (isFirst || applied.length > 0 || hasOtherBuyer)
    emit('collection.payment_applied', about, {
      ...payload,
      appliedAmount: major(applied.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)),
      unappliedAmount: major(after.unmatchedMinor + after.creditedMinor),
      invoiceIds: [...new Set(applied.flatMap(({ invoiceId }) => invoiceId ?? []))],
    })
  if (before.reconciliationStatus !== after.reconciliationStatus)
    emit('collection.payment_reconciled', about, { ...payload, from: before.reconciliationStatus })
}
