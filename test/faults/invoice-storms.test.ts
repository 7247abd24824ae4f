import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../server/src/platform/database/database.ts'
import { sql } from '../../server/src/platform/database/sql.ts'
import { unfollowed } from '../harness/follow-lists.ts'
import { findInvoiceFaults } from '../harness/invoice-faults.ts'
import { expectListed, followed, install } from '../harness/invoice-installation.ts'
import { invoiceLoad } from '../harness/invoice-load.ts'
import type { Issuer } from '../harness/invoices.ts'
import { invoicesPath } from '../harness/issued.ts'
import { openLink } from '../harness/link.ts'
import { listLockWaits } from '../harness/lock-waits.ts'
import { type ServerNode, startNode, until } from '../harness/processes.ts'
import { chance, changeAtRandom, insertRandomInvoices, makeWorld, pick } from '../harness/random-invoices.ts'
import { casesToTry } from '../harness/runs.ts'

const seed = Number(process.env.INVOICES_SEED ?? Math.floor(Math.random() * 1e9))
process.stdout.write(`INVOICES_SEED=${seed}\n`)
const next = chance(seed)
const clients = 16

test('during a database outage every reply is 503, and nothing is charged without its effect', async () => {
  const { db, database, env, owners } = await install({ organisations: 2 })
  const load = invoiceLoad(owners, next)
  const link = await openLink(database)
  const node = await startNode({ env: { ...env, DATABASE_URL: link.url } })
  // Slows every invoice down, so that a kill always hits one in progress.
  const owner = openDatabase({ connection: database.owner.url, applicationName: 'test', poolSize: 1 })
  onTestFinished(() => owner.end())
  await owner.run(sql`
    create function take_a_while() returns trigger language plpgsql as $$ begin perform pg_sleep(0.01); return null; end $$`)
  await owner.run(sql`create trigger takes_a_while after insert on invoices execute function take_a_while()`)
  const terminate = sql`
    select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name like 'risiti%'`
  const work = load.start(node, clients)
  // Nine rounds at least, and on until an answer was lost although its invoice was made.
  for (let round = 0; round < 9 || (round < 60 && !(await load.hasLostAnswers(db))); round++) {
    await work.goesOn(15 + Math.floor(next() * 20))
    if (round % 3 === 0) await db.run(terminate)
    else {
      link.cut()
      // In some rounds connections can be made at once, in others the outage lasts.
      if (round % 3 === 1) await wait(50 + Math.floor(next() * 100))
      link.pass()
    }
  }
  await work.goesOn(40)
  await work.callOff()
  await load.finish(node)
  expect([...load.statuses.keys()].toSorted(), 'answers').toEqual([201, 503])
  expect(await load.expectAllKept(db), 'what was made although its answer was lost').toBeGreaterThan(0)
  expect(await findInvoiceFaults(db)).toEqual([])
  await followed(db)
  for (const own of owners) await expectListed(db, node, own)
  expect((await node.stop()).code).toBe(0)
})

test('two servers give consecutive numbers to one organisation without deadlocks', async () => {
  const { db, env, owners } = await install({ organisations: 1 })
  const [own] = owners as [Issuer]
  const load = invoiceLoad(owners, next)
  const nodes = await Promise.all([startNode({ env, args: ['--role=api'] }), startNode({ env, args: ['--role=api'] })])
  const [first, second] = nodes as [ServerNode, ServerNode]
  // The first invoices create the series, on both nodes at the same time.
  const works = nodes.map((node) => load.start(node, clients / 2))
  await Promise.all(works.map((work) => work.goesOn(casesToTry(80, 200))))
  const both = Array.from({ length: 10 }, () => load.newRequest(own, true))
  await Promise.all(both.flatMap((asked) => [load.ask(asked, first), load.ask(asked, second)]))
  for (const work of works) await work.callOff()
  expect([...load.statuses.keys()]).toEqual([201])
  await load.expectAllKept(db)
  expect(await findInvoiceFaults(db)).toEqual([])
  await expectListed(db, first, own)
  // A server's counts are final when its connections are closed.
  for (const node of nodes) expect((await node.stop()).code).toBe(0)
  const { deadlocks } = await db.one<{ deadlocks: bigint }>(
    sql`select deadlocks from pg_stat_database where datname = current_database()`,
  )
  expect(deadlocks).toBe(0n)
})

/** Reads every page of the list. */
async function idsListed({ a }: ServerNode, { token }: Issuer): Promise<string[]> {
  const ids: string[] = []
  for (let page = 1; ; page++) {
    const { status, data, text } = await a.get(`${invoicesPath}?limit=100&page=${page}`, { token })
    expect(status, text).toBe(200)
    ids.push(...data.map(({ id }: { id: string }) => id))
    if (data.length < 100) return ids
  }
}

test('lists are exact although the consumer that follows invoices is killed', async () => {
  const { db, database, env, owners } = await install({ organisations: 1 })
  const owner = openDatabase({ connection: database.owner.url, poolSize: 1 })
  onTestFinished(() => owner.end())
  const [own] = owners as [Issuer]
  const tenant = { organisationId: own.organisationId, mode: 'sandbox' } as const
  const world = await makeWorld(db, tenant)
  // More than one batch of the consumer.
  const many = 1_200
  const ids = await insertRandomInvoices(db, tenant, world, many, next)
  const expectExact = async (node: ServerNode) => {
    await expectListed(db, node, own)
    const rows = await db.rows<{ id: string }>(sql`select id from invoices`)
    expect((await idsListed(node, own)).toSorted()).toEqual(rows.map(({ id }) => id).toSorted())
  }

  // The consumer stops at the last invoice, whose list row the test has locked. The process is killed with this last
  // batch uncommitted.
  const release = Promise.withResolvers<void>()
  onTestFinished(() => release.resolve())
  const held = db.transaction(async (tx) => {
    await tx.run(sql`set local idle_in_transaction_session_timeout = 0`)
    await tx.run(sql`
      insert into invoice_listing (organisation_id, mode, id, created_at, facets, issue_date, net_minor, payable_minor, tax_minor, paid_minor,
                                   due_minor, number_key, codes)
      values (${tenant.organisationId}, ${tenant.mode}, ${ids.at(-1)}, now(), 0, '2026-01-01', 0, 0, 0, 0, 0, '', '{}')`)
    await release.promise
    throw new Error('never mind')
  })
  held.catch(() => {})
  const first = await startNode({ env })
  await until(async () => (await unfollowed(db)) < many, 'a batch that was followed')
  await expectExact(first)
  await until(async () => (await listLockWaits(owner)).length > 0, 'a follower that waits')
  const left = await unfollowed(db)
  expect(left).toBeLessThan(many)
  await first.kill()

  const second = await startNode({ env })
  // The event of the locked row is left. The others may be followed one by one after a lock timeout.
  const stillLeft = await unfollowed(db)
  expect(stillLeft).toBeGreaterThan(0)
  expect(stillLeft).toBeLessThanOrEqual(left)
  await expectExact(second)
  release.resolve()
  await expect(held).rejects.toThrow('never mind')
  for (let changes = 0; changes < 50; changes++) await changeAtRandom(db, tenant, world, pick(next, ids), next)
  expect(await unfollowed(db)).toBeGreaterThan(0)
  await expectExact(second)
  await followed(db)
  await expectExact(second)
  expect((await second.stop()).code).toBe(0)
})
