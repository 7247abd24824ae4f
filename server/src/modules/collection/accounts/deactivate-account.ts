import type { Caller, TokenCaller } from '../../../kernel/callers.ts'
import { type Refusal, refuse } from '../../../kernel/refusals.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import { type CallOutcome, exchange, type Inside, type Outside } from '../../../platform/operations/operation.ts'
import { keeperOf, providerAway, refusedBy } from '../providers/asking.ts'
import type { CollectionProviderName } from '../providers/collection-provider.ts'
import { CollectionRefusal } from '../providers/provider-refusals.ts'
import { type AccountNow, accountPayload, isOpen, type VirtualAccountId } from './virtual-account.ts'
import { findAccount, lockAccount, saveDeactivated } from './virtual-accounts.store.ts'

interface CloseIntent extends Tenant {
  readonly accountId: VirtualAccountId
  readonly provider: CollectionProviderName
  readonly handle: string
  readonly reason: string | null
  readonly isDone: boolean
}

type CloseAnswer = { readonly kind: 'closed' } | { readonly kind: 'refused'; readonly reason: string }

/** Closes the account at the provider first, then here. Idempotent. */
export const deactivateAccount = exchange(
  {
    needs: ['collection.manage'],
    refuses: ['resource.not_found', 'state.changed', 'collection.provider_away', 'collection.provider_refused'],
  },
  {
    name: 'deactivate-virtual-account',
    deadlineMs: 15_000,
    intend: async (
      { tx, caller }: Inside<TokenCaller>,
      { id, reason }: { id: VirtualAccountId; reason: string | null },
    ): Promise<CloseIntent | Refusal> => {
      const account = await findAccount(tx, caller.tenant, id)
      if (!account) throw refuse('resource.not_found')
      const { provider, handle, state } = account
      return { ...caller.tenant, accountId: id, provider, handle, reason, isDone: state === 'deactivated' }
    },
    call: async (context: Outside<Caller> & { signal: AbortSignal }, intent: CloseIntent): Promise<CloseAnswer> => {
      if (intent.isDone) return { kind: 'closed' }
      try {
        await keeperOf(context.ports, intent, intent.provider).closeAccount(intent.handle, context.signal)
        return { kind: 'closed' }
      } catch (error) {
        if (error instanceof CollectionRefusal) return { kind: 'refused', reason: error.message }
        throw error
      }
    },
    inquire: async (context: Outside<Caller> & { signal: AbortSignal }, intent: CloseIntent): Promise<CloseAnswer> => {
      const account = await keeperOf(context.ports, intent, intent.provider).findAccount(intent.handle, context.signal)
      if (account?.status !== 'closed') throw new Error('the account is still open')
      return { kind: 'closed' }
    },
    settle: async (
      { tx, emit, now }: Inside<Caller>,
      { organisationId, mode, accountId, reason }: CloseIntent,
      outcome: CallOutcome<CloseAnswer>,
    ): Promise<AccountNow | Refusal> => {
      const tenant = { organisationId, mode }
      if (outcome.kind === 'unknown') return providerAway()
      if (outcome.answer.kind === 'refused') return refusedBy(outcome.answer.reason)
      const before = await lockAccount(tx, tenant, accountId)
      if (!before || !isOpen(before)) return refuse('state.changed')
      if (before.state === 'deactivated') return { account: before, now }
      const account = await saveDeactivated(tx, tenant, accountId, { reason, now })
      emit(
        'collection.account_deactivated',
        { ...tenant, objectId: account.id },
        { ...accountPayload(account), reason },
      )
      return { account, now }
    },
  },
)
