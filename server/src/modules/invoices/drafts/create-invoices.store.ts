import type { TokenCaller } from '../../../kernel/callers.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import {
  exact,
  givenRows,
  identifier,
  joined,
  jsonRows,
  onOneShard,
  prepared,
  type RowShape,
  type Sql,
  sql,
} from '../../../platform/database/sql.ts'
import { actorOf } from '../../../platform/events/actors.ts'
import { type EventSourceRow, insertingEvents } from '../../../platform/events/events.store.ts'
import { keepingReplies, keyedVariant } from '../../../platform/operations/idempotency.store.ts'
import type { PlannedWrite } from '../../../platform/operations/operation.ts'
import { costs } from '../../catalogue/index.ts'
import { charging, chargingSeveral, enteringCharges } from '../../credits/index.ts'
import { usesOf } from '../../items/index.ts'
import type { Invoice } from '../invoice.ts'
import { columnOf, type InvoiceField, insertedFields, shapeOf, storedValue } from '../invoice-columns.ts'
import { invoicePayload } from '../invoice-events.ts'
import { itemsOf } from '../invoices.store.ts'
import { seriesNumber } from '../numbers.store.ts'
import { normalisedNumber, seriesOf } from '../numbers.ts'
import { joiningParties, partyColumns, wantedRow, wantedShape } from './draft-parties.store.ts'
import type { InvoicePlan } from './plan-invoice.ts'

/** Only notes have these, and this statement creates no notes. */
const fieldsOfNotes: readonly InvoiceField[] = ['originalId', 'reason', 'roundingMinor']
const writtenFields = insertedFields.filter((field) => !fieldsOfNotes.includes(field))

/** Columns that the statement computes; the others are written as given. */
const computed: Partial<Record<InvoiceField, Sql>> = {
  number: sql`final_number`,
  kind: sql`draft_kind`,
  sellerId: sql`seller_id`,
  createdAt: sql`at`,
  updatedAt: sql`at`,
}
const inputFields: readonly InvoiceField[] = writtenFields.filter(
  (field) => !['sellerId', 'createdAt', 'updatedAt'].includes(field),
)
const writtenColumns = joined(
  writtenFields.map((field) => identifier(columnOf(field))),
  ', ',
)
const writtenValues = joined(
  writtenFields.map((field) => computed[field] ?? identifier(columnOf(field))),
  ', ',
)

/** The input row of each invoice. */
const inputShape: RowShape = {
  nth: 'integer',
  at: 'timestamptz',
  emitted_at: 'timestamptz',
  nth_of_series: 'integer',
  reading: 'text',
  ...wantedShape,
  ...shapeOf(inputFields),
  move_id: 'uuid',
  event_id: 'uuid',
  event: 'jsonb',
  actor_name: 'text',
  address: 'text',
  user_agent: 'text',
  request_id: 'text',
  items: 'json',
}

/** For several tenants: the tenant, and the position among its invoices. */
const sharedInputShape: RowShape = { organisation_id: 'uuid', mode: 'text', nth_of_tenant: 'integer', ...inputShape }

type PlannedInvoice = PlannedWrite<TokenCaller, InvoicePlan>

/** The rows must match the payload of this event type. */
const eventType = 'invoice.created'

type InputRow = EventSourceRow<typeof eventType>

/** An absent field is null. */
function inputRowOf(
  { plan, caller, origin, now, realNow }: PlannedInvoice,
  nth: number,
  nthOfSeries: number,
): InputRow {
  const { draft, number, kinds, primarySellerOnly } = plan
  const items = itemsOf(draft)
  return {
    ...Object.fromEntries(inputFields.map((field) => [columnOf(field), storedValue(draft, field) ?? undefined])),
    nth,
    at: now,
    emitted_at: realNow,
    ...(number === undefined
      ? { number: undefined, nth_of_series: nthOfSeries }
      : { number, reading: normalisedNumber(number) }),
    ...wantedRow({ ...draft, kinds, primarySellerOnly }),
    move_id: newId(),
    event_id: newId(),
    event: { ...invoicePayload(draft, caller.country), itemUses: usesOf(items) },
    actor_name: actorOf(caller).name,
    address: origin.address,
    user_agent: origin.userAgent,
    request_id: origin.requestId,
    ...(items.length === 0 ? {} : { items: [...new Set(items)] }),
  }
}

/** Whether a plan gets the next number of the series. */
const takesNextNumber = ({ plan }: PlannedInvoice): boolean => plan.number === undefined

/**
 * What differs between a statement for one tenant and one for several: where the tenant comes from, and how charges
 * and numbers are counted.
 */
