import type { TokenCaller } from '../../kernel/callers.ts'
import type { PageRequest } from '../../kernel/paging.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Outside, reading } from '../../platform/operations/operation.ts'
import type { ItemId } from './item.ts'
import { findItem, type ItemFilter, type ItemSort, listItems } from './items.store.ts'

export const getItem = reading(
  { needs: ['item.read'], refuses: ['resource.not_found'] },
  async ({ db, caller }: Outside<TokenCaller>, { id }: { id: ItemId }) => {
    const item = await findItem(db, caller.tenant, id)
    if (!item) throw refuse('resource.not_found')
    return item
  },
)

export const listOwnItems = reading(
  { needs: ['item.read'], refuses: [] },
  (
    { db, caller }: Outside<TokenCaller>,
    { filter, sort, page }: { filter: ItemFilter; sort: ItemSort; page: PageRequest },
  ) => listItems(db, caller.tenant, filter, sort, page),
)
