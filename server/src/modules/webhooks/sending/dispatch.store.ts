import type { Capability } from '../../../kernel/capabilities.ts'
import type { EventType } from '../../../kernel/events.ts'
import type { OrganisationId } from '../../../kernel/ids.ts'
import type { Mode, Tenant } from '../../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../../platform/database/database.ts'
import { firstDueOf, walkingTurns } from '../../../platform/database/fair-turns.store.ts'
import { plainArray, plannedAnew, sql } from '../../../platform/database/sql.ts'
import { onTheirShards } from '../../../platform/database/their-shards.store.ts'
import type { FormatName } from '../catalogue/format.ts'
import type { Attempt, DeliveryId } from '../deliveries/delivery.ts'
import type { EndpointId } from '../endpoints/endpoint.ts'
import { planColumn } from '../endpoints/endpoints.store.ts'
import type { RetryPlan } from '../endpoints/retry-plan.ts'

/** Address and signing data of a delivery. */
export interface Target {
  readonly organisationId: OrganisationId
  readonly mode: Mode
  readonly endpointId: EndpointId
  readonly format: FormatName
  readonly url: string
  readonly plan: RetryPlan | null
  readonly sealedSecret: string
  readonly sealedPreviousSecret: string | null
  readonly previousSecretUntil: Date | null
}

/** A delivery that this process is to attempt now. */
export interface OutgoingDelivery extends Target {
  readonly id: DeliveryId
  readonly eventId: string
  readonly type: EventType
  readonly body: string
  readonly isTest: boolean
  readonly isManual: boolean
  /** Number of this attempt. The result of any other attempt is ignored. */
  readonly attempt: number
  readonly failed: number
}

export interface NewDelivery extends OutgoingDelivery {
  /** Sent by this process at once. Otherwise it waits in the queue. */
  readonly isTaken: boolean
  readonly createdAt: Date
}

export interface Batch {
  readonly id: string
  readonly taker: string
  readonly leaseMs: number
}

export interface QueueClaim {
  readonly taker: string
  readonly limit: number
  /** Smallest id of the next endpoint. Turns follow the order of ids. */
  readonly from: string
  readonly mostTurns: number
  /** Deliveries per endpoint without requests under way. */
  readonly perEndpoint: number
  /** Further deliveries for endpoints with requests under way. */
  readonly endpointRooms: ReadonlyMap<string, number>
  /** By organisation and mode, separated by a space. */
  readonly tenantRooms: ReadonlyMap<string, number>
  readonly leaseMs: number
}

export interface ClaimedDelivery extends OutgoingDelivery {
  readonly isEndpointGone: boolean
  /** Current capabilities of the endpoint. */
  readonly capabilities: readonly Capability[]
}

export interface ClaimResult {
  readonly deliveries: ClaimedDelivery[]
  /** The endpoint at which the scan ended. `undefined` if it was the last. */
  readonly reached: string | undefined
}

/** From this number on a fresh plan pays. */
const many = 100

type CellValue = string | number | boolean | null

function areSame(words: readonly CellValue[], others: readonly CellValue[]): boolean {
  for (let at = 0; at < words.length; at++) if (words[at] !== others[at]) return false
  return true
}

/**
 * Distinct rows once, with the index of each given row, from 1 as in SQL. Most deliveries belong to few tenants and end
 * alike.
 */
function inCommon<Row>(rows: readonly Row[], wordsOf: (row: Row) => readonly CellValue[]) {
  const positions = new Map<string, number>()
  const distinct: (readonly CellValue[])[] = []
  let last: { readonly words: readonly CellValue[]; readonly at: number } | undefined
  const position = rows.map((row) => {
    const words = wordsOf(row)
    // Mostly equal to the row before, so that comparing is cheaper than making a key.
    if (last && areSame(words, last.words)) return last.at
    const key = words.join()
    let at = positions.get(key)
    if (at === undefined) {
      at = distinct.push(words)
      positions.set(key, at)
    }
    last = { words, at }
    return at
  })
  return {
    positions: plainArray(position),
    count: distinct.length,
    /** The nth value of each distinct row. */
    column: (nth: number): string => plainArray(distinct.map((words) => words[nth] ?? null)),
  }
}

