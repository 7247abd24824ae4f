import type { Capability } from '../../kernel/capabilities.ts'
import type { EventType } from '../../kernel/events.ts'
import type { OrganisationId } from '../../kernel/ids.ts'
import type { Mode, Tenant } from '../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { plainArray, plannedAnew, sql } from '../../platform/database/sql.ts'
import type { Attempt, DeliveryId } from './delivery.ts'
import type { DialectName } from './dialect.ts'
import type { EndpointId } from './endpoint.ts'
import { planColumn } from './endpoints.store.ts'
import type { RetryPlan } from './retry-plan.ts'

/** Where a piece goes and how it is signed. */
export interface Target {
  readonly organisationId: OrganisationId
  readonly mode: Mode
  readonly endpointId: EndpointId
  readonly dialect: DialectName
  readonly url: string
  readonly plan: RetryPlan | null
  readonly sealedSecret: string
  readonly sealedPreviousSecret: string | null
  readonly previousSecretUntil: Date | null
}

/** A delivery that one process is to attempt now. */
export interface Piece extends Target {
  readonly id: DeliveryId
  readonly eventId: string
  readonly type: EventType
  readonly body: string
  readonly isTest: boolean
  readonly isManual: boolean
  /** the number of this attempt: whoever notes another one's end changes nothing */
  readonly attempt: number
  readonly failed: number
}

export interface NewPiece extends Piece {
  /** sent by this process at once; others wait in the queue */
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
  /** the least id of an endpoint whose turn it may be: turns go round in the order of ids */
  readonly from: string
  readonly mostTurns: number
  /** how many one endpoint is handed, where it has nothing under way */
  readonly perEndpoint: number
  /** how many more those may have that have something under way */
  readonly endpointRooms: ReadonlyMap<string, number>
  /** by organisation and mode, with a space between */
  readonly tenantRooms: ReadonlyMap<string, number>
  readonly leaseMs: number
}

export interface ClaimedPiece extends Piece {
  readonly isEndpointGone: boolean
  /** of the endpoint as it is today */
  readonly capabilities: readonly Capability[]
}

export interface Claimed {
  readonly pieces: ClaimedPiece[]
  /** the endpoint that the walk ended at, where there are more behind it */
  readonly reached: string | undefined
}

/** Beyond that a plan is worth making. */
const many = 100

type Word = string | number | boolean | null

function areSame(words: readonly Word[], others: readonly Word[]): boolean {
  for (let at = 0; at < words.length; at++) if (words[at] !== others[at]) return false
  return true
}

/**
 * What many rows have in common: each distinct row of words once, and for each of the given ones the place of its own, counted from one as the
 * database does. Most deliveries are of few tenants and end alike.
 */
function inCommon<Row>(rows: readonly Row[], wordsOf: (row: Row) => readonly Word[]) {
  const places = new Map<string, number>()
  const distinct: (readonly Word[])[] = []
  let last: { readonly words: readonly Word[]; readonly at: number } | undefined
  const place = rows.map((row) => {
    const words = wordsOf(row)
    // Nearly always the same as that of the row before: for a word by word look there is no need to make a key.
    if (last && areSame(words, last.words)) return last.at
    const key = words.join()
    let at = places.get(key)
    if (at === undefined) {
      at = distinct.push(words)
      places.set(key, at)
    }
    last = { words, at }
    return at
  })
  return {
    places: plainArray(place),
    count: distinct.length,
    /** the nth word of each distinct row */
    column: (nth: number): string => plainArray(distinct.map((words) => words[nth] ?? null)),
  }
}

export type QueuedDelivery = Pick<Piece, 'organisationId' | 'mode' | 'id'>

interface Due {
  readonly due: QueuedDelivery[]
  readonly reached: string | undefined
}

/**
 * Finds what is due, one piece of each endpoint in turn and then a second of each: however much waits for one, another's single piece is
 * among the next. Walks from endpoint to endpoint by the index instead of reading what waits, and looks at each for twice its share of what is taken:
 * of two hundred endpoints with much to do, 1,200 rows are read instead of 12,800. What another process is taking at this moment is left to it.
 */
