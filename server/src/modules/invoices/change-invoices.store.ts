import type { TokenCaller } from '../../kernel/callers.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable } from '../../platform/database/database.ts'
import {
  givenRows,
  identifier,
  joined,
  onOneShard,
  prepared,
  type RowShape,
  type Sql,
  sql,
} from '../../platform/database/sql.ts'
import { actorOf } from '../../platform/events/actors.ts'
import { appendingEvents, newEventColumns } from '../../platform/events/events.store.ts'
import { keepingReplies, keyedVariant } from '../../platform/operations/idempotency.store.ts'
import type { PlannedWrite } from '../../platform/operations/operation.ts'
import type { Invoice } from './invoice.ts'
import { columnOf, type InvoiceField, shapeOf, storedValue } from './invoice-columns.ts'
import type { InvoiceEvent } from './invoice-events.ts'

/**
 * A planned change of an existing invoice. The plan is complete; the guard on the version ensures that nothing
 * changed since.
 */
export interface InvoiceChange {
  readonly before: Invoice
  /** with the next version */
  readonly after: Invoice
  readonly events: readonly InvoiceEvent[]
}

/** A kind of change: the fields that it writes, its guard, and the rows that it writes besides. */
export interface WayToChange<Change extends InvoiceChange> {
  /** unique name of the statement */
  readonly name: string
  /** fields of the invoice that are written */
  readonly fields: readonly InvoiceField[]
  /** further columns of `asked`, for the guard and for other rows; `given` fills them */
  readonly shape?: RowShape
  readonly given?: (change: Change) => Readonly<Record<string, unknown>>
  /** SQL before the change: `name as (…), ` over `asked` */
  readonly before?: Sql
  /** a condition on `g`, a row of `asked`, in addition to the version */
  readonly guard?: Sql
  /** SQL after the change: `, name as (…)` over `changed`, which has the columns of `asked` */
  readonly after?: Sql
}

/**
 * Changes invoices of one tenant in one statement, independently of each other. An invoice is written only if its
 * version is unchanged and its guard holds. Returns which ones were, in the order of their plans. Rows are looked up
 * by an array of ids: with a join, a planner without statistics would read all rows of the tenant.
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

/** Built once for each statement. */
function shapeFor(name: string, fields: readonly InvoiceField[], shape: RowShape | undefined): RowShape {
  const known = shapes.get(name)
  if (known) return known
  const made: RowShape = {
    nth: 'integer',
    at: 'timestamptz',
    emitted_at: 'timestamptz',
    invoice_id: 'uuid',
    read_version: 'integer',
    ...shapeOf(fields),
    events: 'jsonb',
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
  const { name, fields, shape, given, before = sql``, guard = sql`true`, after = sql`` } = way
  const rows = planned.map(({ plan, caller, origin, now, realNow }, at) => {
    const actor = actorOf(caller)
    return {
      nth: at + 1,
      at: now,
      emitted_at: realNow,
      invoice_id: plan.before.id,
      read_version: plan.before.version,
      ...Object.fromEntries(fields.map((field) => [columnOf(field), storedValue(plan.after, field) ?? undefined])),
      events: plan.events,
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
    fields.map((field) => sql`${identifier(columnOf(field))} = ${identifier(`g.${columnOf(field)}`)}`),
    ', ',
  )
  const statement = sql`
    with asked as materialized (select * from ${givenRows(shapeFor(name, fields, shape), rows)} as g),
    ${before}
    done as (
      update invoices i set ${assigned}, version = i.version + 1
        from asked g
       where i.organisation_id = ${organisationId} and i.mode = ${mode} and i.id = any (array(select invoice_id from asked))
         and i.id = g.invoice_id and i.version = g.read_version and ${guard}
      returning g.nth),
    changed as materialized (select g.* from asked g join done using (nth))
    ${after}
    ${keepingReplies(planned, sql`select nth, null::jsonb as said from changed`)},
    ${appendingEvents(
      sql`
      select ${organisationId}::uuid, ${mode}::text, e.id, e.type, e.version, g.invoice_id::text, g.read_version + 1::bigint, e.data, g.actor_kind, g.actor_id,
             g.actor_name, g.address, g.user_agent, g.request_id, g.emitted_at
        from changed g, jsonb_to_recordset(g.events) as e (${newEventColumns})`,
      ['kept'],
    )}
    select nth from changed`
  const known = prepared(`${name} ${rows.length === 1 ? 'one' : 'many'} ${keyedVariant(planned)}`, statement)
  return onOneShard([organisationId], known, 'nth integer')
}
