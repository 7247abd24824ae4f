import type { TokenCaller } from '../../kernel/callers.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { givenRows, identifier, joined, prepared, type RowShape, type Sql, sql } from '../../platform/database/sql.ts'
import { insertingMixedEvents, newEventColumns } from '../../platform/events/events.store.ts'
import { actorOf } from '../../platform/operations/actors.ts'
import { keepingReplies, keyedVariant } from '../../platform/operations/idempotency.store.ts'
import type { PlannedWrite } from '../../platform/operations/operation.ts'
import type { Invoice } from './invoice.ts'
import { columnOf, type InvoiceField, shapeOf, storedValue } from './invoice-columns.ts'
import type { ToldOfInvoice } from './invoice-events.ts'

/** What a hot statement makes of an invoice that is there. All is known before: the version that was read holds everything fast. */
export interface InvoiceChange {
  readonly before: Invoice
  /** with the next version */
  readonly after: Invoice
  readonly told: readonly ToldOfInvoice[]
}

/** One way to change invoices: what of them is written, what must hold for it, and what is written with it. */
export interface WayToChange<Change extends InvoiceChange> {
  /** names the statement among all */
  readonly name: string
  /** what of the invoice is written */
  readonly fields: readonly InvoiceField[]
  /** those of them that the database itself finds, as values over `g`, a row of `asked`: they are not sent to it */
  readonly found?: Partial<Record<InvoiceField, Sql>>
  /** further columns of `asked`, for the guard and for what else is written; `given` fills them */
  readonly shape?: RowShape
  readonly given?: (change: Change) => Readonly<Record<string, unknown>>
  /** pieces that stand before the change: `name as (…), ` over `asked` */
  readonly before?: Sql
  /** a condition on `g`, a row of `asked`; the version is always one */
  readonly guard?: Sql
  /** pieces that stand behind the change: `, name as (…)` over `changed`, which has the columns of `asked` */
  readonly after?: Sql
}

/**
 * Changes invoices of one tenant in one statement, each by itself: its version is the one that was read, and the guard holds; or
 * nothing of it is written. Gives which were, in the order of their plans. Rows are looked up by an array of their ids: joined to what was asked, all
 * of a tenant's rows would be gone through where the planner does not know how many they are.
 */
export async function changeInvoices<Change extends InvoiceChange>(
  db: Queryable,
  tenant: Tenant,
  planned: readonly PlannedWrite<TokenCaller, Change>[],
  way: WayToChange<Change>,
): Promise<(Record<string, never> | undefined)[]> {
  const rows = await db.rows<{ nth: number }>(changingInvoices(tenant, planned, way))
  const written = new Set(rows.map(({ nth }) => nth))
  return planned.map((_, at) => (written.has(at + 1) ? {} : undefined))
}

const shapes = new Map<string, RowShape>()

/** Put together once for each statement. */
function shapeFor(name: string, sent: readonly InvoiceField[], shape: RowShape | undefined): RowShape {
  const known = shapes.get(name)
  if (known) return known
  const made: RowShape = {
    nth: 'integer',
    at: 'timestamptz',
    invoice_id: 'uuid',
    read_version: 'integer',
    ...shapeOf(sent),
    told: 'jsonb',
    actor_kind: 'text',
    actor_id: 'uuid',
    actor_name: 'text',
    address: 'text',
    user_agent: 'text',
    request_id: 'text',
    ...shape,
  }
  shapes.set(name, made)
  return made
}

function changingInvoices<Change extends InvoiceChange>(
  { organisationId, mode }: Tenant,
  planned: readonly PlannedWrite<TokenCaller, Change>[],
  way: WayToChange<Change>,
): Sql {
  const { name, fields, found = {}, shape, given, before = sql``, guard = sql`true`, after = sql`` } = way
  const sent = fields.filter((field) => found[field] === undefined)
  const rows = planned.map(({ plan, caller, origin, now }, at) => {
    const actor = actorOf(caller)
    return {
      nth: at + 1,
      at: now,
      invoice_id: plan.before.id,
      read_version: plan.before.version,
      ...Object.fromEntries(sent.map((field) => [columnOf(field), storedValue(plan.after, field) ?? undefined])),
      told: plan.told,
      actor_kind: actor.kind,
      actor_id: actor.id,
      actor_name: actor.name,
      address: origin.address,
      user_agent: origin.userAgent,
      request_id: origin.requestId,
      ...given?.(plan),
    }
  })
  const assigned = joined(
    fields.map((field) => sql`${identifier(columnOf(field))} = ${found[field] ?? identifier(`g.${columnOf(field)}`)}`),
    ', ',
  )
  const statement = sql`
    with asked as materialized (select * from ${givenRows(shapeFor(name, sent, shape), rows)} as g),
    ${before}
    done as (
      update invoices i set ${assigned}, version = i.version + 1
        from asked g
       where i.organisation_id = ${organisationId} and i.mode = ${mode} and i.id = any (array(select invoice_id from asked))
         and i.id = g.invoice_id and i.version = g.read_version and ${guard}
      returning g.nth),
    changed as materialized (select g.* from asked g join done using (nth))
    ${after},
    told as (${insertingMixedEvents(sql`
      select ${organisationId}, ${mode}, e.id, e.type, e.version, g.invoice_id::text, g.read_version + 1, e.data, g.actor_kind, g.actor_id,
             g.actor_name, g.address, g.user_agent, g.request_id, g.at
        from changed g, jsonb_to_recordset(g.told) as e (${newEventColumns})`)})
    ${keepingReplies(planned, sql`select nth, null::jsonb as said from changed`)}
    select nth from changed`
  return prepared(`${name} ${rows.length === 1 ? 'one' : 'many'} ${keyedVariant(planned)}`, statement)
}
