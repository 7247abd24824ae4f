import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { newId, type OrganisationId } from '../../kernel/ids.ts'
import type { Queryable } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { silentLogger } from '../logger.ts'
import { type ReadEvent, startOf } from './log-reader.store.ts'
import { startTail, type Tail, type TailBounds, tailBounds } from './tail.ts'

let app: TestApp
let tail: Tail | undefined
beforeAll(async () => {
  app = await startTestApp()
  await app.stopWork()
})
afterEach(() => tail?.stop())
afterAll(() => app.close())

/** Ranges of servers, as a coordinator knows them. The events of all of them are in one database. */
const onServers = (db: Queryable, ranges: () => readonly number[]): Queryable => ({
  ...db,
  rows: async <Row>(statement: Parameters<Queryable['rows']>[0]) =>
    statement.text === 'select 0 as range'
      ? (ranges().map((range) => ({ range })) as Row[])
      : await db.rows<Row>(statement),
})

/** Each test has numbers of its own in each range. */
let numbers = 0n
const later = () => {
  numbers += 10_000n
}

/** Appends events as a server does, with numbers of its range. */
async function append(
  range: number,
  many: number,
  organisationId: OrganisationId,
  db: Queryable = app.owner,
): Promise<void> {
  const ids = Array.from({ length: many }, () => newId())
  const first = startOf(BigInt(range)) + numbers + 1n
  numbers += BigInt(many)
  await db.run(sql`
    insert into events (organisation_id, mode, id, seq, type, object_id, data, actor_kind, actor_name, address, user_agent, request_id, created_at)
    select ${organisationId}, 'sandbox', id, ${first}::bigint + nth - 1, 'buyer.updated', id::text, '{}', 'system', 'test', '', '', 'test', now()
      from unnest(${ids}::uuid[]) with ordinality as e (id, nth) order by nth`)
}

/** Follows events on these servers until the test ends. */
async function follow(ranges: () => readonly number[], bounds: Partial<TailBounds>) {
  const seen: { begins: number; reads: (readonly ReadEvent[])[] } = { begins: 0, reads: [] }
  const listener = {
    begun: () => {
      seen.begins++
    },
    grew: (events: readonly ReadEvent[]) => {
      seen.reads.push(events)
    },
  }
  const db = onServers(app.runtime.db, ranges)
  tail = startTail(db, silentLogger, listener, { ...tailBounds, restMs: 1, idleMs: 20, ...bounds })
  await eventually(async () => expect(seen.begins).toBe(1))
  return { seen, tail }
}

const readFor = (reads: readonly (readonly ReadEvent[])[], organisationId: OrganisationId): number =>
  reads.flat().filter((event) => event.organisationId === organisationId).length

test('the events of a server that was added later are read, and memory no longer says that a log has no more', async () => {
  later()
  const servers = [0, 1]
  const owner = newId<'organisation'>()
  const { seen, tail } = await follow(() => servers, { rangesEveryMs: 50 })
  await append(1, 2, owner)
  await eventually(async () => expect(tail.after(owner, 2, 10)).toEqual([]))

  // Its shard moves to the new server, which numbers the next event.
  await append(2, 1, owner)
  servers.push(2)
  await eventually(async () => expect(seen.begins).toBe(2))
  expect(tail.after(owner, 2, 10)).toBe(undefined)
  await append(2, 1, owner)
  await eventually(async () => expect(tail.after(owner, 3, 10)).toMatchObject([{ position: 4 }]))
  expect(seen.begins).toBe(2)
})

test('one server is never asked for others', async () => {
  let asked = 0
  const ranges = () => {
    asked++
    return [0]
  }
  await follow(ranges, { rangesEveryMs: 0 })
  const owner = newId<'organisation'>()
  for (const position of [1, 2, 3]) {
    later()
    await append(0, 1, owner)
    await eventually(async () => expect(tail?.after(owner, position - 1, 1)).toHaveLength(1))
  }
  expect(asked).toBe(1)
})

test('the backlog of one server does not delay the events of the others', async () => {
  later()
  const [busy, beside, last] = [newId<'organisation'>(), newId<'organisation'>(), newId<'organisation'>()]
  const { seen, tail } = await follow(() => [0, 1, 2, 3], { batchSize: 10, restMs: 60_000, idleMs: 60_000 })
  // Together: the first read may come at any moment.
  await app.owner.transaction(async (tx) => {
    await append(1, 100, busy, tx)
    await append(2, 1, beside, tx)
    await append(3, 1, last, tx)
  })
  tail.wake()
  await eventually(async () => expect(readFor(seen.reads, busy)).toBe(100))
  expect(readFor(seen.reads.slice(0, 2), beside)).toBe(1)
  expect(readFor(seen.reads.slice(0, 2), last)).toBe(1)
  await eventually(async () => expect(seen.reads.flat()).toHaveLength(102))
})
