import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { simulatorKeys } from '../../server/src/bin/simulators.ts'
import { sql } from '../../server/src/platform/database/sql.ts'
import { loadKeyRing } from '../../server/src/platform/secrets/key-file.ts'
import { createVault } from '../../server/src/platform/secrets/secrets.ts'
import { startTestApp } from '../harness/app.ts'
import { brokenMoney, collector } from '../harness/collection.ts'
import { findInvoiceFaults } from '../harness/invoice-faults.ts'
import { launch, makeHome, makeKeyFile, startNode, withoutDemo } from '../harness/processes.ts'
import { listBusy } from '../harness/quiet.ts'
import { type Reporter, reporter } from '../harness/reporters.ts'
import { brokenInvariants } from '../harness/submission-invariants.ts'
import { startReceiver } from '../harness/webhook-receiver.ts'
import { type Cluster, clusterRoles, startCluster, untilTrue } from './cluster.ts'
import { type Disaster, type DisasterName, disasters, otherOf } from './disasters.ts'
import { grantCredits, type Load, startLoad } from './load.ts'

vi.setConfig({ testTimeout: 3_600_000 })

const rounds = Number(process.env.FAILOVER_ROUNDS ?? 10)
const chosen = (process.env.FAILOVER_DISASTERS ?? 'kill,switchover,isolation,partition,disk').split(
  ',',
) as DisasterName[]
/** After a primary takes commits again, the proxy has to notice, and the nodes have to connect. */
const reconnectMs = 5_000
/** How long consumers and queues may take to catch up. */
const catchUpMs = 60_000
const say = (text: string) => process.stdout.write(`${text}\n`)

async function playRound(cluster: Cluster, load: Load, name: DisasterName): Promise<string> {
  const disaster: Disaster = disasters[name]
  const primary = await cluster.primary()
  if (!primary) throw new Error('there is no primary')
  const other = otherOf(cluster, primary)
  await wait(3_000)
  const failuresBefore = load.statuses.get(503) ?? 0
  const createdBefore = load.created.size
  const struckAt = performance.now()
  await disaster.strike(cluster, primary)
  if (disaster.endsWith === 'another primary') await untilTrue('a new primary', () => other.isPrimary(), 120)
  // The outage lasts until Patroni gives up the standby. That wait is Patroni's own time.
  if (disaster.endsWith === 'the same primary') await cluster.untilAlone(primary)
  if (disaster.endsWith === 'the repair') {
    await untilTrue('a refusal', async () => (load.statuses.get(503) ?? 0) > failuresBefore, 120)
    await wait(5_000)
    await disaster.repair(primary, other)
  }
  const endedAt = performance.now()
  await untilTrue('a create after it', async () => load.firstCreateAfter(endedAt) !== undefined, 120)
  const successAt = load.firstCreateAfter(endedAt) as number
  await wait(5_000)
  if (disaster.endsWith !== 'the repair') await disaster.repair(primary, other)
  await cluster.untilHealthy()
  expect(successAt - endedAt, `${name}: first success after ${disaster.endsWith}`).toBeLessThan(reconnectMs)
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
  return [
    name.padEnd(10),
    `${disaster.endsWith} after ${seconds(endedAt - struckAt)}`,
    `first create ${seconds(successAt - endedAt)} later`,
    `longest gap ${seconds(load.longestGap(struckAt, performance.now()))}`,
    `${(load.statuses.get(503) ?? 0) - failuresBefore} times 503`,
    `${load.created.size - createdBefore} created`,
  ].join(', ')
}

