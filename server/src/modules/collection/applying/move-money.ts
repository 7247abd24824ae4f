import type { Caller } from '../../../kernel/callers.ts'
import { businessDay } from '../../../kernel/days.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import { actorOf } from '../../../platform/events/actors.ts'
import type { Inside } from '../../../platform/operations/operation.ts'
import { collectedPayments, type InvoiceId } from '../../invoices/index.ts'
import { getAccountOf } from '../accounts/virtual-accounts.store.ts'
import type { Allocation } from '../matching/match.ts'
import type { Move } from '../payments/books.ts'
import { majorText, type ReceivedPayment, receivedPaymentPayload } from '../payments/received-payment.ts'
import { listInvoiceShares, moveMoney, type WithMoves } from '../payments/received-payments.store.ts'

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

/** Withdraws money from invoices, latest first, and returns the moves. */
export async function takeOff(
  context: Inside<Caller>,
  place: PaymentContext,
  payment: ReceivedPayment,
  amountMinor: bigint,
  refundId?: string,
): Promise<Move[]> {
  const { tenant } = place
  const standings = await listInvoiceShares(context.tx, tenant, payment.id)
  const locked = await collectedPayments.lockCollectables(context.tx, tenant, [
    ...new Set(standings.map(({ invoiceId }) => invoiceId)),
  ])
  const invoices = new Map(locked.map(({ id, invoice }) => [id, invoice]))
  const moves: Move[] = []
  let left = amountMinor
  for (const { invoiceId, invoicePaymentId, amountMinor: stands } of standings) {
    if (left === 0n) break
    const taken = stands < left ? stands : left
    left -= taken
    const before = invoices.get(invoiceId)
    if (!before) throw new Error('money stands on an invoice that is gone')
    const { payment: withdrawn, invoice: without } = await collectedPayments.withdrawCollected(
      context,
      place,
      before,
      invoicePaymentId,
    )
    moves.push({ type: 'withdraw', amountMinor: stands, invoiceId, invoicePaymentId, refundId })
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
    moves.push({ type: 'apply', amountMinor: stands - taken, invoiceId, invoicePaymentId: paymentId, refundId })
  }
  if (left > 0n) throw new Error('there is not so much on invoices')
  return moves
}

/** Writes the moves of a payment. Without moves and other changes, it writes nothing. */
export function move(
  { tx, caller, now }: Pick<Inside<Caller>, 'tx' | 'caller' | 'now'>,
  tenant: Tenant,
  payment: ReceivedPayment,
  moves: readonly Move[],
  more: WithMoves = {},
): Promise<ReceivedPayment> {
  return moveMoney(tx, tenant, payment, moves, { ...more, actor: actorOf(caller), now })
}

/** Emits events for the moves, and for a changed reconciliation status. */
export function emitMoves(
  { emit }: Pick<Inside<Caller>, 'emit'>,
  tenant: Tenant,
  before: ReceivedPayment,
  after: ReceivedPayment,
  moves: readonly Move[],
): void {
  const about = { ...tenant, objectId: after.id, version: after.version }
  const told = receivedPaymentPayload(after)
  const applied = moves.filter(({ type }) => type === 'apply' || type === 'use_credit')
  const isFirst = before.matchedAt === null && after.matchedAt !== null
  if (isFirst || applied.length > 0)
    emit('collection.payment_applied', about, {
      ...told,
      appliedAmount: majorText(applied.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)),
      unappliedAmount: majorText(after.unmatchedMinor + after.creditedMinor),
      invoiceIds: [...new Set(applied.flatMap(({ invoiceId }) => invoiceId ?? []))],
    })
  if (before.reconciliationStatus !== after.reconciliationStatus)
    emit('collection.payment_reconciled', about, { ...told, from: before.reconciliationStatus })
}