export async function lockDue(tx: Tx, claim: QueueClaim): Promise<Due> {
  const { limit, from, mostTurns, perEndpoint, endpointRooms, tenantRooms } = claim
  const tenants = [...tenantRooms.keys()].map((tenant) => tenant.split(' '))
  const rows = await tx.rows<Due['due'][number] & { readonly reached: string | null }>(sql`
    with recursive turns as (
      (select endpoint_id, organisation_id, mode, 1 as turn from webhook_queue where endpoint_id >= ${from}::uuid order by endpoint_id limit 1)
      union all
      select next.endpoint_id, next.organisation_id, next.mode, turns.turn + 1
        from turns cross join lateral (
          select endpoint_id, organisation_id, mode from webhook_queue where endpoint_id > turns.endpoint_id order by endpoint_id limit 1) as next
       where turns.turn < ${mostTurns}::int),
    rooms as (
      select t.endpoint_id, t.turn, least(coalesce(e.room, ${perEndpoint}::int), coalesce(o.room, ${limit}::int), 1 + 2 * ${limit}::int / a.turns) as room
        from turns t
       cross join (select count(*)::int as turns from turns) as a
        left join unnest(${[...endpointRooms.keys()]}::uuid[], ${[...endpointRooms.values()]}::int[]) as e (id, room) on e.id = t.endpoint_id
        left join unnest(${tenants.map(([id]) => id)}::uuid[], ${tenants.map(([, mode]) => mode)}::text[], ${[...tenantRooms.values()]}::int[]) as o (id, mode, room)
          on o.id = t.organisation_id and o.mode = t.mode),
    chosen as (
      select piece.id from rooms cross join lateral (
        select id, row_number() over (order by due_at) as nth from (
          select id, due_at from webhook_queue where endpoint_id = rooms.endpoint_id and due_at <= now() order by due_at limit rooms.room) as due) as piece
       order by piece.nth, rooms.turn limit ${limit}::int),
    free as materialized (
      select id, organisation_id, mode from webhook_queue
       where id = any (array(select id from chosen)) and due_at <= now() for no key update skip locked)
    select free.*, cut.reached
      from (select (select endpoint_id from turns where turn = ${mostTurns}::int) as reached) as cut left join free on true`)
  return { due: rows.filter(({ id }) => id !== null), reached: rows[0]?.reached ?? undefined }
}

/**
 * Takes what is due and begins an attempt at each. One that was begun and has no end belongs to a process that died: the log says so, and that
 * it may have arrived. What has ended meanwhile waits for nothing any more. Deliveries are looked up by their whole keys, and that is planned as in
 * `saveEndings`; asked for by arrays of organisations, modes and ids, they would be found by whichever index the planner takes for the cheapest.
 */
export async function claimQueued(tx: Tx, claim: QueueClaim): Promise<Claimed> {
  const { due, reached } = await lockDue(tx, claim)
  return { pieces: due.length === 0 ? [] : await beginAttempts(tx, claim, due), reached }
}

export async function beginAttempts(
  tx: Tx,
  claim: Pick<QueueClaim, 'taker' | 'leaseMs'>,
  due: readonly QueuedDelivery[],
): Promise<ClaimedPiece[]> {
  const tenants = inCommon(due, ({ organisationId, mode }) => [organisationId, mode])
  const beginning = sql`
    with given as materialized (
      select * from unnest(${tenants.places}::int[], ${plainArray(due.map(({ id }) => id))}::uuid[]) as r (t, i)
       limit (select ${due.length}::int)),
    due as materialized (
      select (${tenants.column(0)}::uuid[])[t] as o, (${tenants.column(1)}::text[])[t] as m, i from given),
    begun as (
      update webhook_deliveries d
         set status = 'delivering', attempts = d.attempts + 1, begun_at = now(), next_attempt_at = null,
             log = case when d.status = 'delivering'
                        then d.log || jsonb_build_object('number', d.attempts, 'at', to_char(d.begun_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                                                         'latencyMs', null, 'statusCode', null, 'error', 'interrupted', 'response', null)
                        else d.log end
        from due
       where d.organisation_id = due.o and d.mode = due.m and d.id = due.i and d.closed_at is null
      returning d.organisation_id, d.mode, d.id, d.endpoint_id, d.event_id, d.type, d.body, d.is_test, d.is_manual, d.attempts as attempt, d.failed),
    taken as (
      update webhook_queue set taken_by = ${claim.taker}, due_at = now() + ${claim.leaseMs} * interval '1 millisecond'
       where id = any (array(select id from begun))),
    ended as (delete from webhook_queue where id = any (array(select i from due except select id from begun)))
    select b.*, e.dialect, e.url, e.capabilities, ${planColumn}, e.sealed_secret, e.sealed_previous_secret, e.previous_secret_until,
           e.deleted_at is not null or (e.disabled_at is not null and not b.is_manual) as is_endpoint_gone
      from begun b join webhook_endpoints e on e.organisation_id = b.organisation_id and e.mode = b.mode and e.id = b.endpoint_id`
  return await tx.rows(due.length < many ? beginning : plannedAnew(beginning))
}