export type QueuedDelivery = Pick<OutgoingDelivery, 'organisationId' | 'mode' | 'id'>

interface DueDeliveries {
  readonly due: QueuedDelivery[]
  readonly reached: string | undefined
}

/**
 * Finds due deliveries, one of each endpoint in turn, then a second of each: a long queue for one endpoint does not
 * delay the single delivery of another. Steps from endpoint to endpoint by the index and reads at most twice the share
 * of each: 1,200 rows instead of 12,800 for two hundred busy endpoints. Skips rows that another process has locked.
 */
export async function lockDue(tx: Tx, claim: QueueClaim): Promise<DueDeliveries> {
  const { limit, from, mostTurns, perEndpoint, endpointRooms, tenantRooms } = claim
  const tenants = [...tenantRooms.keys()].map((tenant) => tenant.split(' '))
  const waiting = { rows: sql`from webhook_queue`, owner: 'endpoint_id' } as const
  const rows = await tx.rows<DueDeliveries['due'][number] & { readonly reached: string | null }>(sql`
    with recursive ${walkingTurns({ ...waiting, more: sql`, organisation_id, mode`, waits: sql`true`, from, most: mostTurns })},
    rooms as (
      select t.endpoint_id, t.turn, least(coalesce(e.room, ${perEndpoint}::int), coalesce(o.room, ${limit}::int), 1 + 2 * ${limit}::int / a.turns) as room
        from turns t
       cross join (select count(*)::int as turns from turns) as a
        left join unnest(${[...endpointRooms.keys()]}::uuid[], ${[...endpointRooms.values()]}::int[]) as e (id, room) on e.id = t.endpoint_id
        left join unnest(${tenants.map(([id]) => id)}::uuid[], ${tenants.map(([, mode]) => mode)}::text[], ${[...tenantRooms.values()]}::int[]) as o (id, mode, room)
          on o.id = t.organisation_id and o.mode = t.mode),
    chosen as (
      select piece.id from rooms cross join lateral (
        ${firstDueOf({ ...waiting, turns: 'rooms', key: sql`id`, isDue: sql`due_at <= now()`, room: sql`rooms.room` })}) as piece
       order by piece.nth, rooms.turn limit ${limit}::int),
    free as materialized (
      select id, organisation_id, mode from webhook_queue
       where id = any (array(select id from chosen)) and due_at <= now() for no key update skip locked)
    select free.*, cut.reached
      from (select (select endpoint_id from turns where turn = ${mostTurns}::int) as reached) as cut left join free on true`)
  return { due: rows.filter(({ id }) => id !== null), reached: rows[0]?.reached ?? undefined }
}

/**
 * Takes due deliveries and begins an attempt at each. An attempt without an end belongs to a process that died; the log
 * says so. Finished deliveries leave the queue. On Citus, a delivery may be committed later than its place in the queue, and then waits. Deliveries are looked up by whole keys, planned as in `saveResults`;
 * arrays of organisations, modes and ids would let the planner pick a wrong index.
 */
export async function claimQueued(tx: Tx, claim: QueueClaim): Promise<ClaimResult> {
  const { due, reached } = await lockDue(tx, claim)
  return { deliveries: due.length === 0 ? [] : await beginAttempts(tx, claim, due), reached }
}

