import { documentTypes } from '../../../kernel/invoice-document.ts'
import { joined, type Sql, sql } from '../../../platform/database/sql.ts'
import { owingStatuses } from '../derived-statuses.ts'
import { declaredPaymentStatuses, deliveries } from '../invoice.ts'
import { invoiceStatuses } from '../status-moves.ts'
import { creatorTypes, currencyShift, facets } from './facets.ts'

const payment = sql`
  case when i.paid_minor = 0 then coalesce(i.declared_payment_status, 'unpaid')
       when i.payable_minor - i.credited_minor <= i.paid_minor then 'paid' else 'partially_paid' end`

const placed = (facet: keyof typeof facets, code: Sql): Sql => sql`((${code}) << ${facets[facet].shift}::int)`
const codeOf = (values: readonly string[], value: Sql): Sql => sql`array_position(${values}::text[], ${value}) - 1`

/** Must agree with `dueMinor` and `owingStatuses`: the amount due is owed. */
const isOpen = sql`
  (i.payable_minor - i.credited_minor > i.paid_minor and i.type <> 'credit_note' and i.status = any (${owingStatuses}::text[]) and ${payment} <> 'paid')`

/** Packs an invoice row into the number that facets.ts reads. */
const packedFacets = joined(
  [
    placed('status', codeOf(invoiceStatuses, sql`i.status`)),
    placed('type', codeOf(documentTypes, sql`i.type`)),
    placed('payment', codeOf(declaredPaymentStatuses, payment)),
    placed('delivery', codeOf(deliveries, sql`i.delivery`)),
    placed('credited', sql`(i.credited_minor > 0)::int`),
    placed('refundOwed', sql`(i.paid_minor > i.payable_minor - i.credited_minor)::int`),
    placed('open', sql`${isOpen}::int`),
    placed('creator', codeOf(creatorTypes, sql`i.created_by_type`)),
    sql`((((ascii(i.currency) & 31) << 10) | ((ascii(substr(i.currency, 2)) & 31) << 5) | (ascii(substr(i.currency, 3)) & 31)) << ${currencyShift}::int)`,
  ],
  ' | ',
)

/** Distinguishes names and tax numbers; on a draft it is the buyer's id. */
export const partyId = sql`
  case when i.buyer_copy is null then i.buyer_id
       else md5((i.buyer_copy ->> 'name') || E'\n' || coalesce(i.buyer_copy ->> 'taxId', ''))::uuid end`

const leftMinor = sql`case when ${payment} = 'paid' then 0 else greatest(i.payable_minor - i.credited_minor - i.paid_minor, 0) end`

/** The due date of what is to be paid next: of the oldest instalment that is not settled, or of the whole invoice. */
export const nextDueDate = sql`
  case when i.instalments is null then i.due_date
       else coalesce((select min(p.due_date) from open_instalments(i.instalments, ${leftMinor}) as p), i.due_date) end`

/** The instalments after that, if they are owed: due date and amount of each, in order. Null if there are none. */
const laterInstalments = sql`
  case when i.instalments is not null and ${isOpen} then (
    select jsonb_agg(jsonb_build_object('dueDate', p.due_date, 'dueMinor', p.due_minor::text) order by p.due_date)
      from (select p.* from open_instalments(i.instalments, ${leftMinor}) as p order by p.due_date offset 1) as p) end`

/** The listing columns of an invoice row `i`, without codes, in the order in which the follower writes them. */
export const listingColumns = sql`
  i.organisation_id, i.mode, i.id, i.created_at, (${packedFacets}) as facets, i.issue_date, (${nextDueDate}) as due_date, (${laterInstalments}) as later_instalments, i.net_minor, i.tax_minor, i.payable_minor, i.paid_minor,
  case when ${isOpen} then i.payable_minor - i.credited_minor - i.paid_minor else 0 end as due_minor, i.buyer_id, i.seller_id,
  i.created_by, ${partyId} as party_id, upper(i.number) collate "C" as number_key, upper(i.authority_reference) collate "C" as reference_key`

/** Each code on the lines of an invoice row `i`: type, code and product category, separated by tabs. */
export const lineCodes = sql`
  array(select (case when line."hsnCode" is null then E'service\t' || line."serviceCode" else E'goods\t' || line."hsnCode" end) || E'\t' || translate(coalesce(line."productCategory", ''), E'\t\x1e', '  ')
          from json_to_recordset(i.lines) as line ("hsnCode" text, "serviceCode" text, "productCategory" text)
         where line."hsnCode" is not null or line."serviceCode" is not null)`

/** The week of creation, counted from 1970; `l` is a listing row. */
export const weekOf = (instant: Sql): Sql => sql`(floor(extract(epoch from ${instant}))::bigint / 604800)::int`
export const startOfWeek = (week: Sql): Sql => sql`to_timestamp((${week})::bigint * 604800)`