/** Lets the others pass that are due, too. */
export const postponeQueued = (tx: Tx, ids: readonly DeliveryId[], ms: number): Promise<number> =>
  tx.run(sql`
    update webhook_queue set due_at = now() + ${ms} * interval '1 millisecond' where id = any (${[...ids]}::uuid[])`)

/** How an attempt ended, and what comes of it. */
export interface Ending {
  readonly piece: Pick<Piece, 'organisationId' | 'mode' | 'id' | 'endpointId' | 'attempt' | 'failed'>
  /** nothing where nobody was asked at all */
  readonly entry: Attempt | undefined
  readonly status: 'delivered' | 'failed' | 'retrying' | 'pending'
  readonly reason: string | null
  /** until the next attempt, where there is one */
  readonly waitMs: number | null
  /** whether it says that the endpoint works: tests tell nothing, neither way */
  readonly clearsFailures: boolean
  /** whether a failure of it says that the endpoint does not */
  readonly countsAsFailure?: boolean
}

/** An end that is to be written down. */
export interface Note {
  readonly ending: Ending
  /** of which batch the delivery is; others came from the queue, and leave it */
  readonly batchId: string | undefined
}

/**
 * Notes the ends of many attempts in one statement, and with them that batches are over. An end that comes too late (the delivery was
 * ended or taken anew meanwhile) changes nothing, also where it comes together with that of a later attempt. Gives those that were noted.
 *
 * Each delivery is looked up by its key. Planned while the table was all but empty, all of it would be gone through for each end instead, until
 * PostgreSQL next looks how large it has become: 20,000 deliveries in that minute cost two seconds for each 500. So the plan reckons with few ends
 * (a limit that it cannot know counts as a tenth), and where there are many it is made anew, which costs a millisecond. The log of a first attempt
 * is empty before, and is not joined to anything. What would be tried again at an endpoint that is gone is due at once: whoever takes it ends it.
 */
export async function saveEndings(
  db: Queryable,
  notes: readonly Note[],
  endedBatches: readonly string[],
  now: Date,
): Promise<readonly Ending[]> {
  const endings = notes.map(({ ending }) => ending)
  const tenants = inCommon(endings, ({ piece }) => [piece.organisationId, piece.mode])
  const ends = inCommon(notes, ({ ending: { piece, entry, status, reason, waitMs, clearsFailures }, batchId }) => [
    status,
    piece.failed,
    reason,
    waitMs,
    entry !== undefined,
    clearsFailures,
    batchId === undefined,
  ])
  // Few endpoints, and nearly none of them with failures: those are looked for first, and only then among what was noted.
  const cleared = new Map<string, Ending['piece']>()
  for (const { piece, clearsFailures } of endings) if (clearsFailures) cleared.set(piece.endpointId, piece)
  const working = inCommon([...cleared.values()], ({ organisationId, mode, endpointId }) => [
    organisationId,
    mode,
    endpointId,
  ])
  const saving = sql`
    with given as materialized (
      select * from unnest(${tenants.places}::int[], ${plainArray(endings.map(({ piece }) => piece.id))}::uuid[],
                           ${plainArray(endings.map(({ piece }) => piece.attempt))}::int[], ${ends.places}::int[])
                    with ordinality as r (t, i, n, e, nth)
       limit (select ${endings.length}::int)),
    ends as materialized (
      select (${tenants.column(0)}::uuid[])[t] as o, (${tenants.column(1)}::text[])[t] as m, i, n, nth,
             (${ends.column(0)}::text[])[e] as s, (${ends.column(1)}::int[])[e] as f, (${ends.column(2)}::text[])[e] as r,
             (${ends.column(3)}::int[])[e] as w, (${ends.column(4)}::boolean[])[e] as was_asked, (${ends.column(5)}::boolean[])[e] as c,
             (${ends.column(6)}::boolean[])[e] as q, ${JSON.stringify(endings.map(({ entry }) => (entry ? [entry] : [])))}::jsonb -> (nth - 1)::int as l
        from given),
    noted as (
      update webhook_deliveries d
         set status = ends.s, attempts = case when was_asked then ends.n else ends.n - 1 end, failed = ends.f, reason = ends.r,
             log = case when ends.n = 1 then ends.l else d.log || ends.l end,
             next_attempt_at = now() + ends.w * interval '1 millisecond', closed_at = case when ends.w is null then ${now}::timestamptz end
        from ends
       where d.organisation_id = ends.o and d.mode = ends.m and d.id = ends.i and d.attempts = ends.n and d.status = 'delivering'
      returning d.id, d.organisation_id, d.mode, d.endpoint_id, ends.w, ends.c, ends.q, ends.nth),
    ended as (delete from webhook_queue where id in (select id from noted where q and w is null)),
    queued as (
      insert into webhook_queue (id, organisation_id, mode, endpoint_id, due_at)
      select id, organisation_id, mode, endpoint_id, case when is_gone then now() else now() + w * interval '1 millisecond' end
        from (select noted.*, exists (
                select 1 from webhook_endpoints e
                 where e.organisation_id = noted.organisation_id and e.mode = noted.mode and e.id = noted.endpoint_id
                   and (e.deleted_at is not null or e.disabled_at is not null)) as is_gone
                from noted where w is not null) as noted
      on conflict (id) do update set due_at = excluded.due_at, taken_by = null),
    over as (delete from webhook_batches where id = any (${endedBatches}::uuid[])),
    working as (
      update webhook_endpoints w set failures_in_row = 0, failing_since = null
        from (select * from unnest(${working.column(0)}::uuid[], ${working.column(1)}::text[], ${working.column(2)}::uuid[]) as r (o, m, e)
               limit (select ${working.count}::int)) as t
       where w.organisation_id = t.o and w.mode = t.m and w.id = t.e and w.failures_in_row > 0
         and (select count(*) from noted where c and endpoint_id = w.id) > 0)
    select case when (select count(*) from noted) < ${endings.length}::int
                then (select array_agg(nth::int) from ends where nth not in (select nth from noted)) end as missed`
  const { missed } = await db.one<{ missed: number[] | null }>(endings.length < many ? saving : plannedAnew(saving))
  if (missed === null) return endings
  const late = new Set(missed)
  return endings.filter((_, at) => !late.has(at + 1))
}