export async function beginAttempts(
  tx: Tx,
  claim: Pick<QueueClaim, 'taker' | 'leaseMs'>,
  due: readonly QueuedDelivery[],
): Promise<ClaimedDelivery[]> {
  const tenants = inCommon(due, ({ organisationId, mode }) => [organisationId, mode])
  const beginning = onTheirShards(
    due.map(({ organisationId }) => organisationId),
    (named) => sql`
    with given as materialized (
      select * from unnest(${tenants.positions}::int[], ${plainArray(due.map(({ id }) => id))}::uuid[]) as r (t, i)
       limit (select ${due.length}::int)),
    due as materialized (
      select (${tenants.column(0)}::uuid[])[t] as o, (${tenants.column(1)}::text[])[t] as m, i from given),
    begun as (
      update webhook_deliveries d
         set status = 'delivering', attempts = d.attempts + 1, begun_at = now(), next_attempt_at = null,
             log = case when d.status = 'delivering' then d.log || interrupted_attempt(d.attempts, d.begun_at) else d.log end
        from due
       where d.organisation_id = due.o and d.mode = due.m and d.id = due.i and d.closed_at is null ${named('d')}
      returning d.organisation_id, d.mode, d.id, d.endpoint_id, d.event_id, d.type, d.body, d.is_test, d.is_manual, d.attempts as attempt, d.failed),
    taken as (
      update webhook_queue set taken_by = ${claim.taker}, due_at = now() + ${claim.leaseMs} * interval '1 millisecond'
       where id = any (array(select id from begun))),
    rest as (select o, m, i from due where i not in (select id from begun)),
    closed as (
      select d.id from rest join webhook_deliveries d on d.organisation_id = rest.o and d.mode = rest.m and d.id = rest.i where d.closed_at is not null ${named('d')}),
    ended as (delete from webhook_queue where id = any (array(select id from closed))),
    unseen as (
      update webhook_queue set due_at = now() + interval '1 second' where id = any (array(select i from rest except select id from closed)))
    select b.*, e.dialect as format, e.url, e.capabilities, ${planColumn}, e.sealed_secret, e.sealed_previous_secret, e.previous_secret_until,
           e.deleted_at is not null or (e.disabled_at is not null and not b.is_manual) as is_endpoint_gone
      from begun b join webhook_endpoints e on e.organisation_id = b.organisation_id and e.mode = b.mode and e.id = b.endpoint_id ${named('e')}`,
  )
  return await tx.rows(due.length < many ? beginning : plannedAnew(beginning))
}

/** Lets other due deliveries go first. */
export const postponeQueued = (tx: Tx, ids: readonly DeliveryId[], ms: number): Promise<number> =>
  tx.run(sql`
    update webhook_queue set due_at = now() + ${ms} * interval '1 millisecond' where id = any (${[...ids]}::uuid[])`)

/** Result of an attempt and its consequence. */
export interface AttemptResult {
  readonly delivery: Pick<OutgoingDelivery, 'organisationId' | 'mode' | 'id' | 'endpointId' | 'attempt' | 'failed'>
  /** `undefined` if nothing was sent. */
  readonly entry: Attempt | undefined
  readonly status: 'delivered' | 'failed' | 'retrying' | 'pending'
  readonly reason: string | null
  /** Delay before the next attempt. Null if there is none. */
  readonly waitMs: number | null
  /** True if the result proves that the endpoint works. Tests prove nothing. */
  readonly clearsFailures: boolean
  /** True if the result counts as a failure of the endpoint. */
  readonly countsAsFailure?: boolean
}

/** A result to be written. */
export interface ResultToSave {
  readonly result: AttemptResult
  /** Batch of the delivery. A delivery from the queue leaves the queue instead. */
  readonly batchId: string | undefined
}

/**
 * Writes many results in one statement, and deletes finished batches. A late result (the delivery has ended or was
 * taken again) is ignored, even together with that of a later attempt. Returns the stored results. Each delivery is
 * looked up by its key. A plan made while the table was nearly empty would scan it for each result, until PostgreSQL
 * updates its statistics: 20,000 deliveries cost two seconds per 500. So the plan assumes few results (an unknown limit
 * counts as a tenth), and many results are planned afresh, which costs a millisecond. The log of a first attempt is
 * empty and is not joined. A retry for a deleted endpoint is due at once, and the next claim ends it.
 */
