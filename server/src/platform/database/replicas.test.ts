import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { capturedLog, type Person, startTestApp, type TestApp, testVault } from '../../../../test/harness/app.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { type Link, openLink } from '../../../../test/harness/link.ts'
import { type ReplicatedPostgres, startReplicatedPostgres } from '../../../../test/harness/replicated-postgres.ts'
import { silentLogger } from '../logger.ts'
import { type Database, openDatabase } from './database.ts'
import { openReplicas } from './replicas.ts'
import { sql } from './sql.ts'

/** Patient enough for a busy machine, and quick to come back. */
const pace = { catchUpMs: 500, checkMs: 50 }

let servers: ReplicatedPostgres
let link: Link
let nodes: readonly [TestApp, TestApp]
let owner: Person
const { log, text: logged } = capturedLog()
beforeAll(async () => {
  servers = await startReplicatedPostgres()
  link = await openLink(servers.standby)
  const shared = { database: servers.primary, vault: testVault(), replicas: { urls: [link.url], ...pace } }
  nodes = [await startTestApp({ ...shared, log }), await startTestApp(shared)]
  owner = await nodes[0].person()
  await nodes[0].openAccount(owner.organisationId)
})
afterAll(async () => {
  await Promise.all((nodes ?? []).map((node) => node.close()))
  await servers?.stop()
})

const metric = async (node: TestApp, name: string): Promise<number> => {
  const text = (await node.runtime.replicas?.metrics()) ?? ''
  const line = text.split('\n').find((one) => one.startsWith(`${name}{`) && !one.includes('server="primary"'))
  return Number(line?.split(' ').at(-1))
}
const movedReads = async () => {
  const counts = await Promise.all(nodes.map((node) => metric(node, 'risiti_replica_reads_total')))
  return counts.reduce((sum, count) => sum + count, 0)
}
const whileUsed = (used: boolean) =>
  eventually(async () => {
    for (const node of nodes) expect(await metric(node, 'risiti_replica_used')).toBe(Number(used))
  })

const newBuyer = async (node: TestApp): Promise<string> => {
  const body = { name: `Buyer ${randomUUID()}` }
  const { status, data } = await node.a.post('/i/v1/buyers', { token: owner.token, body })
  expect(status).toBe(201)
  return data.id
}

/** Creates buyers through one node, and reads each at once through the other, by id and in the list. */
async function writeHereReadThere(times: number): Promise<void> {
  for (let round = 0; round < times; round++) {
    const [writer, reader] = round % 2 === 0 ? nodes : [nodes[1], nodes[0]]
    const id = await newBuyer(writer)
    const [one, list] = await Promise.all([
      reader.a.get(`/i/v1/buyers/${id}`, { token: owner.token }),
      reader.a.get('/i/v1/buyers', { token: owner.token }),
    ])
    expect([one.status, list.status]).toEqual([200, 200])
    expect(one.data.id).toBe(id)
    expect(list.data.map((buyer: { id: string }) => buyer.id)).toContain(id)
  }
}

test('reads use the replica, and a write through one node is seen by the next read through another', async () => {
  await whileUsed(true)
  const before = await movedReads()
  await writeHereReadThere(20)
  expect(await movedReads()).toBeGreaterThan(before)
  expect(link.statements.length).toBeGreaterThan(0)
})

test('while the replica stands still, every read still sees the writes before it, and it is used again afterwards', async () => {
  await whileUsed(true)
  await servers.pauseReplay()
  await writeHereReadThere(4)
  await whileUsed(false)
  expect(logged()).toContain('more than 500 ms behind')
  await servers.resumeReplay()
  await whileUsed(true)
  await writeHereReadThere(2)
})

const statistics = '/i/v1/invoices/statistics'

/** Reads and writes without a pause while something happens to the replica; every reply must be a success. */
async function underLoad(happen: () => Promise<void>): Promise<void> {
  let isOver = false
  const statuses = new Set<number>()
  const clients = nodes.map(async (node) => {
    for (let round = 0; !isOver; round++) {
      const { status } = await node.a.get(statistics, { token: owner.token })
      statuses.add(status)
      if (round % 10 === 0) await writeHereReadThere(1)
    }
  })
  try {
    await happen()
  } finally {
    isOver = true
    await Promise.all(clients)
  }
  expect([...statuses]).toEqual([200])
}

