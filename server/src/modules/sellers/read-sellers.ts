import type { TokenCaller } from '../../kernel/callers.ts'
import type { PageRequest } from '../../kernel/paging.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Outside, reading } from '../../platform/operations/operation.ts'
import { jurisdictionOf } from '../reference/index.ts'
import { findLatestCheck } from '../tax-identities/index.ts'
import type { SellerId } from './seller.ts'
import { findSeller, listSellers, type SellerFilter } from './sellers.store.ts'

const one = { time: 'real', needs: ['seller.read'], refuses: ['resource.not_found'] } as const

/** `primaryOnly` hides all sellers but the organisation itself. */
export interface SellerRef {
  readonly id: SellerId
  readonly primaryOnly: boolean
}

export const getSeller = reading(one, async ({ db, caller }: Outside<TokenCaller>, { id, primaryOnly }: SellerRef) => {
  const seller = await findSeller(db, caller.tenant, id)
  if (!seller || (primaryOnly && !seller.isPrimary)) throw refuse('resource.not_found')
  return seller
})

export const listOwnSellers = reading(
  { time: 'real', needs: ['seller.read'], refuses: [] },
  ({ db, caller }: Outside<TokenCaller>, { filter, page }: { filter: SellerFilter; page: PageRequest }) =>
    listSellers(db, caller.tenant, filter, page),
)

export const getSellerVerification = reading(
  one,
  async ({ db, caller }: Outside<TokenCaller>, { id, primaryOnly }: SellerRef) => {
    const seller = await findSeller(db, caller.tenant, id)
    if (!seller || (primaryOnly && !seller.isPrimary)) throw refuse('resource.not_found')
    const check = await findLatestCheck(db, caller.tenant, 'seller', id)
    if (!check || check.taxIdNormal !== seller.taxIdNormal) return { seller, check }
    // The check may have ended after the seller was read, so that its status counts.
    return { seller: { ...seller, taxIdStatus: check.status }, check }
  },
)

export const getSellerSetup = reading(
  { time: 'real', needs: ['seller.read'], refuses: ['jurisdiction.unsupported'] },
  async ({ db, ports, caller }: Outside<TokenCaller>) => {
    const { country, taxIds } = jurisdictionOf(ports, caller)
    const { rows } = await listSellers(db, caller.tenant, { primaryOnly: true }, { page: 1, limit: 1 })
    return {
      seller: rows[0],
      taxIdTypes: taxIds.types,
      countries: ports.codeLists.list(country, 'countries').entries,
    }
  },
)
