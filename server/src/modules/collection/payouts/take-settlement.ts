import { type Caller, systemCaller } from '../../../kernel/callers.ts'
import { newId } from '../../../kernel/ids.ts'
import { type Refusal, refuse } from '../../../kernel/refusals.ts'
import type { Mode, Tenant } from '../../../kernel/tenant.ts'
import { type Inside, operation } from '../../../platform/operations/operation.ts'
import type { Runner, Runtime } from '../../../platform/operations/runner.ts'
import type { SellerId } from '../../sellers/index.ts'
import type { CollectionProviderName } from '../providers/collection-provider.ts'
import type { ProviderSettlement, SettledTransfer } from '../providers/sub-accounts.ts'
import { lockSettlementAccount } from '../settlement-accounts/settlement-accounts.store.ts'
import { aboutSettlement, settlementPayload } from '../settlement-accounts/settlement-event.ts'
import type { Settlement } from './settlement.ts'
import { listOwnersOfHandles, listSettledTransfers, lockSettlement, saveSettlement } from './settlements.store.ts'

const origin = { requestId: 'follow-settlements', address: '', userAgent: '' }

interface SellersPart {
  readonly tenant: Tenant
  readonly sellerId: SellerId
  readonly provider: CollectionProviderName
  readonly settlement: ProviderSettlement
  readonly transfers: readonly SettledTransfer[]
}

const sumOf = (transfers: readonly SettledTransfer[], of: 'amountMinor' | 'feeMinor'): bigint =>
  transfers.reduce((sum, transfer) => sum + transfer[of], 0n)

type TransferLine = Omit<SettledTransfer, 'handle'>
const linesOf = (transfers: readonly TransferLine[]): string =>
  transfers
    .map(({ reference, amountMinor, feeMinor }) => JSON.stringify([reference, String(amountMinor), String(feeMinor)]))
    .sort()
    .join()

/** Saves a payout to one seller, and emits an event if it is new or changed. */
export const recordSettlement = operation(
  { time: 'real', needs: [], refuses: ['resource.not_found'] },
  async (context: Inside<Caller>, part: SellersPart): Promise<Settlement | Refusal> => {
    const { tx, now, emit } = context
    const { tenant, sellerId, provider, settlement, transfers } = part
    // The lock is held to the end: a notification and a sweep may bring the same settlement at once.
    const account = await lockSettlementAccount(tx, tenant, sellerId)
    if (!account) throw refuse('resource.not_found')
    const { reference: providerReference, status } = settlement
    const before = await lockSettlement(tx, tenant, { provider, providerReference, sellerId })
    const [amountMinor, feeMinor] = [sumOf(transfers, 'amountMinor'), sumOf(transfers, 'feeMinor')]
    // Sums are not enough: one transfer may have taken the place of another of the same amount.
    const isSame =
      before?.status === status && linesOf(await listSettledTransfers(tx, tenant, before)) === linesOf(transfers)
    // A settled payout never becomes pending again: such an answer is outdated.
    if (before && (isSame || (before.status === 'settled' && status === 'pending'))) return before
    const saved = await saveSettlement(
      tx,
      tenant,
      {
        id: newId(),
        sellerId,
        provider,
        providerReference,
        status,
        currency: settlement.currency,
        amountMinor,
        feeMinor,
        paymentCount: transfers.length,
        settledAt: status === 'settled' ? (settlement.settledAt ?? now) : null,
        foundAt: now,
        updatedAt: now,
      },
      transfers,
    )
    emit(
      'collection.settlement_updated',
      aboutSettlement(tenant, account),
      settlementPayload(account, {
        change: 'settled',
        provider,
        status,
        settlementId: saved.id,
        amountMinor: Number(amountMinor),
        feeMinor: Number(feeMinor),
        settledAt: saved.settledAt?.toISOString() ?? null,
      }),
    )
    return saved
  },
)

/**
 * Saves a settlement from the provider's ledger. Sellers with the same bank account share a sub-account, so each gets
 * the part that came into its own accounts. A failed part does not stop the others. Returns the number of saved parts.
 */
export async function takeSettlement(
  { db, log }: Pick<Runtime, 'db' | 'log'>,
  runner: Runner,
  feed: { readonly provider: CollectionProviderName; readonly mode: Mode },
  settlement: ProviderSettlement,
): Promise<number> {
  const handles = [...new Set(settlement.transfers.map(({ handle }) => handle))]
  const owners = new Map((await listOwnersOfHandles(db, feed, handles)).map((owner) => [owner.handle, owner]))
  const parts = Map.groupBy(settlement.transfers, ({ handle }) => {
    const owner = owners.get(handle)
    return owner && `${owner.organisationId} ${owner.sellerId}`
  })
  let kept = 0
  let failure: unknown
  for (const [key, transfers] of parts) {
    const owner = owners.get(transfers[0]?.handle ?? '')
    if (key === undefined || !owner) continue
    const tenant = { organisationId: owner.organisationId, mode: owner.mode }
    const input = { tenant, sellerId: owner.sellerId, provider: feed.provider, settlement, transfers }
    try {
      await runner.run(recordSettlement, { caller: systemCaller, origin, input })
      kept++
    } catch (error) {
      failure = error
      log.warn('collection.settlement_failed', { ...tenant, reference: settlement.reference, error })
    }
  }
  // All other parts are saved by now, and the caller retries this one.
  if (failure !== undefined) throw failure
  return kept
}
