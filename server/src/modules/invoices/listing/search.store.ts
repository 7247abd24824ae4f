import { searchText } from '../../../kernel/search-text.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import { literalLike, type Sql, sql } from '../../../platform/database/sql.ts'
import { matchesTenantText } from '../../../platform/database/text-search.store.ts'
import { keptCounts, listed, listedAs, within } from './filter-parts.store.ts'
import { countedPrefix, countedWithParty } from './kept-counts.ts'
import { partyId } from './listing-columns.store.ts'

export interface SearchWords {
  /** the search text as a prefix of numbers */
  readonly prefix: string
  /** the search text inside names and tax numbers */
  readonly words: string
}

export function searchWords(search: string | undefined): SearchWords | undefined {
  const words = searchText(search ?? '')
  return words === '' ? undefined : { prefix: (search ?? '').trim().toUpperCase(), words }
}

/**
 * A name on a document that the follower has not processed yet. Code outside the database checks whether the name
 * matches.
 */
export interface UnmetParty {
  readonly id: string
  readonly name: string
  readonly taxId: string | null
}

const lastLetter = String.fromCodePoint(0x10ffff)
const begins = (column: Sql, prefix: string): Sql =>
  sql`(${column} >= ${prefix} and ${column} < ${prefix + lastLetter})`
const byNumber = ({ prefix }: SearchWords): Sql => begins(sql`l.number_key`, prefix)
const byReference = ({ prefix }: SearchWords): Sql => begins(sql`l.reference_key`, prefix)

/** The query `parties`: matching buyers. Drafts use the current buyer, by its own names only. */
export function partiesOf(tenant: Tenant, { words }: SearchWords, unmet: readonly string[]): Sql {
  const pattern = `%${literalLike(words)}%`
  const hasWords = [...words].length >= 3 ? matchesTenantText(tenant, words) : sql`search like ${pattern}`
  const isNamed = sql`
    (split_part(search, E'\n', 1) like ${pattern} or lower(tax_id) like ${pattern} or lower(tax_id_normal) like ${pattern})`
  return sql`
    select p.id from invoice_parties p where ${within(tenant, sql`p`)} and ${hasWords}
    union select b.id from buyers b where ${within(tenant, sql`b`)} and b.archived_at is null and ${hasWords} and ${isNamed}
    union select b.id from buyers b where ${within(tenant, sql`b`)} and b.archived_at is not null and ${isNamed}
    union select unnest(${unmet}::uuid[])`
}

/** The query `unmet`: names on fresh documents that are in no dictionary and were not checked yet. */
export const unmetParties = (tenant: Tenant, known: readonly string[]): Sql => sql`
  select distinct ${partyId} as id, i.buyer_copy ->> 'name' as name, i.buyer_copy ->> 'taxId' as "taxId"
    from fresh cross join lateral (select i.* from invoices i where ${within(tenant, sql`i`)} and i.id = fresh.id offset 0) as i
   where i.buyer_copy is not null and ${partyId} <> all (${known}::uuid[])
     and not exists (select 1 from invoice_parties p where ${within(tenant, sql`p`)} and p.id = ${partyId})`

/** The condition that a row matches; needs the query `parties` before it. */
export const fits = (words: SearchWords): Sql =>
  sql`(${byNumber(words)} or ${byReference(words)} or l.party_id in (select id from parties))`

const numbered = (tenant: Tenant, words: SearchWords): Sql =>
  sql`select l.id from ${listed(tenant)} and ${byNumber(words)} union select l.id from ${listed(tenant)} and ${byReference(words)}`

/** A tab separates the parts of a key, so words with a tab are not in the counts. */
export const isCounted = ({ prefix }: SearchWords): boolean =>
  [...prefix].length <= countedPrefix && !prefix.includes('\t')

/** A query of `week` and `n` of rows with this prefix; rows that match only by authority reference are kept separately. */
const keptNumbered = (tenant: Tenant, { prefix }: SearchWords): Sql => sql`
  select c.week, c.n from ${keptCounts(tenant, 'number')} and ${begins(sql`c.key`, prefix)}
  union all
  select c.week, c.n from ${keptCounts(tenant, 'reference')} and ${begins(sql`c.key`, prefix)} and not ${begins(sql`split_part(c.key, E'\t', 2)`, prefix)}`

export const countNumbered = (tenant: Tenant, words: SearchWords): Sql =>
  isCounted(words)
    ? sql`(select coalesce(sum(n), 0) from (${keptNumbered(tenant, words)}) as kept)`
    : sql`(select count(*) from (${numbered(tenant, words)}) as numbered)`

export const weeksNumbered = keptNumbered

const keptOf = (tenant: Tenant, parties: Sql): Sql => sql`
  (select coalesce(sum(c.n), 0) from (${parties}) as p cross join lateral (
     select c.n from ${keptCounts(tenant, 'party')} and c.key = p.id::text offset 0) as c)`

export const countNamed = (tenant: Tenant): Sql => keptOf(tenant, sql`select id from parties`)

/** An estimate from a few of the parties. */
export const guessNamed = (tenant: Tenant): Sql => sql`
  (${keptOf(tenant, sql`select id from parties limit 50`)} * greatest(1, (select count(*) / 50.0 from parties)))`

/** Rows that match by number and by name: kept for short words, else counted from the smaller side. */
export function countBoth(tenant: Tenant, words: SearchWords, fewerNumbered: boolean): Sql {
  if (isCounted(words) && [...words.prefix].length <= countedWithParty) {
    const { prefix } = words
    const ofParty = sql`c.key >= parties.id || ':' || ${prefix} and c.key < parties.id || ':' || ${prefix + lastLetter}`
    const like = sql`${keptCounts(tenant, 'party_number')} and ${ofParty}`
    const unlike = sql`${keptCounts(tenant, 'party_reference')} and ${ofParty} and not ${begins(sql`split_part(c.key, E'\t', 2)`, prefix)}`
    return sql`
      (select coalesce(sum(c.n), 0) from parties cross join lateral (
         (select c.n from ${like} offset 0) union all (select c.n from ${unlike} offset 0)) as c)`
  }
  return fewerNumbered
    ? sql`
      (select count(*) from (${numbered(tenant, words)}) as numbered cross join lateral (${listedAs(tenant, sql`numbered.id`)}) as l where l.party_id in (select id from parties))`
    : sql`
      (select count(*) from parties cross join lateral (
         select l.number_key, l.reference_key from ${listed(tenant)} and l.party_id = parties.id offset 0) as l where ${byNumber(words)} or ${byReference(words)})`
}

/** Matching rows through the indexes; of each party at most the limit, in this order. */
export const rowsThatFit = (tenant: Tenant, words: SearchWords, columns: Sql, further: Sql, best: Sql): Sql => sql`
  select ${columns} from ${listed(tenant)} and ${byNumber(words)} and ${further}
  union select ${columns} from ${listed(tenant)} and ${byReference(words)} and ${further}
  union select named.* from parties cross join lateral (
    select ${columns} from ${listed(tenant)} and l.party_id = parties.id and ${further} ${best}) as named`
