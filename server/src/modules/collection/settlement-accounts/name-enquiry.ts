import type { TokenCaller } from '../../../kernel/callers.ts'
import { mapped, type Page, type PageRequest, pageOfArray } from '../../../kernel/paging.ts'
import { invalid, refuse } from '../../../kernel/refusals.ts'
import { type Outside, reading } from '../../../platform/operations/operation.ts'
import { asking, bankWith, inTime, routeTo } from '../providers/asking.ts'
import type { Bank } from '../providers/bank.ts'
import type { AccountHolder, CollectionProvider, CollectionProviderName } from '../providers/collection-provider.ts'

export interface HolderRequest {
  readonly bankCode: string
  readonly accountNumber: string
  readonly jurisdiction: string
}

/** Asks the bank for the account holder. */
export async function holderOf(
  provider: CollectionProvider,
  { bankCode, accountNumber }: Pick<HolderRequest, 'bankCode' | 'accountNumber'>,
): Promise<AccountHolder> {
  const bank = bankWith(await asking(() => provider.banks(inTime())), bankCode)
  if (!bank)
    throw invalid([{ path: 'bankCode', rule: 'bank', message: 'must be the code of a bank in the list of banks' }])
  const holder = await asking(() => provider.findHolder({ bank, accountNumber }, inTime()))
  if (!holder) throw refuse('collection.account_unknown')
  return holder
}

export interface ResolvedAccount extends AccountHolder {
  readonly accountNumber: string
}

/** Bank accounts are in the currency of their country. */
const homeOf = ({ jurisdictions }: Outside<TokenCaller>['ports'], jurisdiction: string) => ({
  jurisdiction,
  currency: jurisdictions.of(jurisdiction)?.currency ?? '',
})

/** Stores nothing. */
export const resolveSettlementAccount = reading(
  {
    time: 'real',
    needs: ['collection.read'],
    refuses: [
      'request.invalid',
      'collection.not_routed',
      'collection.account_unknown',
      'collection.provider_away',
      'collection.provider_refused',
    ],
  },
  async ({ ports, caller }: Outside<TokenCaller>, asked: HolderRequest): Promise<ResolvedAccount> => {
    const provider = routeTo(ports, { ...homeOf(ports, asked.jurisdiction), mode: caller.tenant.mode })
    return { ...(await holderOf(provider, asked)), accountNumber: asked.accountNumber }
  },
)

export const listBanks = reading(
  {
    time: 'real',
    needs: ['collection.read'],
    refuses: ['collection.not_routed', 'collection.provider_away', 'collection.provider_refused'],
  },
  async (
    { ports, caller }: Outside<TokenCaller>,
    asked: { jurisdiction: string; provider?: CollectionProviderName | undefined; page: PageRequest },
  ): Promise<Page<Bank & { readonly provider: CollectionProviderName }>> => {
    const { jurisdiction, provider: preferred, page } = asked
    const provider = routeTo(ports, { ...homeOf(ports, jurisdiction), mode: caller.tenant.mode, preferred })
    const banks = (await asking(() => provider.banks(inTime()))).toSorted((a, b) => (a.name < b.name ? -1 : 1))
    return mapped(pageOfArray(banks, page), (bank) => ({ ...bank, provider: provider.name }))
  },
)
