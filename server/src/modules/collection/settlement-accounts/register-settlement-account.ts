import type { Caller, TokenCaller } from '../../../kernel/callers.ts'
import { requireFreshSignIn } from '../../../kernel/fresh-sign-in.ts'
import { newId } from '../../../kernel/ids.ts'
import { type Fault, Refusal, type RefusalName, refuse } from '../../../kernel/refusals.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import { type CallOutcome, exchange, type Inside, type Outside } from '../../../platform/operations/operation.ts'
import { listOwners } from '../../organisations/index.ts'
import { findSeller, lockSeller, type SellerId } from '../../sellers/index.ts'
import { providerAway, routeTo } from '../providers/asking.ts'
import type { AccountHolder, CollectionProvider, CollectionProviderName } from '../providers/collection-provider.ts'
import { askForSubAccount } from './ask-for-sub-account.ts'
import { type HolderRequest, holderOf } from './name-enquiry.ts'
import type { SettledSeller, SettlementAccount } from './settlement-account.ts'
import { findSettlementAccount, lockSettlementAccount, saveSettlementAccount } from './settlement-accounts.store.ts'
import { aboutSettlement, settlementPayload } from './settlement-event.ts'
import { inPerson, mailNewSettlement } from './settlement-mail.ts'
import type { SubAccountAnswer } from './sub-account.ts'
import { listSubAccounts, saveSubAccountAnswer } from './sub-accounts.store.ts'

export interface SettlementAccountInput extends HolderRequest {
  readonly sellerId: SellerId
  readonly currency: string
  readonly sellerName?: string | undefined
  readonly sellerType?: string | undefined
}

interface RegisterIntent extends Tenant {
  readonly asked: SettlementAccountInput
  /** The version of the settlement account that the caller wants to change. */
  readonly before: string | null
  /** Who changes it, for the mail to the owners. */
  readonly changedBy: string
  readonly address: string
}

interface StoredRefusal {
  readonly name: RefusalName
  readonly message: string
  readonly details?: readonly Fault[] | undefined
  readonly retryAfterSeconds?: number | undefined
}

type RegisterAnswer =
  | { readonly kind: 'refused'; readonly refusal: StoredRefusal }
  | {
      readonly kind: 'found'
      readonly provider: CollectionProviderName
      readonly holder: AccountHolder
      readonly subAccounts: readonly { readonly provider: CollectionProviderName; readonly answer: SubAccountAnswer }[]
    }

type BankAccount = Pick<HolderRequest, 'bankCode' | 'accountNumber'>

/** Compares both bank codes. */
const isSameBankAccount = (known: SettlementAccount, asked: BankAccount): boolean =>
  known.accountNumber === asked.accountNumber && [known.bankCode, known.bankNetworkCode].includes(asked.bankCode)

/** Includes the seller's name and kind, which buyers see. */
const changesNothing = (known: SettlementAccount, asked: SettlementAccountInput): boolean =>
  isSameBankAccount(known, asked) &&
  known.jurisdiction === asked.jurisdiction &&
  known.currency === asked.currency &&
  [undefined, known.sellerName].includes(asked.sellerName) &&
  [undefined, known.sellerType].includes(asked.sellerType)

const versionOf = (account: SettlementAccount | undefined): string | null => account?.updatedAt.toISOString() ?? null

const servesPlace = (
  { country, mode, currencies }: CollectionProvider,
  { jurisdiction, currency }: Pick<SettlementAccountInput, 'jurisdiction' | 'currency'>,
  tenant: Tenant,
): boolean => country === jurisdiction && mode === tenant.mode && currencies.includes(currency)

/** Asks the bank for the holder, then all providers in parallel for a sub-account. */
async function ask(
  { db, ports, signal }: Outside<Caller> & { signal: AbortSignal },
  { organisationId, mode, asked }: RegisterIntent,
  create: boolean,
): Promise<RegisterAnswer> {
  const tenant = { organisationId, mode }
  const { jurisdiction, currency } = asked
  try {
    const seller = await findSeller(db, tenant, asked.sellerId)
    const [owner] = await listOwners(db, organisationId)
    if (!seller || !owner) throw refuse('resource.not_found')
    const provider = routeTo(ports, { jurisdiction, currency, mode })
    const holder = await holderOf(provider, asked)
    const to = {
      bankCode: holder.bank.code,
      bankNetworkCode: holder.bank.networkCode,
      bankName: holder.bank.name,
      accountNumber: asked.accountNumber,
      currency,
      sellerName: asked.sellerName ?? seller.name,
      email: seller.email ?? owner.email,
    }
    const inUse = ports.collectionProviders.all.filter((one) => servesPlace(one, asked, tenant))
    const subAccounts = await Promise.all(
      inUse.map(async (one) => ({
        provider: one.name,
        answer: await askForSubAccount(one, to, { create, signal }),
      })),
    )
    return { kind: 'found', provider: provider.name, holder, subAccounts }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { refusal: name, message, details, retryAfterSeconds } = error
    return { kind: 'refused', refusal: { name, message, details, retryAfterSeconds } }
  }
}

