import type { TokenCaller } from '../../../kernel/callers.ts'
import { requireFreshSignIn } from '../../../kernel/fresh-sign-in.ts'
import { newId } from '../../../kernel/ids.ts'
import { mapped, type Page, type PageRequest, pageOfArray } from '../../../kernel/paging.ts'
import { invalid, refuse } from '../../../kernel/refusals.ts'
import { type Inside, type Outside, preparedOperation, reading } from '../../../platform/operations/operation.ts'
import { findSeller, holdSeller, type SellerId } from '../../sellers/index.ts'
import { asking, bankWith, inTime, routeTo } from '../providers/asking.ts'
import type {
  AccountHolder,
  Bank,
  CollectionProvider,
  CollectionProviderName,
} from '../providers/collection-provider.ts'
import type { SettlementAccount } from './settlement-account.ts'
import { lockSettlementAccount, saveSettlementAccount } from './settlement-accounts.store.ts'
import { tellOfNewSettlement } from './settlement-letter.ts'

export interface AskedHolder {
  readonly bankCode: string
  readonly accountNumber: string
  readonly jurisdiction: string
}

/** Asks the bank whose account it is. */
async function holderOf(
  provider: CollectionProvider,
  { bankCode, accountNumber }: Pick<AskedHolder, 'bankCode' | 'accountNumber'>,
): Promise<AccountHolder> {
  const bank = bankWith(await asking(() => provider.banks(inTime())), bankCode)
  if (!bank)
    throw invalid([{ path: 'bankCode', rule: 'bank', message: 'is the code of no bank; GET …/banks lists them' }])
  const holder = await asking(() => provider.findHolder({ bank, accountNumber }, inTime()))
  if (!holder) throw refuse('collection.account_unknown')
  return holder
}

export interface ResolvedAccount extends AccountHolder {
  readonly accountNumber: string
}

/** Name enquiry: nothing is stored. */
export const resolveSettlementAccount = reading(
  {
    needs: ['collection.read'],
    refuses: [
      'request.invalid',
      'collection.not_routed',
      'collection.account_unknown',
      'collection.provider_away',
      'collection.provider_refused',
    ],
  },
  async ({ ports, caller }: Outside<TokenCaller>, asked: AskedHolder): Promise<ResolvedAccount> => {
    const provider = routeTo(ports, { jurisdiction: asked.jurisdiction, currency: 'NGN', mode: caller.tenant.mode })
    return { ...(await holderOf(provider, asked)), accountNumber: asked.accountNumber }
  },
)

export interface AskedSettlement extends AskedHolder {
  readonly sellerId: SellerId
  readonly currency: string
  readonly sellerName?: string | undefined
  readonly sellerType?: string | undefined
}

const whereTo = ({ bankCode, accountNumber }: Pick<SettlementAccount, 'bankCode' | 'accountNumber'>): string =>
  `${bankCode} ${accountNumber}`

/**
 * Says where a seller's money goes, in place of where it went before. The bank is asked whose account it is. Somebody else's session
 * must not lead the money elsewhere, nor anybody do so quietly.
 */
export const registerSettlementAccount = preparedOperation(
  {
    needs: ['collection.manage'],
    refuses: [
      'resource.not_found',
      'auth.sign_in_too_old',
      'request.invalid',
      'collection.not_routed',
      'collection.account_unknown',
      'collection.provider_away',
      'collection.provider_refused',
    ],
  },
  async ({ db, ports, caller }: Outside<TokenCaller>, asked: AskedSettlement) => {
    const { jurisdiction, currency } = asked
    if (!(await findSeller(db, caller.tenant, asked.sellerId))) throw refuse('resource.not_found')
    const provider = routeTo(ports, { jurisdiction, currency, mode: caller.tenant.mode })
    return { provider: provider.name, ...(await holderOf(provider, asked)) }
  },
  async (context: Inside<TokenCaller>, asked, { provider, accountName, bank }) => {
    const { tx, caller, now, emit } = context
    const { tenant } = caller
    const seller = await holdSeller(tx, tenant.organisationId, asked.sellerId)
    if (!seller) throw refuse('resource.not_found')
    const before = await lockSettlementAccount(tx, tenant, asked.sellerId)
    const goesElsewhere =
      !before || whereTo(before) !== whereTo({ bankCode: bank.code, accountNumber: asked.accountNumber })
    if (goesElsewhere && caller.kind === 'user') requireFreshSignIn(caller, now)
    const saved = await saveSettlementAccount(tx, tenant, {
      id: newId(),
      sellerId: asked.sellerId,
      provider,
      jurisdiction: asked.jurisdiction,
      currency: asked.currency,
      bankCode: bank.code,
      bankNipCode: bank.nipCode,
      bankName: bank.name,
      accountNumber: asked.accountNumber,
      accountName,
      sellerName: asked.sellerName ?? seller.name,
      sellerType: asked.sellerType ?? seller.partyType,
      createdAt: now,
      updatedAt: now,
    })
    if (goesElsewhere) await tellOfNewSettlement(context, before, saved)
    emit(
      'collection.settlement_updated',
      { ...tenant, objectId: saved.id },
      {
        sellerId: saved.sellerId,
        bankCode: saved.bankCode,
        bankName: saved.bankName,
        accountEnding: saved.accountNumber.slice(-4),
        currency: saved.currency,
      },
    )
    return saved
  },
)

/** Banks that money can be settled to, by name. */
export const listBanks = reading(
  {
    needs: ['collection.read'],
    refuses: ['collection.not_routed', 'collection.provider_away', 'collection.provider_refused'],
  },
  async (
    { ports, caller }: Outside<TokenCaller>,
    asked: { jurisdiction: string; provider?: CollectionProviderName | undefined; page: PageRequest },
  ): Promise<Page<Bank & { readonly provider: CollectionProviderName }>> => {
    const { jurisdiction, provider: preferred, page } = asked
    const provider = routeTo(ports, { jurisdiction, currency: 'NGN', mode: caller.tenant.mode, preferred })
    const banks = (await asking(() => provider.banks(inTime()))).toSorted((a, b) => (a.name < b.name ? -1 : 1))
    return mapped(pageOfArray(banks, page), (bank) => ({ ...bank, provider: provider.name }))
  },
)
