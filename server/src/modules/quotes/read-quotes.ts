import type { SystemCaller, TokenCaller } from '../../kernel/callers.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import { refuse } from '../../kernel/refusals.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { type Outside, reading } from '../../platform/operations/operation.ts'
import type { Quote, QuoteId, QuoteSummary, QuoteVersion, VersionSummary } from './quote.ts'
import {
  findQuote,
  findVersion,
  listExpiredQuotes,
  listQuotes,
  listTenantsWithExpiredQuotes,
  listVersions,
  lockQuote,
  type QuoteFilter,
} from './quotes.store.ts'

export interface QuoteRef {
  readonly id: QuoteId
}

export async function getOwnQuote(db: Queryable, tenant: Tenant, id: QuoteId, now: Date): Promise<Quote> {
  const found = await findQuote(db, tenant, id, now)
  if (!found) throw refuse('resource.not_found')
  return found
}

export async function lockOwnQuote(tx: Tx, tenant: Tenant, id: QuoteId, now: Date): Promise<Quote> {
  const found = await lockQuote(tx, tenant, id, now)
  if (!found) throw refuse('resource.not_found')
  return found
}

const readFacts = { needs: ['invoice.read'], refuses: ['resource.not_found'] } as const

export const getQuote = reading(
  readFacts,
  ({ db, caller, now }: Outside<TokenCaller>, { id }: QuoteRef): Promise<Quote> =>
    getOwnQuote(db, caller.tenant, id, now),
)

export const listOwnQuotes = reading(
  { needs: ['invoice.read'], refuses: [] },
  (
    { db, caller, now }: Outside<TokenCaller>,
    { page, ...filter }: QuoteFilter & { readonly page: PageRequest },
  ): Promise<Page<QuoteSummary>> => listQuotes(db, caller.tenant, filter, page, now),
)

export const listQuoteVersions = reading(
  readFacts,
  async (
    { db, caller, now }: Outside<TokenCaller>,
    { id, page }: QuoteRef & { readonly page: PageRequest },
  ): Promise<Page<VersionSummary>> => {
    await getOwnQuote(db, caller.tenant, id, now)
    return await listVersions(db, caller.tenant, id, page)
  },
)

export const getQuoteVersion = reading(
  readFacts,
  async (
    { db, caller }: Outside<TokenCaller>,
    { id, versionNumber }: QuoteRef & { readonly versionNumber: number },
  ): Promise<QuoteVersion> => {
    const found = await findVersion(db, caller.tenant, id, versionNumber)
    if (!found) throw refuse('resource.not_found')
    return found
  },
)

const ours = { needs: [], refuses: [] } as const
const tenantsAtOnce = 1_000
/** A second or two of work, so that other organisations do not wait long for their turn. */
const quotesAtOnce = 100

export const findTenantsWithExpiredQuotes = reading(
  ours,
  ({ db, realNow: now }: Outside<SystemCaller>, after: Tenant | undefined): Promise<readonly Tenant[]> =>
    listTenantsWithExpiredQuotes(db, after, now, tenantsAtOnce),
)

export const readExpiredQuotes = reading(
  ours,
  ({ db, now }: Outside<SystemCaller>, tenant: Tenant): Promise<readonly QuoteId[]> =>
    listExpiredQuotes(db, tenant, now, quotesAtOnce),
)
