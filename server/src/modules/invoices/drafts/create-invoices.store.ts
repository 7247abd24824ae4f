import type { TokenCaller } from '../../../kernel/callers.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import {
  givenRows,
  identifier,
  joined,
  prepared,
  type RowShape,
  type Sql,
  sql,
} from '../../../platform/database/sql.ts'
import { insertingEvents } from '../../../platform/events/events.store.ts'
import { actorOf } from '../../../platform/operations/actors.ts'
import { keepingReplies, keyedVariant } from '../../../platform/operations/idempotency.store.ts'
import type { Planned } from '../../../platform/operations/operation.ts'
import { costs } from '../../catalogue/index.ts'
import { charging, enteringCharges } from '../../credits/index.ts'
import { usesOf } from '../../items/index.ts'
import type { Invoice } from '../invoice.ts'
import { columnOf, type InvoiceField, insertedFields, shapeOf, storedValue } from '../invoice-columns.ts'
import { eventData } from '../invoice-events.ts'
import { itemsOf } from '../invoices.store.ts'
import { readingOf } from '../numbers.ts'
import type { InvoicePlan } from './plan-invoice.ts'

/** What only notes have, and they are not made here. */
const ofNotes: readonly InvoiceField[] = ['originalId', 'reason', 'roundingMinor']
const written = insertedFields.filter((field) => !ofNotes.includes(field))

/** What becomes of a column in the statement; the others are written as they were given. */
const decided: Partial<Record<InvoiceField, Sql>> = {
  number: sql`given_number`,
  kind: sql`kind_meant`,
  sellerId: sql`seller_id`,
  createdAt: sql`at`,
  updatedAt: sql`at`,
}
const given: readonly InvoiceField[] = written.filter(
  (field) => !['sellerId', 'createdAt', 'updatedAt'].includes(field),
)
const writtenColumns = joined(
  written.map((field) => identifier(columnOf(field))),
  ', ',
)
const writtenValues = joined(
  written.map((field) => decided[field] ?? identifier(columnOf(field))),
  ', ',
)

/** What the statement is given for each invoice. */
const shape: RowShape = {
  nth: 'integer',
  at: 'timestamptz',
  nth_of_series: 'integer',
  reading: 'text',
  government: 'text',
  unregistered: 'text',
  registered: 'text',
  primary_seller_only: 'boolean',
  wanted_seller: 'uuid',
  ...shapeOf(given),
  move_id: 'uuid',
  event_id: 'uuid',
  event: 'jsonb',
  actor_name: 'text',
  address: 'text',
  user_agent: 'text',
  request_id: 'text',
  items: 'json',
}

type Given = Readonly<Record<string, unknown>>

/** A field that is left out is null. */
function givenFor(
  { plan, caller, origin, now }: Planned<TokenCaller, InvoicePlan>,
  nth: number,
  nthOfSeries: number,
): Given {
  const { draft, number, kinds, primarySellerOnly } = plan
  const items = itemsOf(draft)
  return {
    ...Object.fromEntries(given.map((field) => [columnOf(field), storedValue(draft, field) ?? undefined])),
    nth,
    at: now,
    ...(number === undefined
      ? { number: undefined, nth_of_series: nthOfSeries }
      : { number, reading: readingOf(number) }),
    ...(draft.kind === '' ? { ...kinds, kind: undefined } : {}),
    primary_seller_only: primarySellerOnly,
    wanted_seller: draft.sellerId ?? undefined,
    move_id: newId(),
    event_id: newId(),
    event: { ...eventData(draft, caller.country), itemUses: usesOf(items) },
    actor_name: actorOf(caller).name,
    address: origin.address,
    user_agent: origin.userAgent,
    request_id: origin.requestId,
    ...(items.length === 0 ? {} : { items: [...new Set(items)] }),
  }
}

/**
 * New invoices of one tenant in one statement, all of them or none: numbers from the series, charges with their ledger rows, the
 * invoices themselves, their events. Guards: parties exist, credits suffice and nobody has to be told
 * that few are left. They are all looked at before anything is written: what a guard leaves behind would be kept. A number that is
 * taken already breaks it as a whole.
 */
