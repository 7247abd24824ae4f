import { type Caller, systemCaller } from '../../../kernel/callers.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import { noteFailing, type Watch } from '../../../platform/jobs/failing-items.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import type { Runner } from '../../../platform/operations/runner.ts'
import { findAccountByHandle } from '../accounts/virtual-accounts.store.ts'
import { matchPayment } from '../applying/match-payment.ts'
import { contextOf, emitMoves, move, takeOff } from '../applying/move-money.ts'
import type { Move } from '../payments/payment-balances.ts'
import { type ReceivedPayment, type ReceivedPaymentId, receivedPaymentPayload } from '../payments/received-payment.ts'
import { findPaymentByReference, insertPayment, lockPayment } from '../payments/received-payments.store.ts'
import type { Transfer } from '../providers/collection-provider.ts'
import { listRefundsOf } from '../refunding/refunds.store.ts'
import type { Feed } from './notifications.store.ts'
import { type StrayReason, saveStray } from './strays.store.ts'

export interface TakenTransfer {
  readonly tenant: Tenant
  readonly id: ReceivedPaymentId
  readonly isNew: boolean
  readonly isMatched: boolean
}

/** The sender's bank took the transfer back: the money leaves our ledger, and invoices that it paid are due again. */
async function reverse(context: Inside<Caller>, tenant: Tenant, id: ReceivedPaymentId): Promise<void> {
  const before = await lockPayment(context.tx, tenant, id)
  if (!before || before.reversedAt !== null) return
  const { creditedMinor, appliedMinor, unmatchedMinor } = before
  // The seller lost the refunded amount: the sender got the refund, and the sender's bank took back the whole transfer.
  if ((await listRefundsOf(context.tx, tenant, id)).some(({ state }) => state === 'sent'))
    context.log.error('collection.refunded_and_reversed', { organisationId: tenant.organisationId, reference: id })
  const place = await contextOf(context, tenant, before)
  const left = unmatchedMinor + creditedMinor + appliedMinor
  const moves: Move[] = [
    ...(creditedMinor > 0n ? [{ type: 'release_credit', amountMinor: creditedMinor } as const] : []),
    ...(appliedMinor > 0n ? await takeOff(context, place, before, appliedMinor) : []),
    ...(left > 0n ? [{ type: 'reverse', amountMinor: left } as const] : []),
  ]
  const { now } = context
  const after = await move(context, tenant, before, moves, { matchedAt: before.matchedAt ?? now, reversedAt: now })
  emitMoves(context, tenant, before, after, [])
}

const come = (transfer: Transfer, account: { id: ReceivedPayment['accountId'] }, feed: Feed) => ({
  id: newId<'received-payment'>(),
  accountId: account.id,
  provider: feed.provider,
  providerReference: transfer.reference,
  buyerId: null,
  currency: transfer.currency,
  amountMinor: transfer.amountMinor,
  senderName: transfer.senderName,
  narration: transfer.narration,
  receivedAt: transfer.receivedAt,
})

function strayBecause(account: Tenant | undefined, feed: Feed, { amountMinor }: Transfer): StrayReason | undefined {
  if (!account) return 'unknown_account'
  if (account.mode !== feed.mode) return 'other_mode'
  return amountMinor > 0n ? undefined : 'no_amount'
}

/**
 * Records a transfer once, before it is matched. A transfer that belongs to no account of ours is stored as a stray for
 * the operator.
 */
export const takeTransfer = operation(
  { needs: [], refuses: [] },
  async (
    context: Inside<Caller>,
    { feed, transfer }: { feed: Feed; transfer: Transfer },
  ): Promise<TakenTransfer | undefined> => {
    const { tx, now, emit, log } = context
    const account = await findAccountByHandle(tx, { provider: feed.provider, handle: transfer.handle })
    const reason = strayBecause(account, feed, transfer)
    if (!account || reason !== undefined) {
      const { reference } = transfer
      if (await saveStray(tx, feed, { reference, reason: reason ?? 'unknown_account', transfer, foundAt: now }))
        log.error('collection.stray_transfer', { provider: feed.provider, reference, reason })
      return undefined
    }
    const tenant = { organisationId: account.organisationId, mode: account.mode }
    const made = await insertPayment(tx, tenant, come(transfer, account, feed), now)
    const payment = made ?? (await findPaymentByReference(tx, tenant, feed.provider, transfer.reference))
    if (!payment) return undefined
    if (made)
      emit(
        'collection.payment_received',
        { ...tenant, objectId: made.id, version: made.version },
        receivedPaymentPayload(made),
      )
    if (transfer.isReversed) await reverse(context, tenant, payment.id)
    return {
      tenant,
      id: payment.id,
      isNew: made !== undefined,
      isMatched: transfer.isReversed || payment.matchedAt !== null,
    }
  },
)

const origin = { requestId: 'collection', address: '', userAgent: '' }

/** Log name for a recorded payment that could not be matched. The sweep tries again. */
export const notMatched = 'collection.payment_not_matched'

/**
 * Records a transfer, then matches it. In two steps, so that the money is recorded even if matching fails. Throws
 * only if recording failed.
 */
export async function bringIn(
  watch: Watch,
  runner: Runner,
  feed: Feed,
  transfer: Transfer,
): Promise<TakenTransfer | undefined> {
  const caller = systemCaller
  const taken = await runner.run(takeTransfer, { caller, origin, input: { feed, transfer } })
  if (!taken || taken.isMatched) return taken
  const { tenant, id } = taken
  await runner
    .run(matchPayment, { caller, origin, input: { tenant, id } })
    .catch((error: unknown) => noteFailing(watch, notMatched, { ...tenant, id }, error))
  return taken
}
