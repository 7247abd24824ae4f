import type { TokenCaller } from '../../../kernel/callers.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import { actorOf } from '../../../platform/actors.ts'
import type { Queryable } from '../../../platform/database.ts'
import { insertingEvents } from '../../../platform/events.store.ts'
import type { Planned } from '../../../platform/operation.ts'
import { prepared, type Sql, sql } from '../../../platform/sql.ts'
import { costs } from '../../catalogue/index.ts'
import { charging, enteringCharges } from '../../credits/index.ts'
import { insertingItemUses } from '../../items/index.ts'
import type { Invoice } from '../invoice.ts'
import { eventData } from '../invoice-events.ts'
import { itemsOf } from '../invoices.store.ts'
import { storedLine, storedTaxGroup } from '../stored-lines.ts'
import { readingOf } from './numbers.ts'
import type { InvoicePlan } from './plan-invoice.ts'

/** What the statement is given for one invoice. A field that is left out is null there. */
function given({ plan, caller, origin, now }: Planned<TokenCaller, InvoicePlan>, nth: number, nthOfSeries: number) {
  const { draft, number, kinds, primarySellerOnly } = plan
  const actor = actorOf(caller)
  const items = itemsOf(draft)
  return {
    nth,
    at: now,
    id: draft.id,
    ...(number === undefined ? { nthOfSeries } : { number, reading: readingOf(number) }),
    type: draft.type,
    ...(draft.kind === '' ? kinds : { kind: draft.kind }),
    primarySellerOnly,
    sellerId: draft.sellerId ?? undefined,
    buyerId: draft.buyerId ?? undefined,
    issueDate: draft.issueDate,
    issueTime: draft.issueTime ?? undefined,
    dueDate: draft.dueDate ?? undefined,
    currency: draft.currency,
    lines: draft.lines.map(storedLine),
    taxGroups: draft.taxGroups.map(storedTaxGroup),
    netMinor: draft.netMinor,
    allowanceMinor: draft.allowanceMinor,
    chargeMinor: draft.chargeMinor,
    taxMinor: draft.taxMinor,
    payableMinor: draft.payableMinor,
    declaredPaymentStatus: draft.declaredPaymentStatus ?? undefined,
    paymentTerms: draft.paymentTerms ?? undefined,
    notes: draft.notes ?? undefined,
    purchaseOrderReference: draft.purchaseOrderReference ?? undefined,
    buyerReference: draft.buyerReference ?? undefined,
    accountingCost: draft.accountingCost ?? undefined,
    createdByType: draft.createdBy.type,
    createdBy: draft.createdBy.id ?? undefined,
    moveId: newId(),
    eventId: newId(),
    event: eventData(draft, caller.country),
    actorName: actor.name,
    address: origin.address,
    userAgent: origin.userAgent,
    requestId: origin.requestId,
    ...(items.length === 0 ? {} : { items: usesOf(items) }),
  }
}

function usesOf(items: readonly string[]): { itemId: string; id: string; uses: number }[] {
  const uses = new Map<string, number>()
  for (const id of items) uses.set(id, (uses.get(id) ?? 0) + 1)
  return [...uses].map(([itemId, count]) => ({ itemId, id: newId(), uses: count }))
}

/** Amounts are texts in JSON, as they are in the database's own. */
const exact = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)

/**
 * New invoices of one tenant in one statement, all of them or none: numbers from the series, charges with their ledger rows, the
 * invoices themselves, their events. Guards: parties exist, the series has begun, credits suffice and nobody has to be told
 * that few are left. They are all looked at before anything is written: what a guard leaves behind would be kept. A number that is
 * taken already breaks it as a whole.
 */
