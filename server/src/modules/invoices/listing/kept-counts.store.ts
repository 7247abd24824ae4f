import { type Sql, sql } from '../../../platform/database/sql.ts'
import { creatorTypes, facets, lowMaskOf } from './facets.ts'
import { weekOf } from './listing-columns.store.ts'

/** How numbers begin is counted up to this many characters; longer beginnings fit few enough to be counted when asked for. */
export const countedPrefix = 6
/** Up to this many also among the documents of each buyer: words as short match both numbers and names. */
export const countedWithParty = 3

/** Amounts are counted by their first three digits: `08150` for all of eight digits that begin with 150. */
export const amountBucket = (amount: bigint): string => {
  const digits = String(amount)
  return `${String(digits.length).padStart(2, '0')}${digits.slice(0, 3)}`
}

/** The smallest and the largest amount that are counted together with this one. */
export function bucketEnds(amount: bigint): { readonly first: bigint; readonly last: bigint } {
  const digits = String(amount)
  const width = 10n ** BigInt(Math.max(0, digits.length - 3))
  const first = (amount / width) * width
  return { first, last: first + width - 1n }
}

const bucket = sql`lpad(length(l.payable_minor::text)::text, 2, '0') || left(l.payable_minor::text, 3)`
const creator = sql`
  (${creatorTypes}::text[])[((l.facets >> ${facets.creator.shift}::int) & ${lowMaskOf('creator')}::int) + 1] || ':' || l.created_by`
const openDue = sql`case when (l.facets >> ${facets.open.shift}::int) & ${lowMaskOf('open')}::int = 1 then l.due_date::text end`

const beginning = (column: Sql, size: number): Sql => sql`left(${column}, ${size}::int)`
/** How an IRN begins, and after a tab the number: only where the two begin differently. */
const unlike = (size: number): Sql => sql`
  case when ${beginning(sql`l.irn_key`, size)} <> ${beginning(sql`l.number_key`, size)}
       then ${beginning(sql`l.irn_key`, size)} || E'\t' || ${beginning(sql`l.number_key`, size)} end`

/** Everything that a row of the listing, `l`, is counted under: kind, key and week. */
export const countedUnder = sql`
  cross join lateral (select ${weekOf(sql`l.created_at`)} as created) as w
  cross join lateral (
    values ('all', '', w.created), ('facets', l.facets::text, 0), ('buyer', l.buyer_id::text, 0), ('seller', l.seller_id::text, 0),
           ('creator', ${creator}, 0), ('party', l.party_id::text, 0), ('party_number', l.party_id || ':' || ${beginning(sql`l.number_key`, countedWithParty)}, 0),
           ('party_irn', l.party_id || ':' || ${unlike(countedWithParty)}, 0), ('issue', l.issue_date::text, w.created),
           ('due', l.due_date::text, w.created), ('open', ${openDue}, 0), ('amount', ${bucket}, 0), ('number', ${beginning(sql`l.number_key`, countedPrefix)}, w.created),
           ('irn', ${unlike(countedPrefix)}, w.created)
  ) as c (kind, key, week)`