/** Says that this process is still alive and at work on these. */
export async function renewBatches(db: Queryable, ids: readonly string[], leaseMs: number): Promise<void> {
  await db.run(sql`
    update webhook_batches set due_at = now() + ${leaseMs} * interval '1 millisecond' where id = any (${ids}::uuid[])`)
}

/** Deliveries of one tenant that a process was sending. */
interface Sent extends Tenant {
  readonly ids: readonly DeliveryId[]
}

/** Whose they are. */
export const ownersOf = (deliveries: readonly Sent[]): { tenant: Tenant; ids: readonly DeliveryId[] }[] =>
  deliveries.map(({ organisationId, mode, ids }) => ({ tenant: { organisationId, mode }, ids }))

/** Who is held up here holds up the sending: better to come again. */
export const waitBriefly = (tx: Tx): Promise<number> => tx.run(sql`set local lock_timeout = '200ms'`)

/** Deletes a batch whose process died, or one of a process that ends, and says what was in it; nothing where there is none but those that were passed. */
export async function takeLostBatch(
  tx: Tx,
  ofTaker: string | undefined,
  passed: readonly string[],
): Promise<{ readonly id: string; readonly deliveries: readonly Sent[] } | undefined> {
  return await tx.maybe(sql`
    with lost as materialized (
      select id from webhook_batches
       where case when ${ofTaker === undefined} then due_at <= now() else taken_by = ${ofTaker ?? null}::uuid end
         and id <> all (${passed}::uuid[])
       limit 1 for no key update skip locked)
    delete from webhook_batches where id in (select id from lost) returning id, deliveries`)
}

/** Lets the others pass that are lost, too. */
export const postponeBatch = (db: Pick<Queryable, 'run'>, id: string, ms: number): Promise<number> =>
  db.run(sql`update webhook_batches set due_at = now() + ${ms} * interval '1 millisecond' where id = ${id}`)

/**
 * Puts those of a tenant's deliveries into the queue whose attempts were begun and have no end; the log will say so when they are begun again. Says
 * how many. Each is locked: a process that is only slow may be noting its end at this moment, and what has ended is not to wait for anything.
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

/** What was taken from the queue and not begun with is due at once for whoever comes next. */
export async function handBackQueued(db: Queryable, taker: string): Promise<void> {
  await db.run(sql`update webhook_queue set taken_by = null, due_at = now() where taken_by = ${taker}`)
}

export interface QueueLoad {
  readonly waiting: number
  /** of what is due and nobody has taken */
  readonly overdueSeconds: number
  readonly batches: number
}

/** Counting goes no further: so many are too many. */
const mostCounted = 10_000

export function readQueueLoad(db: Queryable): Promise<QueueLoad> {
  return db.one(sql`
    select count(*)::int as waiting, greatest(0, coalesce(extract(epoch from now() - min(due_at)), 0))::float8 as overdue_seconds,
           (select count(*)::int from webhook_batches) as batches
      from (select due_at from webhook_queue limit ${mostCounted}) as first_ones`)
}
