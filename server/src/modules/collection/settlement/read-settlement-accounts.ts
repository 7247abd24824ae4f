import type { TokenCaller } from '../../../kernel/callers.ts'
import type { PageRequest } from '../../../kernel/paging.ts'
import { refuse } from '../../../kernel/refusals.ts'
import { type Outside, reading } from '../../../platform/operations/operation.ts'
import type { SellerId } from '../../sellers/index.ts'
import { findSettlementAccount, listSettlementAccounts } from './settlement-accounts.store.ts'

export const listOwnSettlementAccounts = reading(
  { needs: ['collection.read'], refuses: [] },
  ({ db, caller }: Outside<TokenCaller>, page: PageRequest) => listSettlementAccounts(db, caller.tenant, page),
)

export const getSettlementAccount = reading(
  { needs: ['collection.read'], refuses: ['resource.not_found'] },
  async ({ db, caller }: Outside<TokenCaller>, { sellerId }: { sellerId: SellerId }) => {
    const account = await findSettlementAccount(db, caller.tenant, sellerId)
    if (!account) throw refuse('resource.not_found')
    return account
  },
)