interface TenantParts {
  readonly input: Sql
  /** of rows of `input` and of `numbered_input` */
  readonly organisation: Sql
  readonly mode: Sql
  readonly nthOfTenant: Sql
  /** `charged as (…), numbered as (…)`; `first` is the number of the first invoice without one. Counted first: the series is locked before numbers */
  readonly chargingAndNumbering: Sql
  readonly joiningNumbers: Sql
}

const series = seriesOf.standard
const arePartiesFound = sql`is_buyer_found and not is_buyer_archived and is_seller_found`
const creditsEach = costs['invoice.create'].credits

function forOneTenant(tenant: Tenant, planned: readonly PlannedInvoice[]): TenantParts & { rows: InputRow[] } {
  const { organisationId, mode } = tenant
  let unnumbered = 0
  const rows = planned.map((one, at) => inputRowOf(one, at + 1, takesNextNumber(one) ? ++unnumbered : 0))
  return {
    rows,
    input: givenRows(inputShape, rows),
    organisation: sql`${organisationId}::uuid`,
    mode: sql`${mode}::text`,
    nthOfTenant: sql`nth`,
    chargingAndNumbering: sql`
      charged as (${charging(tenant, creditsEach, planned.length, sql`not exists (select 1 from input where not (${arePartiesFound}))`)}),
      numbered as (
        insert into number_series as s (organisation_id, mode, series, next_number)
        select ${organisationId}, ${mode}, ${series}, 1 + ${unnumbered} from charged where ${unnumbered} > 0
        on conflict (organisation_id, mode, series) do update set next_number = s.next_number + ${unnumbered}
        returning next_number - ${unnumbered} as first)`,
    joiningNumbers: sql`cross join (select (select first from numbered) as first) as n where exists (select from charged) and (select count(*) from numbered) >= 0`,
  }
}

function forSeveralTenants(planned: readonly PlannedInvoice[]): TenantParts & { rows: InputRow[] } {
  const counted = new Map<string, { all: number; unnumbered: number }>()
  const rows = planned.map((one, at) => {
    const { organisationId, mode } = one.caller.tenant
    const key = `${organisationId} ${mode}`
    const count = counted.get(key) ?? { all: 0, unnumbered: 0 }
    counted.set(key, count)
    if (takesNextNumber(one)) count.unnumbered++
    const tenantColumns = { organisation_id: organisationId, mode, nth_of_tenant: ++count.all }
    return { ...inputRowOf(one, at + 1, takesNextNumber(one) ? count.unnumbered : 0), ...tenantColumns }
  })
  return {
    rows,
    input: jsonRows(sharedInputShape, JSON.stringify(rows.map(exact))),
    organisation: sql`organisation_id`,
    mode: sql`mode`,
    nthOfTenant: sql`nth_of_tenant`,
    chargingAndNumbering: sql`
      ${chargingSeveral(creditsEach, sql`select organisation_id, mode, count(*) as n from input group by 1, 2 having bool_and(${arePartiesFound})`)},
      unnumbered as materialized (
        select c.organisation_id, c.mode, max(a.nth_of_series) as n
          from charged c join input a on a.organisation_id = c.organisation_id and a.mode = c.mode group by 1, 2),
      counted as (
        insert into number_series as s (organisation_id, mode, series, next_number)
        select organisation_id, mode, ${series}, 1 + n from unnumbered where n > 0
        on conflict (organisation_id, mode, series) do update set next_number = s.next_number + excluded.next_number - 1
        returning organisation_id, mode, next_number),
      numbered as (
        select u.organisation_id, u.mode, c.next_number - u.n as first
          from unnumbered u left join counted c on c.organisation_id = u.organisation_id and c.mode = u.mode)`,
    joiningNumbers: sql`join numbered n on n.organisation_id = a.organisation_id and n.mode = a.mode`,
  }
}

const returnedColumns = 'nth integer, number text, kind text, seller_id uuid, buyer_name text, buyer_tax_id text'

/**
 * New invoices in one statement, for each tenant all or none: numbers, charges with ledger rows, invoices and events.
 * Guards: the parties exist, the credits suffice, and no low-credit event is due. A guard that
 * fails does not end the statement: its part only returns no rows. So every write selects from the guarded part. A number that is already
 * taken does end it. Then the batch is halved, and `numberFor` finds a free number.
 */
