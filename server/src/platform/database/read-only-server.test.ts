import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { capturedLog, type Person, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { openLink } from '../../../../test/harness/link.ts'
import { requireWritable } from './connections.store.ts'
import { openDatabase } from './database.ts'
import { sql } from './sql.ts'
import { untilWritable } from './until-writable.ts'

let app: TestApp
let admin: pg.Client
let owner: Person
beforeAll(async () => {
  app = await startTestApp()
  owner = await app.person()
  admin = new pg.Client({ ...inject('postgres'), database: 'postgres' })
  await admin.connect()
})
afterAll(async () => {
  await admin.end()
  await app.close()
})

/** As in a failover: all connections end, and the new ones lead to a server that accepts no writes, or to one that does. */
async function becomes(kind: 'read-only' | 'writable'): Promise<void> {
  const { database } = app.database
  const change = kind === 'read-only' ? 'set default_transaction_read_only = on' : 'reset default_transaction_read_only'
  await admin.query(`alter database ${database} ${change}`)
  if (kind === 'read-only')
    await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`)
}

const newBuyer = () =>
  app.a.post('/i/v1/buyers', {
    token: owner.token,
    body: { name: `Buyer ${randomUUID()}` },
    headers: { 'idempotency-key': randomUUID() },
  })

test('while the server accepts no writes, replies are 503; afterwards every confirmed buyer is there once', async () => {
  const statuses = new Map<number, number>()
  const confirmed = new Set<string>()
  let isOver = false
  const clients = Array.from({ length: 6 }, async () => {
    while (!isOver) {
      const reply = await newBuyer()
      statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
      if (reply.status === 201) confirmed.add(reply.data.id)
      if (reply.status === 503) expect(reply.headers.get('retry-after')).not.toBeNull()
    }
  })
  const count = (status: number) => statuses.get(status) ?? 0
  await eventually(async () => expect(count(201)).toBeGreaterThan(20))
  await becomes('read-only')
  await eventually(async () => expect(count(503)).toBeGreaterThan(20))
  // Read-only sessions stay read-only, so the service must open new ones.
  await becomes('writable')
  const before = count(201)
  await eventually(async () => expect(count(201)).toBeGreaterThan(before + 20))
  isOver = true
  await Promise.all(clients)
  expect([...statuses.keys()].sort()).toEqual([201, 503])
  const stored = await app.runtime.db.rows<{ id: string }>(
    sql`select id from buyers where organisation_id = ${owner.organisationId}`,
  )
  const ids = new Set(stored.map(({ id }) => id))
  expect([...confirmed].filter((id) => !ids.has(id))).toEqual([])
  // A client whose connection was cut during its commit got 503, although its buyer may be there.
  expect(ids.size).toBeLessThanOrEqual(confirmed.size + clients.length)
})

test('the readiness check fails while the server accepts no writes, and passes again without another request', async () => {
  const db = openDatabase({ connection: app.database.url, poolSize: 1 })
  try {
    await requireWritable(db)
    await becomes('read-only')
    await eventually(async () => expect(requireWritable(db)).rejects.toThrow('accepts no writes'))
    await becomes('writable')
    await eventually(() => requireWritable(db))
  } finally {
    await db.end()
  }
})

test('a start waits until the server accepts writes, and says so', async () => {
  await becomes('read-only')
  const { log, text } = capturedLog()
  let isWaiting = true
  const waiting = untilWritable(app.database.url, log, { pauseMs: 10 }).then(() => {
    isWaiting = false
  })
  await eventually(async () => expect(text()).toContain('database.read_only'))
  expect(isWaiting).toBe(true)
  await becomes('writable')
  await waiting
})

test('a start waits while connections are refused, and says so', async () => {
  const link = await openLink(app.database)
  link.cut()
  const { log, text } = capturedLog()
  const waiting = untilWritable(link.url, log, { pauseMs: 10 })
  await eventually(async () => expect(text()).toContain('database.unreachable'))
  link.pass()
  await waiting
})

test('a start without any connection fails when the time is over', async () => {
  const { log, text } = capturedLog()
  const times = { pauseMs: 5, mostMsWithoutConnection: 50 }
  await expect(untilWritable('postgresql://x@127.0.0.1:1/x', log, times)).rejects.toMatchObject({
    code: 'ECONNREFUSED',
  })
  expect(text()).toContain('database.unreachable')
})

test('a start fails at once if the database refuses the login', async () => {
  const { log, text } = capturedLog()
  const nobody = app.database.url.replace(/\/\/\w+@/, '//nobody_at_all@')
  await expect(untilWritable(nobody, log)).rejects.toMatchObject({ code: '28000' })
  expect(text()).toBe('')
})
