import { refuse } from '../../kernel/refusals.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { findBuyer } from '../buyers/index.ts'
import { documentContents } from '../invoices/index.ts'
import { findSeller } from '../sellers/index.ts'
import type { QuoteVersion } from './quote.ts'

export type CopiedParties = Pick<QuoteVersion, 'sellerCopy' | 'buyerCopy' | 'buyerName'>

/** The current parties; null for a missing one. */
export async function partiesNow(
  db: Queryable,
  tenant: Tenant,
  { sellerId, buyerId }: Pick<QuoteVersion, 'sellerId' | 'buyerId'>,
): Promise<CopiedParties> {
  const seller = sellerId === null ? undefined : await findSeller(db, tenant, sellerId)
  const buyer = buyerId === null ? undefined : await findBuyer(db, tenant, buyerId)
  return {
    sellerCopy: seller ? documentContents.sellerParty(seller) : null,
    buyerCopy: buyer ? documentContents.buyerParty(buyer) : null,
    buyerName: buyer?.name ?? null,
  }
}

/** Copies for a version that the buyer sees: later edits of the parties do not change it. */
export async function copiedParties(
  db: Queryable,
  tenant: Tenant,
  version: Pick<QuoteVersion, 'sellerId' | 'buyerId'>,
): Promise<CopiedParties> {
  const parties = await partiesNow(db, tenant, version)
  const lacks = [
    ...(parties.sellerCopy ? [] : [{ path: 'sellerId', rule: 'required', message: 'is required to send a quote' }]),
    ...(parties.buyerCopy ? [] : [{ path: 'buyerId', rule: 'required', message: 'is required to send a quote' }]),
  ]
  if (lacks.length > 0) throw refuse('quote.send.incomplete', { details: lacks })
  return parties
}