export function creatingInvoices(tenant: Tenant | undefined, planned: readonly PlannedInvoice[]): Sql {
  const { rows, ...columns } = tenant ? forOneTenant(tenant, planned) : forSeveralTenants(planned)
  const { organisation, mode } = columns
  // Most invoices name no saved items; then these parts are left out.
  const hasItems = rows.some((row) => row.items !== undefined)
  const itemised = hasItems
    ? sql`itemised as (
        insert into invoice_items (organisation_id, mode, invoice_id, item_id)
        select ${organisation}, ${mode}, n.id, item::uuid from numbered_input n, json_array_elements_text(n.items) as item where n.items is not null),`
    : sql``
  const many = tenant === undefined ? 'of several' : planned.length === 1 ? 'one' : 'many'
  const variant = `create invoices ${many} ${hasItems ? 'with' : 'without'} items ${keyedVariant(planned)}`
  const statement = sql`
    with input as materialized (
      select g.*, ${partyColumns}
        from ${columns.input} as g ${joiningParties(tenant)}),
    ${columns.chargingAndNumbering},
    entered as (${enteringCharges(
      creditsEach,
      'invoice.create',
      sql`select organisation_id, mode, available, version, n from charged`,
      sql`select ${organisation} as organisation_id, ${mode} as mode, ${columns.nthOfTenant} as nth, move_id as id, 'invoice:' || id as cause, at from input`,
    )}),
    numbered_input as materialized (
      select a.*, coalesce(a.number, ${seriesNumber(sql`${series}`, sql`n.first + a.nth_of_series - 1`)}) as final_number
        from input a ${columns.joiningNumbers}),
    claimed as (
      insert into invoice_numbers (organisation_id, mode, reading, invoice_id)
      select ${organisation}, ${mode}, coalesce(reading, final_number), id from numbered_input returning invoice_id),
    drafted as (
      insert into invoices (organisation_id, mode, ${writtenColumns})
      select ${organisation}, ${mode}, ${writtenValues} from numbered_input)
    ${keepingReplies(
      planned,
      sql`
      select nth, jsonb_build_object('number', final_number, 'kind', draft_kind, 'sellerId', seller_id, 'buyerName', buyer_name,
                                     'buyerTaxId', buyer_tax_id) as said
        from numbered_input`,
    )},
    ${itemised}
    ${insertingEvents(eventType, {
      organisation,
      mode,
      values: sql`id::text, 1::bigint,
          event || jsonb_build_object('invoiceNumber', final_number, 'invoiceKind', draft_kind), created_by_type, created_by, actor_name,
          address, user_agent, request_id, emitted_at`,
      from: sql`numbered_input`,
      after: ['claimed', 'kept'],
      isSingle: many === 'one',
    })}
    select nth, final_number as number, draft_kind as kind, seller_id, buyer_name, buyer_tax_id from numbered_input`
  const known = prepared(variant, statement)
  const organisationIds = planned.map(({ caller }) => caller.tenant.organisationId)
  return onOneShard(organisationIds, known, returnedColumns)
}

/**
 * A note must lock its original and read its other notes, so it uses the fallback. So does a prepayment without a number: this statement
 * counts only the series of invoices.
 */
export const fitsStatement = ({ draft, number, originalNumber }: InvoicePlan): boolean =>
  originalNumber === undefined && (number !== undefined || draft.type === 'standard')

/** The values of a new draft that only the database knows. */
export type NumberedDraft = Pick<Invoice, 'number' | 'kind' | 'sellerId' | 'buyerName' | 'buyerTaxId'>

/** The returned row of each plan, in their order. */
async function returnedRows(
  db: Queryable,
  statement: Sql,
  planned: readonly PlannedInvoice[],
): Promise<(NumberedDraft | undefined)[]> {
  const rows = await db.rows<NumberedDraft & { nth: number }>(statement)
  const byPlan = new Map(rows.map(({ nth, ...row }) => [nth, row]))
  return planned.map((_, at) => byPlan.get(at + 1))
}

/** `undefined` if a guard failed. */
export async function createInvoices(
  db: Queryable,
  tenant: Tenant,
  planned: readonly PlannedInvoice[],
): Promise<NumberedDraft[] | undefined> {
  const returned = await returnedRows(db, creatingInvoices(tenant, planned), planned)
  return returned.includes(undefined) ? undefined : (returned as NumberedDraft[])
}

/** Invoices of several tenants. Returns `undefined` for a tenant whose guard failed or whose balance is locked. */
export const createSharedInvoices = (
  db: Queryable,
  planned: readonly PlannedInvoice[],
): Promise<(NumberedDraft | undefined)[]> => returnedRows(db, creatingInvoices(undefined, planned), planned)
