import type { TokenCaller } from '../../kernel/callers.ts'
import type { PageRequest } from '../../kernel/paging.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Outside, reading } from '../../platform/operations/operation.ts'
import { jurisdictionOf } from '../reference/index.ts'
import { findLatestCheck, partyTypes } from '../tax-identities/index.ts'
import type { BuyerId } from './buyer.ts'
import { type BuyerFilter, findBuyer, listBuyers, searchBuyers } from './buyers.store.ts'

const one = { needs: ['buyer.read'], refuses: ['resource.not_found'] } as const

export const getBuyer = reading(one, async ({ db, caller }: Outside<TokenCaller>, { id }: { id: BuyerId }) => {
  const buyer = await findBuyer(db, caller.tenant, id)
  if (!buyer) throw refuse('resource.not_found')
  return buyer
})

export const listOwnBuyers = reading(
  { needs: ['buyer.read'], refuses: [] },
  ({ db, caller }: Outside<TokenCaller>, { filter, page }: { filter: BuyerFilter; page: PageRequest }) =>
    listBuyers(db, caller.tenant, filter, page),
)

export const searchOwnBuyers = reading(
  { needs: ['buyer.read'], refuses: [] },
  ({ db, caller }: Outside<TokenCaller>, { words, limit }: { words: string; limit: number }) =>
    searchBuyers(db, caller.tenant, words, limit),
)

export const getBuyerVerification = reading(
  one,
  async ({ db, caller }: Outside<TokenCaller>, { id }: { id: BuyerId }) => {
    const buyer = await findBuyer(db, caller.tenant, id)
    if (!buyer) throw refuse('resource.not_found')
    const check = await findLatestCheck(db, caller.tenant, 'buyer', id)
    if (!check || check.status === buyer.taxIdStatus) return { buyer, check }
    // The check may have ended after the buyer was read, so that the buyer is read again.
    return { buyer: (await findBuyer(db, caller.tenant, id)) ?? buyer, check }
  },
)

/** Choices for a buyer form. */
export const getBuyerSetup = reading(
  { needs: ['buyer.read'], refuses: ['jurisdiction.unsupported'] },
  async ({ ports, caller }: Outside<TokenCaller>) => {
    const { country, taxIds } = jurisdictionOf(ports, caller)
    return { partyTypes, taxIdTypes: taxIds.types, countries: ports.codeLists.list(country, 'countries').entries }
  },
)