test('a replica that is killed fails no request, and is used again once it is back', async () => {
  await whileUsed(true)
  await underLoad(async () => {
    servers.killStandby()
    await whileUsed(false)
    await servers.startStandby()
    await whileUsed(true)
  })
  const before = await movedReads()
  await writeHereReadThere(2)
  expect(await movedReads()).toBeGreaterThan(before)
})

test('a replica whose network swallows everything fails no request', async () => {
  await whileUsed(true)
  await underLoad(async () => {
    link.blackhole()
    await whileUsed(false)
    link.pass()
    await whileUsed(true)
  })
})

test('a statement that a replica cancels in favour of its replay is repeated on the primary', async () => {
  await whileUsed(true)
  const [{ runtime, owner: admin }] = nodes
  await admin.run(sql`
    create function cancelled() returns void language plpgsql as $$ begin raise exception sqlstate '40001'; end $$`)
  await eventually(async () => {
    const db = await runtime.replicas?.forRead()
    expect(db).not.toBe(runtime.db)
    const answer = await db?.one(
      sql`select pg_is_in_recovery() as standby, case when pg_is_in_recovery() then cancelled() end`,
    )
    expect(answer).toMatchObject({ standby: false })
    // A later statement of the same read must not see less.
    expect(await db?.one(sql`select pg_is_in_recovery() as standby`)).toEqual({ standby: false })
  })
})

test('a replica on which a statement fails is left out, and the primary answers', async () => {
  await whileUsed(true)
  const [{ runtime, owner: admin }] = nodes
  await admin.run(sql`
    create function damaged() returns void language plpgsql as $$ begin raise exception sqlstate 'XX001'; end $$`)
  const db = await runtime.replicas?.forRead()
  expect(db).not.toBe(runtime.db)
  const answer = await db?.one(
    sql`select pg_is_in_recovery() as standby, case when pg_is_in_recovery() then damaged() end`,
  )
  expect(answer).toMatchObject({ standby: false })
  expect(logged()).toContain('A statement failed on it.')
  await expect(db?.one(sql`select 1 / 0`)).rejects.toThrow('division by zero')
  await whileUsed(true)
})

test('nothing is written through the replica', async () => {
  expect(await servers.standbyLog()).not.toMatch(/cannot execute|read-only transaction/)
})

test('a server that is not a standby of the primary is left out, and the log says why', async () => {
  const primary = openDatabase({ connection: servers.primary.url })
  const own = capturedLog()
  const replicas = openReplicas(primary, { connection: servers.primary.url }, [servers.primary.url], own.log, pace)
  try {
    await eventually(async () => expect(own.text()).toContain('not a standby'))
    expect(await replicas.forRead()).toBe(primary)
  } finally {
    await replicas.close()
    await primary.end()
  }
})

test('closing ends all connections', async () => {
  const primary = openDatabase({ connection: servers.primary.url })
  const replicas = openReplicas(primary, { connection: servers.primary.url }, [link.url], silentLogger, pace)
  await eventually(async () => expect(await replicas.forRead()).not.toBe(primary))
  await replicas.close()
  await primary.end()
})

test('after a failover, a replica is used once it is known to be on the timeline of the new primary, and left out when it falls silent', async () => {
  const follower = await servers.startFollower()
  const toFollower = await openLink(follower)
  await servers.promoteStandby()
  const [promoted, admin, ofFollower] = [servers.standby.url, servers.standby.owner.url, follower.owner.url].map(
    (connection) => openDatabase({ connection }),
  ) as [Database, Database, Database]
  const own = capturedLog()
  const replicas = openReplicas(promoted, { connection: servers.standby.url }, [toFollower.url], own.log, pace)
  try {
    await eventually(async () =>
      expect(own.text()).toContain('on timeline 1 of the write-ahead log, and the primary is on 2'),
    )
    expect(await replicas.forRead()).toBe(promoted)
    // A standby writes its timeline down at a checkpoint, some minutes after a failover.
    await eventually(async () => {
      await admin.run(sql`checkpoint`)
      await ofFollower.run(sql`checkpoint`)
      expect(replicas.counts()).toEqual({ all: 1, used: 1 })
    })
    expect(await replicas.forRead()).not.toBe(promoted)
    // Nothing is written here, so no read has to wait for the replica. It is left out nevertheless.
    toFollower.blackhole()
    await eventually(async () => expect(replicas.counts().used).toBe(0))
    toFollower.pass()
  } finally {
    await replicas.close()
    for (const db of [promoted, admin, ofFollower]) await db.end()
  }
})
