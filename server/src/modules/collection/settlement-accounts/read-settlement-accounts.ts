import type { TokenCaller } from '../../../kernel/callers.ts'
import type { PageRequest } from '../../../kernel/paging.ts'
import { refuse } from '../../../kernel/refusals.ts'
import { type Outside, reading } from '../../../platform/operations/operation.ts'
import type { SellerId } from '../../sellers/index.ts'
import type { SettledSeller } from './settlement-account.ts'
import { findSettlementAccount, listSettlementAccounts } from './settlement-accounts.store.ts'
import { listSubAccounts } from './sub-accounts.store.ts'

export const listOwnSettlementAccounts = reading(
  { time: 'real', needs: ['collection.read'], refuses: [] },
  async ({ db, caller }: Outside<TokenCaller>, page: PageRequest) => {
    const found = await listSettlementAccounts(db, caller.tenant, page)
    const sellers = found.rows.map(({ sellerId }) => sellerId)
    const subAccounts = Map.groupBy(await listSubAccounts(db, caller.tenant, sellers), ({ sellerId }) => sellerId)
    const rows: SettledSeller[] = found.rows.map((account) => ({
      account,
      subAccounts: subAccounts.get(account.sellerId) ?? [],
    }))
    return { ...found, rows }
  },
)

export const getSettlementAccount = reading(
  { time: 'real', needs: ['collection.read'], refuses: ['resource.not_found'] },
  async ({ db, caller }: Outside<TokenCaller>, { sellerId }: { sellerId: SellerId }): Promise<SettledSeller> => {
    const account = await findSettlementAccount(db, caller.tenant, sellerId)
    if (!account) throw refuse('resource.not_found')
    return { account, subAccounts: await listSubAccounts(db, caller.tenant, [sellerId]) }
  },
)