test(`the primary goes away ${rounds} times: every acknowledged effect is there exactly once`, async () => {
  const cluster = await startCluster()
  const owner = cluster.url(clusterRoles.owner)
  const url = cluster.url(clusterRoles.app)
  const SECRETS_FILE = await makeKeyFile()
  const migrating = await launch({
    command: 'migrate',
    env: { MIGRATION_DATABASE_URL: owner, DATABASE_URL: url, SECRETS_FILE },
  })
  expect((await migrating.ended).code, migrating.output()).toBe(0)

  const login = { host: '127.0.0.1', port: 5000, database: 'risiti' }
  const app = await startTestApp({
    database: { ...login, user: clusterRoles.app, url, owner: { ...login, user: clusterRoles.owner, url: owner } },
    vault: createVault(await loadKeyRing(SECRETS_FILE, { createIfMissing: false })),
    authority: ['sandbox'],
    bank: true,
    connectWithinMs: 3_000,
  })
  const { db } = app.runtime
  const receiver = await startReceiver()
  const reporters: Reporter[] = []
  for (let nth = 0; nth < 5; nth++) {
    const own = await reporter(app)
    reporters.push(own)
    const body = { url: `${receiver.url}/${nth}`, events: ['invoice.finalised'] }
    const made = await app.a.post('/n/v1/webhook-endpoints', { token: own.token, body })
    expect(made.status, made.text).toBe(201)
    await grantCredits(app, own)
  }
  const own = await collector(app)
  const accounts: string[] = []
  for (let nth = 0; nth < 4; nth++) accounts.push((await own.open({ buyerId: own.buyerId })).accountNumber)
  await app.quiet()
  await app.stopWork()
  app.bank.control.behave({ lost: 1 })

  const nrs = {
    NRS_SANDBOX_BASE_URL: app.authority.url,
    NRS_SANDBOX_API_KEY: simulatorKeys.nrs,
    NRS_SANDBOX_API_SECRET: simulatorKeys.nrsSecret,
  }
  const shared = { SECRETS_FILE, ALLOW_PRIVATE_WEBHOOKS: '1' }
  const api = (env: Record<string, string>) =>
    startNode({ args: ['--role=api'], env: { ...shared, ...nrs, ...withoutDemo, ...env } })
  const direct = await api({ DATABASE_URL: url })
  const pooled = await api({ DATABASE_URL: cluster.pooledUrl(clusterRoles.app), PREPARED_STATEMENTS: '0' })
  const home = await makeHome()
  const nobody = 'http://127.0.0.1:9'
  const addresses = { bank: app.bank.url, checkout: nobody, authority: app.authority.url, receiver: nobody }
  await writeFile(join(home, 'simulators.json'), JSON.stringify(addresses))
  const worker = await launch({ args: ['--role=worker'], env: { ...shared, DATABASE_URL: url }, home })
  await worker.said(/worker is running/)

  const load = startLoad(app, {
    clients: [direct.a, pooled.a],
    reporters,
    accounts,
    name: 'failover',
    callers: 10,
  })
  for (let round = 0; round < rounds; round++)
    say(`${round + 1}: ${await playRound(cluster, load, chosen[round % chosen.length] as DisasterName)}`)
  await load.finish()
  expect(load.faults).toEqual([])

  const stoppedAt = performance.now()
  const unfinished = async () => [
    ...(await listBusy(db)),
    ...(await db.rows(sql`
      select 'submissions' as busy, state, count(*)::int from submissions where state not in ('accepted', 'rejected') group by state`)),
    ...(await db.rows(sql`
      select 'deliveries' as busy, count(*)::int from webhook_deliveries where closed_at is null having count(*) > 0`)),
  ]
  while ((await unfinished()).length > 0 && performance.now() < stoppedAt + catchUpMs) await wait(200)
  expect(await unfinished()).toEqual([])
  const caughtUpMs = performance.now() - stoppedAt

  // The checks join whole tables, which have grown faster than their statistics.
  await app.owner.run(sql`analyze`)
  const organisations = reporters.map(({ organisationId }) => organisationId)
  const invoices = await db.rows<{ id: string; status: string }>(sql`
    select id, status from invoices where organisation_id = any (${organisations})`)
  expect(new Set(invoices.map(({ id }) => id))).toEqual(load.created)
  expect(invoices.filter(({ status }) => status !== 'draft')).toHaveLength(load.finalised.size)
  expect(invoices.filter(({ id, status }) => load.finalised.has(id) && status === 'draft')).toEqual([])
  expect(invoices.filter(({ id, status }) => load.submitted.has(id) && status !== 'accepted')).toEqual([])
  expect(invoices.filter(({ status }) => status === 'accepted')).toHaveLength(load.submitted.size)
  const { mostOfOne, documents } = app.authority.control.acceptances()
  expect({ mostOfOne, documents }).toEqual({ mostOfOne: 1, documents: load.submitted.size })

  const payments = await db.rows<{ providerReference: string; amountMinor: bigint }>(
    sql`select provider_reference, amount_minor from received_payments`,
  )
  expect(new Map(payments.map((one) => [one.providerReference, Number(one.amountMinor)]))).toEqual(load.transfers)
  expect(payments).toHaveLength(load.transfers.size)
  expect(await brokenMoney(app)).toEqual([])

  const emitted = await db.rows<{ id: string }>(sql`
    select id from events where type = 'invoice.finalised' and organisation_id = any (${organisations})`)
  const heard = new Set(receiver.requests.map(({ headers }) => String(headers['webhook-id'])))
  expect(emitted).toHaveLength(load.finalised.size)
  expect(emitted.filter(({ id }) => !heard.has(id))).toEqual([])
  expect(heard.size).toBe(emitted.length)

  expect(await findInvoiceFaults(db)).toEqual([])
  expect(await brokenInvariants(db)).toEqual({})
  expect(load.statuses.get(503), 'somebody noticed').toBeGreaterThan(0)
  const { created, finalised, submitted, transfers, statuses } = load
  say(
    `acknowledged: ${created.size} created, ${finalised.size} finalised, ${submitted.size} submitted, ${transfers.size} transfers`,
  )
  say(
    `replies: ${JSON.stringify(Object.fromEntries(statuses))}; longest request ${Math.round(load.longestRequestMs)} ms`,
  )
  say(
    `webhooks: ${receiver.requests.length} requests for ${emitted.length} events; caught up after ${Math.round(caughtUpMs)} ms`,
  )
  await worker.stop()
  await direct.stop()
  await pooled.stop()
  await app.close()
})
