import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { followLog } from '../../../../test/harness/follow-log.ts'
import { testOnOneServer } from '../../../../test/harness/one-server.ts'
import { chance, pick } from '../../../../test/harness/random-invoices.ts'
import { type EventType, eventTypes } from '../../kernel/events.ts'
import { firstIdAt, newId, type OrganisationId } from '../../kernel/ids.ts'
import { eventCounts } from '../background/count-events.ts'
import type { Database } from '../database/database.ts'
import { joined, sql } from '../database/sql.ts'
import { countEvents } from './event-counts.store.ts'
import { counting, type EventFilter, listEvents } from './event-log.store.ts'
import { eventsSince } from './log-reader.store.ts'
import { dropMonth, listMonthsToDrop } from './partitions.store.ts'

const seed = Math.floor(Math.random() * 1e9)
const next = chance(seed)
let app: TestApp
let db: Database
let organisationId: OrganisationId

const everyType = Object.keys(eventTypes) as EventType[]
const used: readonly EventType[] = [
  'invoice.created',
  'invoice.created',
  'invoice.finalised',
  'buyer.created',
  'item.created',
]
const actors = [newId(), newId(), null]
const objects = Array.from({ length: 5 }, () => newId())
const begins = Date.UTC(2026, 4, 20)
const instantAt = (days: number) => new Date(begins + Math.floor(days * 86_400_000))

beforeAll(async () => {
  app = await startTestApp()
  await app.stopWork()
  db = app.runtime.db
  organisationId = (await app.person()).organisationId
})
afterAll(() => app.close())

/** Things that happened on any of 90 days, told now. */
async function tell(count: number, idAt?: number) {
  const rows = Array.from({ length: count }, (_, nth) => ({
    id: idAt === undefined ? newId() : firstIdAt(idAt + nth),
    type: pick(next, used),
    actor: pick(next, actors),
    object: pick(next, objects),
    at: instantAt(pick(next, [Math.floor(next() * 90), next() * 90])),
  }))
  await db.run(sql`
    insert into events (organisation_id, id, type, object_id, data, actor_kind, actor_id, actor_name, address, user_agent, request_id, created_at)
    select ${organisationId}, r.id, r.type, r.object, '{}', 'user', r.actor, '', '', '', 'test', r.at
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id uuid, type text, actor uuid, object text, at timestamptz)`)
}

/** Lets the counts look through so many events. */
async function follow(limit: number): Promise<boolean> {
  return (await followLog(db, eventCounts, limit, countEvents)) !== undefined
}
async function followAll() {
  for (let rounds = 0; rounds < 100 && (await follow(500)); rounds++);
}

/** The expected result, from a scan of all events. */
async function plain({ type, actorId, objectId, from, to }: EventFilter, types: readonly EventType[], offset: number) {
  const conditions = [sql`organisation_id = ${organisationId}`, sql`type = any (${types}::text[])`]
  if (type?.endsWith('.*')) conditions.push(sql`starts_with(type, ${type.slice(0, -1)})`)
  else if (type !== undefined) conditions.push(sql`type = ${type}`)
  if (actorId !== undefined) conditions.push(sql`actor_id = ${actorId}`)
  if (objectId !== undefined) conditions.push(sql`object_id = ${objectId}`)
  if (from !== undefined) conditions.push(sql`created_at >= ${from}`)
  if (to !== undefined) conditions.push(sql`created_at < ${to}`)
  const rows = await db.rows<{ id: string }>(
    sql`select id from events where ${joined(conditions, ' and ')} order by id desc`,
  )
  return { total: rows.length, ids: rows.slice(offset, offset + 7).map(({ id }) => id) }
}