export async function saveResults(
  db: Queryable,
  notes: readonly ResultToSave[],
  endedBatches: readonly string[],
  now: Date,
): Promise<readonly AttemptResult[]> {
  const results = notes.map(({ result }) => result)
  const tenants = inCommon(results, ({ delivery }) => [delivery.organisationId, delivery.mode])
  const ends = inCommon(notes, ({ result: { delivery, entry, status, reason, waitMs, clearsFailures }, batchId }) => [
    status,
    delivery.failed,
    reason,
    waitMs,
    entry !== undefined,
    clearsFailures,
    batchId === undefined,
  ])
  // Few endpoints have failures. Those are read first, and then matched with the results.
  const cleared = new Map<string, AttemptResult['delivery']>()
  for (const { delivery, clearsFailures } of results) if (clearsFailures) cleared.set(delivery.endpointId, delivery)
  const working = inCommon([...cleared.values()], ({ organisationId, mode, endpointId }) => [
    organisationId,
    mode,
    endpointId,
  ])
  const saving = onTheirShards(
    results.map(({ delivery }) => delivery.organisationId),
    (named) => sql`
    with given as materialized (
      select * from unnest(${tenants.positions}::int[], ${plainArray(results.map(({ delivery }) => delivery.id))}::uuid[],
                           ${plainArray(results.map(({ delivery }) => delivery.attempt))}::int[], ${ends.positions}::int[])
                    with ordinality as r (t, i, n, e, nth)
       limit (select ${results.length}::int)),
    ends as materialized (
      select (${tenants.column(0)}::uuid[])[t] as o, (${tenants.column(1)}::text[])[t] as m, i, n, nth,
             (${ends.column(0)}::text[])[e] as s, (${ends.column(1)}::int[])[e] as f, (${ends.column(2)}::text[])[e] as r,
             now() + (${ends.column(3)}::int[])[e] * interval '1 millisecond' as next_at, (${ends.column(4)}::boolean[])[e] as was_asked, (${ends.column(5)}::boolean[])[e] as c,
             (${ends.column(6)}::boolean[])[e] as q, ${JSON.stringify(results.map(({ entry }) => (entry ? [entry] : [])))}::jsonb -> (nth - 1)::int as l
        from given),
    noted as (
      update webhook_deliveries d
         set status = ends.s, attempts = case when was_asked then ends.n else ends.n - 1 end, failed = ends.f, reason = ends.r,
             log = case when ends.n = 1 then ends.l else d.log || ends.l end,
             next_attempt_at = ends.next_at, closed_at = case when ends.next_at is null then ${now}::timestamptz end
        from ends
       where d.organisation_id = ends.o and d.mode = ends.m and d.id = ends.i and d.attempts = ends.n and d.status = 'delivering' ${named('d')}
      returning d.id, d.organisation_id, d.mode, d.endpoint_id, ends.next_at, ends.c, ends.q, ends.nth),
    ended as (delete from webhook_queue where id in (select id from noted where q and next_at is null)),
    queued as (
      insert into webhook_queue (id, organisation_id, mode, endpoint_id, due_at)
      select noted.id, noted.organisation_id, noted.mode, noted.endpoint_id, case when e.id is null then noted.next_at else now() end
        from noted left join webhook_endpoints e on e.organisation_id = noted.organisation_id and e.mode = noted.mode and e.id = noted.endpoint_id
         and (e.deleted_at is not null or e.disabled_at is not null) ${named('e')}
       where noted.next_at is not null
      on conflict (id) do update set due_at = excluded.due_at, taken_by = null),
    over as (delete from webhook_batches where id = any (${endedBatches}::uuid[])),
    working as (
      update webhook_endpoints w set failures_in_row = 0, failing_since = null
        from (select * from unnest(${working.column(0)}::uuid[], ${working.column(1)}::text[], ${working.column(2)}::uuid[]) as r (o, m, e)
               limit (select ${working.count}::int)) as t
       where w.organisation_id = t.o and w.mode = t.m and w.id = t.e and w.failures_in_row > 0
         and w.id in (select endpoint_id from noted where c) ${named('w')})
    select case when (select count(*) from noted) < ${results.length}::int
                then (select array_agg(nth::int) from ends where nth not in (select nth from noted)) end as missed`,
  )
  const { missed } = await db.one<{ missed: number[] | null }>(results.length < many ? saving : plannedAnew(saving))
  if (missed === null) return results
  const late = new Set(missed)
  return results.filter((_, at) => !late.has(at + 1))
}

/** Extends the leases of this process. */
export async function renewBatches(db: Queryable, ids: readonly string[], leaseMs: number): Promise<void> {
  await db.run(sql`
    update webhook_batches set due_at = now() + ${leaseMs} * interval '1 millisecond' where id = any (${ids}::uuid[])`)
}

