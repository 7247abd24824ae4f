import type { Caller } from '../../../kernel/callers.ts'
import { type Refusal, refuse } from '../../../kernel/refusals.ts'
import {
  type CallOutcome,
  exchange,
  type Inside,
  type Outside,
  reading,
} from '../../../platform/operations/operation.ts'
import { listOwners } from '../../organisations/index.ts'
import { findSeller } from '../../sellers/index.ts'
import { keeperOf } from '../providers/asking.ts'
import { askForSubAccount } from './ask-for-sub-account.ts'
import { findSettlementAccount, lockSettlementAccount } from './settlement-accounts.store.ts'
import { aboutSettlement, settlementPayload } from './settlement-event.ts'
import type { SellerSubAccount, SubAccountAnswer } from './sub-account.ts'
import {
  claimSubAccount,
  listSubAccountsDue,
  lockSubAccount,
  type ProviderInMode,
  type SubAccountOfTenant,
  saveSubAccountAnswer,
} from './sub-accounts.store.ts'

interface ConfirmIntent extends SubAccountOfTenant {
  readonly bankCode: string
  readonly accountNumber: string
}

const deadlineMs = 15_000
/** Longer than the call and its result: two workers at once would create two sub-accounts. */
const claimMs = 60_000

/** Asks a provider for a sub-account that is not confirmed: it did not answer, refused, or was configured later. */
export const confirmSubAccount = exchange(
  { time: 'real', needs: [], refuses: ['resource.not_found', 'state.changed'] },
  {
    name: 'confirm-sub-account',
    deadlineMs,
    intend: async ({ tx, now }: Inside<Caller>, of: SubAccountOfTenant): Promise<ConfirmIntent | Refusal> => {
      const { organisationId, mode, sellerId, provider } = of
      const tenant = { organisationId, mode }
      const row = await lockSubAccount(tx, tenant, { sellerId, provider })
      const account = await findSettlementAccount(tx, tenant, sellerId)
      if (!row || !account || row.dueAt === null || row.dueAt > now) return refuse('resource.not_found')
      await claimSubAccount(tx, tenant, { sellerId, provider }, new Date(now.getTime() + claimMs))
      const { bankCode, accountNumber } = account
      return { organisationId, mode, sellerId, provider, bankCode, accountNumber }
    },
    call: async (
      { db, ports, signal }: Outside<Caller> & { signal: AbortSignal },
      intent: ConfirmIntent,
    ): Promise<SubAccountAnswer> => {
      const account = await findSettlementAccount(db, intent, intent.sellerId)
      const seller = await findSeller(db, intent, intent.sellerId)
      // An answer about another bank account than the intended one must never be kept for it.
      if (account && (account.bankCode !== intent.bankCode || account.accountNumber !== intent.accountNumber))
        return { kind: 'pending', reason: 'the settlement account was changed before the provider was asked' }
      const [owner] = await listOwners(db, intent.organisationId)
      const email = seller?.email ?? owner?.email
      if (!account || email === undefined)
        return { kind: 'pending', reason: 'the seller has no email address for the provider' }
      return await askForSubAccount(
        keeperOf(ports, intent, intent.provider),
        { ...account, email },
        { create: true, signal },
      )
    },
    inquire: { none: 'it is asked again when its next try is due, and the provider’s list is looked through first' },
    settle: async (
      { tx, now, emit }: Inside<Caller>,
      { organisationId, mode, sellerId, provider, bankCode, accountNumber }: ConfirmIntent,
      outcome: CallOutcome<SubAccountAnswer>,
    ): Promise<SellerSubAccount | Refusal> => {
      const tenant = { organisationId, mode }
      const key = { sellerId, provider }
      const account = await lockSettlementAccount(tx, tenant, sellerId)
      const before = await lockSubAccount(tx, tenant, key)
      if (!account || !before) return refuse('resource.not_found')
      // The settlement account changed during the call. That change has asked the provider about the new account
      // itself.
      if (account.bankCode !== bankCode || account.accountNumber !== accountNumber) return refuse('state.changed')
      const answer: SubAccountAnswer =
        outcome.kind === 'answered' ? outcome.answer : { kind: 'pending', reason: `${provider} did not answer` }
      if (before.state === 'confirmed' && answer.kind !== 'confirmed') return before
      await saveSubAccountAnswer(tx, tenant, key, account, answer, { now, isNewBankAccount: false })
      if (before.state !== answer.kind)
        emit(
          'collection.settlement_updated',
          aboutSettlement(tenant, account),
          settlementPayload(account, { change: 'sub_account', provider, status: answer.kind }),
        )
      return (await lockSubAccount(tx, tenant, key)) ?? before
    },
  },
)

const most = 100

export const findSubAccountsDue = reading(
  { time: 'real', needs: [], refuses: [] },
  ({ db, now }: Outside<Caller>, providers: readonly ProviderInMode[]) => listSubAccountsDue(db, now, providers, most),
)
