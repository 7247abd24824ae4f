import type { Caller } from '../../../kernel/callers.ts'
import { type Refusal, refuse } from '../../../kernel/refusals.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import { type CallOutcome, exchange, type Inside, type Outside } from '../../../platform/operations/operation.ts'
import { keeperOf } from '../providers/asking.ts'
import type { CollectionProviderName } from '../providers/collection-provider.ts'
import { CollectionRefusal } from '../providers/provider-refusals.ts'
import { findSubAccount } from '../settlement-accounts/sub-accounts.store.ts'
import { claimPointing, saveNotPointed, savePointed } from './splits.store.ts'
import { isOpen, type VirtualAccountId } from './virtual-account.ts'
import { findAccount, lockAccount } from './virtual-accounts.store.ts'

interface PointIntent extends Tenant {
  readonly accountId: VirtualAccountId
  readonly provider: CollectionProviderName
  readonly handle: string
  readonly code: string
}

type PointAnswer = { readonly kind: 'pointed' } | { readonly kind: 'refused'; readonly reason: string }

const deadlineMs = 15_000
const claimMs = 45_000
const mostReason = 500

/** Sends all future money of an account to the seller's current bank account. Idempotent at the provider. */
export const pointAccount = exchange(
  { time: 'real', needs: [], refuses: ['resource.not_found', 'state.changed'] },
  {
    name: 'point-virtual-account',
    deadlineMs,
    intend: async (
      { tx, now }: Inside<Caller>,
      { organisationId, mode, id }: Tenant & { id: VirtualAccountId },
    ): Promise<PointIntent | Refusal> => {
      const tenant = { organisationId, mode }
      const account = await lockAccount(tx, tenant, id)
      if (!account || !isOpen(account) || account.state !== 'active') return refuse('resource.not_found')
      const { provider, handle, sellerId } = account
      const subAccount = await findSubAccount(tx, tenant, { sellerId, provider })
      if (!subAccount?.code || subAccount.code === account.subAccountCode) return refuse('resource.not_found')
      await claimPointing(tx, tenant, id, new Date(now.getTime() + claimMs))
      return { ...tenant, accountId: id, provider, handle, code: subAccount.code }
    },
    call: async (
      { ports, settings, signal }: Outside<Caller> & { signal: AbortSignal },
      intent: PointIntent,
    ): Promise<PointAnswer> => {
      const split = { subAccount: intent.code, feeBearer: settings.collectionFeeBearer }
      try {
        await keeperOf(ports, intent, intent.provider).pointAccount(intent.handle, split, signal)
        return { kind: 'pointed' }
      } catch (error) {
        if (error instanceof CollectionRefusal) return { kind: 'refused', reason: error.message.slice(0, mostReason) }
        throw error
      }
    },
    inquire: { none: 'telling the provider again does no harm, and the next sweep does' },
    settle: async (
      { tx, now }: Inside<Caller>,
      { organisationId, mode, accountId, provider, code }: PointIntent,
      outcome: CallOutcome<PointAnswer>,
    ): Promise<{ readonly isPointed: boolean } | Refusal> => {
      const tenant = { organisationId, mode }
      if (!(await findAccount(tx, tenant, accountId))) return refuse('resource.not_found')
      if (outcome.kind === 'answered' && outcome.answer.kind === 'pointed') {
        await savePointed(tx, tenant, accountId, code)
        return { isPointed: true }
      }
      const failure =
        outcome.kind === 'unknown' ? `${provider} did not answer` : (outcome.answer as { reason: string }).reason
      await saveNotPointed(tx, tenant, accountId, { failure, now })
      return { isPointed: false }
    },
  },
)