/**
 * Registers or replaces a seller's settlement account. The bank names the holder, and every provider in use creates a
 * sub-account that takes all money of the seller's virtual accounts. Redirecting money needs a user with a recent
 * sign-in: an API key or an old session cannot do it.
 */
export const registerSettlementAccount = exchange(
  {
    time: 'real',
    needs: ['collection.manage'],
    refuses: [
      'resource.not_found',
      'auth.users_only',
      'auth.sign_in_too_old',
      'request.invalid',
      'state.changed',
      'collection.not_routed',
      'collection.account_unknown',
      'collection.provider_away',
      'collection.provider_refused',
    ],
  },
  {
    name: 'register-settlement-account',
    deadlineMs: 25_000,
    intend: async (
      { tx, caller, ports, origin, now }: Inside<TokenCaller>,
      asked: SettlementAccountInput,
    ): Promise<RegisterIntent | Refusal> => {
      const { tenant } = caller
      if (!(await findSeller(tx, tenant, asked.sellerId))) throw refuse('resource.not_found')
      routeTo(ports, { jurisdiction: asked.jurisdiction, currency: asked.currency, mode: tenant.mode })
      const before = await findSettlementAccount(tx, tenant, asked.sellerId)
      if (caller.kind !== 'user' && !(before && changesNothing(before, asked)))
        throw refuse('auth.users_only', {
          message: 'An API key cannot change a settlement account. Sign in as a user and change it.',
        })
      if (caller.kind === 'user' && !(before && isSameBankAccount(before, asked))) requireFreshSignIn(caller, now)
      return {
        ...tenant,
        asked,
        before: versionOf(before),
        changedBy: inPerson(caller),
        address: origin.address,
      }
    },
    call: (context: Outside<Caller> & { signal: AbortSignal }, intent: RegisterIntent) => ask(context, intent, true),
    inquire: (context: Outside<Caller> & { signal: AbortSignal }, intent: RegisterIntent) =>
      ask(context, intent, false),
    settle: async (
      context: Inside<Caller>,
      intent: RegisterIntent,
      outcome: CallOutcome<RegisterAnswer>,
    ): Promise<SettledSeller | Refusal> => {
      const { tx, now, emit } = context
      const { organisationId, mode, asked } = intent
      const tenant = { organisationId, mode }
      if (outcome.kind === 'unknown') return providerAway()
      const { answer } = outcome
      if (answer.kind === 'refused') {
        const { name, message, details } = answer.refusal
        if (name === 'collection.provider_away') return providerAway()
        return refuse(name, { message, ...(details ? { details } : {}) })
      }
      // Before the first registration there is no row to lock, and two concurrent requests would both find none. So the
      // seller is locked.
      const seller = await lockSeller(tx, organisationId, asked.sellerId)
      if (!seller) return refuse('resource.not_found')
      const before = await lockSettlementAccount(tx, tenant, asked.sellerId)
      // The account changed since the request was authorised, so the caller would overwrite something unseen.
      const isAsked = before !== undefined && isSameBankAccount(before, asked)
      if (versionOf(before) !== intent.before && !isAsked) return refuse('state.changed')
      const { accountName, bank } = answer.holder
      const isNewBankAccount = !isAsked
      const saved = await saveSettlementAccount(tx, tenant, {
        id: newId(),
        sellerId: asked.sellerId,
        provider: answer.provider,
        jurisdiction: asked.jurisdiction,
        currency: asked.currency,
        bankCode: bank.code,
        bankNetworkCode: bank.networkCode,
        bankName: bank.name,
        accountNumber: asked.accountNumber,
        accountName,
        sellerName: asked.sellerName ?? seller.name,
        sellerType: asked.sellerType ?? seller.partyType,
        createdAt: now,
        updatedAt: now,
      })
      for (const { provider, answer: subAccountAnswer } of answer.subAccounts)
        await saveSubAccountAnswer(tx, tenant, { sellerId: saved.sellerId, provider }, saved, subAccountAnswer, {
          now,
          isNewBankAccount,
        })
      if (isNewBankAccount) await mailNewSettlement(context, intent, before, saved)
      emit(
        'collection.settlement_updated',
        aboutSettlement(tenant, saved),
        settlementPayload(saved, { change: 'account', provider: null, status: null }),
      )
      return { account: saved, subAccounts: await listSubAccounts(tx, tenant, [saved.sellerId]) }
    },
  },
)