export function creatingInvoices(tenant: Tenant, planned: readonly Planned<TokenCaller, InvoicePlan>[]): Sql {
  const { organisationId, mode } = tenant
  let unnumbered = 0
  const rows = planned.map((one, at) => givenFor(one, at + 1, one.plan.number === undefined ? ++unnumbered : 0))
  const count = planned.length
  const each = costs['invoice.create'].credits
  // Most invoices name no saved items, and then nothing has to be prepared for them.
  const hasItems = rows.some((row) => row.items !== undefined)
  const itemised = hasItems
    ? sql`itemised as (
        insert into invoice_items (organisation_id, mode, invoice_id, item_id)
        select ${organisationId}, ${mode}, n.id, item::uuid from named n, json_array_elements_text(n.items) as item where n.items is not null),`
    : sql``
  const variant = `create invoices ${count === 1 ? 'one' : 'many'} ${hasItems ? 'with' : 'without'} items ${keyedVariant(planned)}`
  const statement = sql`
    with asked as materialized (
      select g.*, s.id as seller_id, b.name as buyer_name, b.tax_id as buyer_tax_id,
             coalesce(g.kind, case when b.party_type = 'government' then g.government
                                   when b.tax_id is null then g.unregistered else g.registered end) as kind_meant,
             (g.buyer_id is null or (b.id is not null and b.archived_at is null)) and
             (g.wanted_seller is null or s.id is not null) as found
        from ${givenRows(shape, rows)} as g
        left join lateral (
          select id, name, tax_id, party_type, archived_at from buyers
           where organisation_id = ${organisationId} and mode = ${mode} and id = g.buyer_id limit 1) b on true
        left join lateral (
          select id from sellers where organisation_id = ${organisationId} and case when g.wanted_seller is null then is_primary
             else id = g.wanted_seller and (is_primary or g.primary_seller_only is not true) end limit 1) s on true),
    charged as (${charging(tenant, each, count, sql`not exists (select 1 from asked where not found)`)}),
    numbered as (
      insert into number_series as s (organisation_id, mode, series, next_number)
      select ${organisationId}, ${mode}, 'INV', 1 + ${unnumbered} from charged where ${unnumbered} > 0
      on conflict (organisation_id, mode, series) do update set next_number = s.next_number + ${unnumbered}
      returning next_number - ${unnumbered} as first),
    entered as (${enteringCharges(
      tenant,
      each,
      count,
      'invoice.create',
      sql`select available, version from charged`,
      sql`select nth, move_id as id, 'invoice:' || id as cause, at from asked`,
    )}),
    named as materialized (
      select a.*, coalesce(a.number, 'INV' || lpad((n.first + a.nth_of_series - 1)::text,
                                                   greatest(6, length((n.first + a.nth_of_series - 1)::text)), '0')) as given_number
        from asked a cross join charged left join numbered n on true),
    claimed as (
      insert into invoice_numbers (organisation_id, mode, reading, invoice_id)
      select ${organisationId}, ${mode}, coalesce(reading, given_number), id from named),
    drafted as (
      insert into invoices (organisation_id, mode, ${writtenColumns})
      select ${organisationId}, ${mode}, ${writtenValues}
        from named),
    ${itemised}
    told as (${insertingEvents(
      'invoice.created',
      sql`${organisationId}, ${mode}, event_id, id::text, 1,
          event || jsonb_build_object('invoiceNumber', given_number, 'invoiceKind', kind_meant), created_by_type, created_by, actor_name,
          address, user_agent, request_id, at`,
      sql`named`,
    )})
    ${keepingReplies(
      planned,
      sql`
      select nth, jsonb_build_object('number', given_number, 'kind', kind_meant, 'sellerId', seller_id, 'buyerName', buyer_name,
                                     'buyerTaxId', buyer_tax_id) as said
        from named`,
    )}
    select nth, given_number as number, kind_meant as kind, seller_id, buyer_name, buyer_tax_id from named`
  return prepared(variant, statement)
}

/** A note has to lock what it corrects and to look at the other notes on it; and only one series is counted on here. */
export const isPlain = ({ draft, number, originalNumber }: InvoicePlan): boolean =>
  originalNumber === undefined && (number !== undefined || draft.type === 'standard')

/** What only the database can say of a new draft. */
export type Numbered = Pick<Invoice, 'number' | 'kind' | 'sellerId' | 'buyerName' | 'buyerTaxId'>

/** What was said of the invoices, in the order of their plans; nothing when a guard did not hold. */
export async function createInvoices(
  db: Queryable,
  tenant: Tenant,
  planned: readonly Planned<TokenCaller, InvoicePlan>[],
): Promise<Numbered[] | undefined> {
  const rows = await db.rows<Numbered & { nth: number }>(creatingInvoices(tenant, planned))
  if (rows.length === 0) return undefined
  const said = new Map(rows.map(({ nth, ...row }) => [nth, row]))
  return planned.map((_, at) => said.get(at + 1) as Numbered)
}