export function creatingInvoices(tenant: Tenant, planned: readonly Planned<TokenCaller, InvoicePlan>[]): Sql {
  const { organisationId, mode } = tenant
  let unnumbered = 0
  const rows = planned.map((one, at) => given(one, at + 1, one.plan.number === undefined ? ++unnumbered : 0))
  const count = planned.length
  const each = costs['invoice.create'].credits
  const named = sql`select id, at, items from named where items is not null`
  // Most invoices name no saved items, and then nothing has to be prepared for them.
  const itemised = rows.some((row) => 'items' in row)
    ? sql`itemised as (
        insert into invoice_items (organisation_id, mode, invoice_id, item_id)
        select ${organisationId}, ${mode}, n.id, (item ->> 'itemId')::uuid from (${named}) n, json_array_elements(n.items) as item),
      used as (${insertingItemUses(
        tenant,
        sql`select (item ->> 'itemId')::uuid as item_id, (item ->> 'id')::uuid as id, (item ->> 'uses')::integer as uses, n.at as used_at
              from (${named}) n, json_array_elements(n.items) as item`,
      )}),`
    : sql``
  return prepared(sql`
    with asked as materialized (
      select g.*, s.id as seller_id, b.name as buyer_name, b.tax_id as buyer_tax_id,
             coalesce(g.kind, case when b.party_type = 'government' then g.government
                                   when b.tax_id is null then g.unregistered else g.registered end) as kind_meant,
             (g."buyerId" is null or (b.id is not null and b.archived_at is null)) and
             (g."sellerId" is null or s.id is not null) as found
        from json_to_recordset(${JSON.stringify(rows, exact)}::json) as g (
               nth integer, at timestamptz, id uuid, "nthOfSeries" integer, number text, reading text, type text, kind text, government text,
               unregistered text, registered text, "primarySellerOnly" boolean, "sellerId" uuid, "buyerId" uuid, "issueDate" date,
               "issueTime" time, "dueDate" date, currency text, lines json, "taxGroups" json, "netMinor" bigint, "allowanceMinor" bigint,
               "chargeMinor" bigint, "taxMinor" bigint, "payableMinor" bigint, "declaredPaymentStatus" text, "paymentTerms" text,
               notes text, "purchaseOrderReference" text, "buyerReference" text, "accountingCost" text, "createdByType" text,
               "createdBy" uuid, "moveId" uuid, "eventId" uuid, event jsonb, "actorName" text, address text, "userAgent" text,
               "requestId" text, items json)
        left join lateral (
          select id, name, tax_id, party_type, archived_at from buyers
           where organisation_id = ${organisationId} and mode = ${mode} and id = g."buyerId" limit 1) b on true
        left join lateral (
          select id from sellers where organisation_id = ${organisationId} and case when g."sellerId" is null then is_primary
             else id = g."sellerId" and (is_primary or g."primarySellerOnly" is not true) end limit 1) s on true),
    charged as (${charging(
      tenant,
      each,
      count,
      sql`not exists (select 1 from asked where not found) and (${unnumbered} = 0 or exists (
            select 1 from number_series where organisation_id = ${organisationId} and mode = ${mode} and series = 'INV'))`,
    )}),
    numbered as (
      update number_series set next_number = next_number + ${unnumbered}
       where organisation_id = ${organisationId} and mode = ${mode} and series = 'INV' and ${unnumbered} > 0 and exists (select 1 from charged)
      returning next_number - ${unnumbered} as first),
    entered as (${enteringCharges(
      tenant,
      each,
      count,
      'invoice.create',
      sql`select available, version from charged`,
      sql`select nth, "moveId" as id, 'invoice:' || id as cause, at from asked`,
    )}),
    named as materialized (
      select a.*, coalesce(a.number, 'INV' || lpad((n.first + a."nthOfSeries" - 1)::text,
                                                   greatest(6, length((n.first + a."nthOfSeries" - 1)::text)), '0')) as given_number
        from asked a cross join charged left join numbered n on true),
    claimed as (
      insert into invoice_numbers (organisation_id, mode, reading, invoice_id)
      select ${organisationId}, ${mode}, coalesce(reading, given_number), id from named),
    drafted as (
      insert into invoices (organisation_id, mode, id, number, type, kind, seller_id, buyer_id, issue_date, issue_time, due_date, currency, lines,
                            tax_groups, net_minor, allowance_minor, charge_minor, tax_minor, payable_minor, declared_payment_status,
                            payment_terms, notes, purchase_order_reference, buyer_reference, accounting_cost, created_by_type, created_by,
                            created_at, updated_at)
      select ${organisationId}, ${mode}, id, given_number, type, kind_meant, seller_id, "buyerId", "issueDate", "issueTime", "dueDate", currency,
             lines, "taxGroups", "netMinor", "allowanceMinor", "chargeMinor", "taxMinor", "payableMinor", "declaredPaymentStatus",
             "paymentTerms", notes, "purchaseOrderReference", "buyerReference", "accountingCost", "createdByType", "createdBy", at, at
        from named),
    ${itemised}
    changed as (
      insert into invoice_changes (organisation_id, mode, invoice_id) select ${organisationId}, ${mode}, id from named),
    told as (${insertingEvents(sql`
      select ${organisationId}, ${mode}, "eventId", 'invoice.created', id::text,
             event || jsonb_build_object('invoiceNumber', given_number, 'invoiceKind', kind_meant), "createdByType", "createdBy", "actorName",
             address, "userAgent", "requestId", at
        from named`)})
    select nth, given_number as number, kind_meant as kind, seller_id, buyer_name, buyer_tax_id from named`)
}

/** A note has to lock what it corrects and to look at the other notes on it; and only one series is counted on here. */
const isPlain = ({ draft, number, originalNumber }: InvoicePlan): boolean =>
  originalNumber === undefined && (number !== undefined || draft.type === 'standard')

type Added = Pick<Invoice, 'number' | 'kind' | 'sellerId' | 'buyerName' | 'buyerTaxId'>

/** The invoices as they were written, in the order of their plans; nothing when a guard did not hold. */
export async function createInvoices(
  db: Queryable,
  tenant: Tenant,
  planned: readonly Planned<TokenCaller, InvoicePlan>[],
): Promise<Invoice[] | undefined> {
  if (!planned.every(({ plan }) => isPlain(plan))) return undefined
  const rows = await db.rows<Added & { nth: number }>(creatingInvoices(tenant, planned))
  if (rows.length === 0) return undefined
  const added = new Map(rows.map(({ nth, ...row }) => [nth, row]))
  return planned.map(({ plan }, at) => ({ ...plan.draft, ...(added.get(at + 1) as Added) }))
}