/** Deliveries of one tenant that a process was sending. */
export interface TenantDeliveries extends Tenant {
  readonly ids: readonly DeliveryId[]
}

interface LostBatch {
  readonly id: string
  readonly takenBy: string
  readonly deliveries: readonly TenantDeliveries[]
}

/** Short lock timeout: waiting here would stall the dispatcher. */
export const waitBriefly = (tx: Tx): Promise<number> => tx.run(sql`set local lock_timeout = '200ms'`)

/**
 * Deletes one batch whose process died or stops, and returns its contents. `undefined` if only skipped ones are left.
 */
export async function takeLostBatch(
  tx: Tx,
  ofTaker: string | undefined,
  passed: readonly string[],
): Promise<LostBatch | undefined> {
  return await tx.maybe(sql`
    with lost as materialized (
      select id from webhook_batches
       where case when ${ofTaker === undefined} then due_at <= now() else taken_by = ${ofTaker ?? null}::uuid end
         and id <> all (${passed}::uuid[])
       limit 1 for no key update skip locked)
    delete from webhook_batches where id in (select id from lost) returning id, taken_by, deliveries`)
}

/** Saves what could not be requeued. It is a lost batch again after this time. */
export const keepLostBatch = (tx: Tx, { id, takenBy, deliveries }: LostBatch, ms: number): Promise<number> =>
  tx.run(sql`
    insert into webhook_batches (id, taken_by, due_at, deliveries)
    values (${id}, ${takenBy}, now() + ${ms} * interval '1 millisecond', ${JSON.stringify(deliveries)}::jsonb)`)

/** Lets other lost batches go first. */
export const postponeBatch = (db: Pick<Queryable, 'run'>, id: string, ms: number): Promise<number> =>
  db.run(sql`update webhook_batches set due_at = now() + ${ms} * interval '1 millisecond' where id = ${id}`)

/** Those of these deliveries that can be seen. On Citus, a batch may be committed before its deliveries. */
export async function listSeen(tx: Tx, tenant: Tenant, ids: readonly DeliveryId[]): Promise<Set<DeliveryId>> {
  const rows = await tx.rows<{ id: DeliveryId }>(sql`
    select id from webhook_deliveries
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and id = any (${ids}::uuid[])`)
  return new Set(rows.map(({ id }) => id))
}

/**
 * Requeues a tenant's deliveries whose attempts have no end. Returns their number. Each is locked, because a slow
 * process may be writing its result right now, and a finished delivery must not be queued.
 */
export function queueUnended(tx: Tx, tenant: Tenant, ids: readonly DeliveryId[]): Promise<number> {
  return tx.run(sql`
    insert into webhook_queue (id, organisation_id, mode, endpoint_id, due_at)
    select d.id, d.organisation_id, d.mode, d.endpoint_id, now()
      from unnest(${ids}::uuid[]) as one (id)
     cross join lateral (
       select d.* from webhook_deliveries d
        where d.organisation_id = ${tenant.organisationId} and d.mode = ${tenant.mode} and d.id = one.id and d.status = 'delivering'
          for no key update) as d
    on conflict (id) do nothing`)
}

/** Makes deliveries due again that were taken from the queue and not begun. */
export async function handBackQueued(db: Queryable, taker: string): Promise<void> {
  await db.run(sql`update webhook_queue set taken_by = null, due_at = now() where taken_by = ${taker}`)
}

export interface QueueLoad {
  readonly waiting: number
  /** Age of the oldest due delivery that no process has taken. */
  readonly overdueSeconds: number
  readonly batches: number
}

/** Counting stops here. */
const mostCounted = 10_000

export function readQueueLoad(db: Queryable): Promise<QueueLoad> {
  return db.one(sql`
    select count(*)::int as waiting, greatest(0, coalesce(extract(epoch from now() - min(due_at)), 0))::float8 as overdue_seconds,
           (select count(*)::int from webhook_batches) as batches
      from (select due_at from webhook_queue limit ${mostCounted}) as first_ones`)
}