function someFilter(): EventFilter {
  const sometimes = <Value>(value: Value) => (next() < 0.4 ? value : undefined)
  const [one, other] = [next() * 95, next() * 95].sort((a, b) => a - b) as [number, number]
  const round = pick(next, [(days: number) => days, Math.floor])
  return {
    type: sometimes(pick(next, ['invoice.created', 'invoice.*', 'buyer.*', 'item.created', 'seller.*'])),
    actorId: sometimes(pick(next, [actors[0] as string, actors[1] as string, newId()])),
    objectId: next() < 0.15 ? pick(next, objects) : undefined,
    from: sometimes(instantAt(round(one))),
    to: sometimes(instantAt(round(other))),
  }
}

async function expectExact(filter: EventFilter, types: readonly EventType[]) {
  const page = { page: pick(next, [1, 1, 2, 3]), limit: 7 }
  const { rows, total } = await listEvents(db, organisationId, types, filter, page)
  const expected = await plain(filter, types, (page.page - 1) * page.limit)
  expect({ seed, filter, total, ids: rows.map(({ id }) => id) }).toEqual({ seed, filter, ...expected })
}

test('pages and totals are exact by every filter, followed or not', async () => {
  for (let round = 0; round < 10; round++) {
    await tell(30)
    await follow(1 + Math.floor(next() * 60))
    for (let at = 0; at < 12; at++)
      await expectExact(someFilter(), pick(next, [everyType, ['invoice.created', 'buyer.created']]))
  }
  await followAll()
  for (let at = 0; at < 30; at++) await expectExact(someFilter(), everyType)
})

interface Plan {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Plan[]
}

/** Rows of events that a plan has read, over all partitions. */
const met = (plan: Plan): number =>
  (/^events_(?:\d|else)/.test(plan['Relation Name'] ?? '')
    ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
    : 0) + (plan.Plans ?? []).reduce((sum, inner) => sum + met(inner), 0)

test('a total does not look at what was counted', async () => {
  await followAll()
  const looked = async (filter: EventFilter) => {
    const { text, values } = counting({ organisationId, types: everyType, filter })
    const explain = { text: `explain (analyze, format json) ${text}`, values, name: undefined }
    const row = await db.one<Record<string, [{ Plan: Plan }]>>(explain)
    return met((Object.values(row)[0] as [{ Plan: Plan }])[0].Plan)
  }
  expect(await looked({})).toBe(0)
  expect(await looked({ from: instantAt(3), to: instantAt(60), actorId: actors[0] as string })).toBe(0)
  await tell(2)
  expect(await looked({})).toBeLessThanOrEqual(2)
})

testOnOneServer('what happened since is looked for from the cursor on, by the one plan for all values', async () => {
  await tell(4_000)
  await followAll()
  await app.owner.run(sql`analyze events`)
  const { text, values } = eventsSince(eventCounts.name, organisationId)
  const plan = await app.owner.transaction(async (tx) => {
    await tx.run({ text: `prepare since as ${text}`, values: [], name: undefined })
    const explain = `explain (analyze, format json) execute since(${values.map((value) => `'${value}'`).join(', ')})`
    const row = await tx.one<Record<string, [{ Plan: Plan }]>>({ text: explain, values: [], name: undefined })
    return (Object.values(row)[0] as [{ Plan: Plan }])[0].Plan
  })
  expect(met(plan)).toBe(0)
})

test('what is no longer kept is not counted either', async () => {
  const old = Date.UTC(2020, 1, 10)
  await db.run(sql`select make_event_month('2020-02-01'::date)`)
  await tell(5, old)
  // As if nobody had counted yet.
  await app.owner.run(sql`delete from event_counts`)
  await db.run(sql`update consumer_cursors set position = 0 where consumer = ${eventCounts.name}`)
  await followAll()
  const { total } = await listEvents(db, organisationId, everyType, {}, { page: 1, limit: 1 })
  for (const month of await listMonthsToDrop(db, 13)) await dropMonth(db, month)
  expect(await listEvents(db, organisationId, everyType, {}, { page: 1, limit: 1 })).toMatchObject({ total: total - 5 })
  await expectExact({}, everyType)
})
