import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
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
import { startArchivedServer } from './backup.ts'
import { untilTrue } from './cluster.ts'
import { grantCredits, type Load, startLoad } from './load.ts'

vi.setConfig({ testTimeout: 3_600_000 })

const minutes = Number(process.env.RESTORE_MINUTES ?? 10)
const roles = { owner: 'risiti_owner', app: 'risiti_app' }
/** How long the load lasts before the moment, and again after the restore. */
const loadMs = 60_000
const catchUpSeconds = 180
const say = (text: string) => process.stdout.write(`${text}\n`)

const snapshotOf = ({ created, finalised, submitted }: Load) => ({
  created: new Set(created),
  finalised: new Set(finalised),
  submitted: new Set(submitted),
})

test(`restored to ${minutes} minutes ago, the service runs on: the ledgers balance, and every transfer is found again`, async () => {
  const server = await startArchivedServer()
  onTestFinished(() => server.stop())
  await server.psql(`create role ${roles.owner} login`)
  await server.psql(`create role ${roles.app} login`)
  await server.psql(`create database risiti owner ${roles.owner}`)
  const url = server.url(roles.app)
  const SECRETS_FILE = await makeKeyFile()
  const migrating = await launch({
    command: 'migrate',
    env: { SECRETS_FILE, DATABASE_URL: url, MIGRATION_DATABASE_URL: server.url(roles.owner) },
  })
  expect((await migrating.ended).code, migrating.output()).toBe(0)

  // This process takes the notifications of the bank. Its own background work is stopped.
  const login = { host: '127.0.0.1', port: server.port, database: 'risiti' }
  const app = await startTestApp({
    database: { ...login, user: roles.app, url, owner: { ...login, user: roles.owner, url: server.url(roles.owner) } },
    vault: createVault(await loadKeyRing(SECRETS_FILE, { createIfMissing: false })),
    authority: ['sandbox'],
    bank: true,
  })
  const { db } = app.runtime
  const receiver = await startReceiver()
  const reporters: Reporter[] = []
  for (let nth = 0; nth < 3; nth++) {
    const own = await reporter(app)
    reporters.push(own)
    const body = { url: `${receiver.url}/${nth}`, events: ['invoice.finalised'] }
    expect((await app.a.post('/n/v1/webhook-endpoints', { token: own.token, body })).status).toBe(201)
    await grantCredits(app, own)
  }
  const collecting = await collector(app)
  const accounts: string[] = []
  for (let nth = 0; nth < 4; nth++)
    accounts.push((await collecting.open({ buyerId: collecting.buyerId })).accountNumber)
  await app.quiet()
  await app.stopWork()
  // The simulated bank sends none: the load sends each notification until it is acknowledged.
  app.bank.control.behave({ lost: 1 })
  await server.backUp()

  const home = await makeHome()
  const nobody = 'http://127.0.0.1:9'
  const addresses = { bank: app.bank.url, checkout: nobody, authority: app.authority.url, receiver: nobody }
  await writeFile(join(home, 'simulators.json'), JSON.stringify(addresses))
  const shared = { SECRETS_FILE, DATABASE_URL: url, ALLOW_PRIVATE_WEBHOOKS: '1' }
  const nrs = {
    NRS_SANDBOX_BASE_URL: app.authority.url,
    NRS_SANDBOX_API_KEY: simulatorKeys.nrs,
    NRS_SANDBOX_API_SECRET: simulatorKeys.nrsSecret,
  }
  const startNodes = async () => {
    const api = await startNode({ args: ['--role=api'], env: { ...shared, ...nrs, ...withoutDemo } })
    const worker = await launch({ args: ['--role=worker'], env: shared, home })
    await worker.said(/worker is running/)
    return { api, worker }
  }
  const organisations = reporters.map(({ organisationId }) => organisationId)
  const invoicesNow = async () =>
    new Map(
      (
        await db.rows<{ id: string; status: string }>(
          sql`select id, status from invoices where organisation_id = any (${organisations})`,
        )
      ).map(({ id, status }) => [id, status]),
    )
  const recordedTransfers = async () =>
    new Map(
      (
        await db.rows<{ reference: string; amountMinor: bigint }>(
          sql`select provider_reference as reference, amount_minor from received_payments`,
        )
      ).map(({ reference, amountMinor }) => [reference, Number(amountMinor)]),
    )

  let { api, worker } = await startNodes()
  const first = startLoad(app, { clients: [api.a], reporters, accounts, name: 'restore-before', callers: 4 })
  await wait(loadMs)
  const before = snapshotOf(first)
  const moment = await server.now()
  await wait(minutes * 60_000)
  await first.finish()
  expect(first.faults).toEqual([])
  expect((await api.stop()).code).toBe(0)
  expect((await worker.stop()).code).toBe(0)
  await server.restoreTo(moment)

  // What was acknowledged before the moment is there. Later work is gone, but only from our database.
  await untilTrue('the first answer', async () => (await invoicesNow()).size > 0)
  const restored = await invoicesNow()
  expect([...before.created].filter((id) => !restored.has(id))).toEqual([])
  expect([...before.finalised].filter((id) => restored.get(id) === 'draft')).toEqual([])
  const transfersBefore = await recordedTransfers()
  const lost = [...first.created].filter((id) => !restored.has(id)).length
  const lostTransfers = [...first.transfers.keys()].filter((reference) => !transfersBefore.has(reference)).length
  expect(lost).toBeGreaterThan(0)
  expect(lostTransfers).toBeGreaterThan(0)
  const { documents } = app.authority.control.acceptances()
  say(`lost: ${lost} of ${first.created.size} invoices, ${lostTransfers} of ${first.transfers.size} transfers`)

  ;({ api, worker } = await startNodes())
  const second = startLoad(app, { clients: [api.a], reporters, accounts, name: 'restore-after', callers: 4 })
  await wait(loadMs)
  await second.finish()
  const loadEndedAt = performance.now()
  expect(second.faults).toEqual([])
  const transfers = new Map([...first.transfers, ...second.transfers])
  await untilTrue(
    'every transfer that the bank knows',
    async () => (await recordedTransfers()).size === transfers.size,
    catchUpSeconds,
  )
  const unfinished = async () => [
    ...(await listBusy(db)),
    ...(await db.rows(sql`
      select state, count(*)::int from submissions where state not in ('accepted', 'rejected') group by state`)),
    ...(await db.rows(sql`select count(*)::int from webhook_deliveries where closed_at is null having count(*) > 0`)),
    ...(await db.rows(sql`select id from received_payments where reconciliation_status = 'pending' limit 1`)),
  ]
  await untilTrue('the end of all work', async () => (await unfinished()).length === 0, catchUpSeconds)
  say(`all work was done ${Math.round((performance.now() - loadEndedAt) / 1000)} s after the end of the load`)

  await app.owner.run(sql`analyze`)
  expect(await recordedTransfers()).toEqual(transfers)
  const invoices = await invoicesNow()
  expect(new Set(invoices.keys())).toEqual(new Set([...restored.keys(), ...second.created]))
  const submitted = [...before.submitted, ...second.submitted]
  expect(submitted.filter((id) => invoices.get(id) !== 'accepted')).toEqual([])
  const atAuthority = app.authority.control.acceptances()
  expect(atAuthority.mostOfOne).toBe(1)
  // All invoices of the load have the same content, so a new one under the number of a lost one is the document that the authority has.
  // `restore.test.ts` shows what happens to another content.
  expect(atAuthority.documents - documents).toBeLessThan(second.submitted.size)

  const emitted = await db.rows<{ id: string }>(sql`
    select id from events where type = 'invoice.finalised' and organisation_id = any (${organisations})`)
  const heard = new Set(receiver.requests.map(({ headers }) => String(headers['webhook-id'])))
  expect(emitted.filter(({ id }) => !heard.has(id))).toEqual([])
  const gaps = sql`select organisation_id from events group by organisation_id having max(position) <> count(*)`
  expect(await db.rows(gaps), 'positions without gaps').toEqual([])
  const ahead = sql`
    select c.consumer, c.organisation_id from consumer_cursors c
     where c.position > (select coalesce(max(e.position), 0) from events e where e.organisation_id = c.organisation_id)`
  expect(await db.rows(ahead), 'consumers ahead of their log').toEqual([])
  expect(await brokenMoney(app)).toEqual([])
  expect(await findInvoiceFaults(db)).toEqual([])
  expect(await brokenInvariants(db)).toEqual({})
  say(
    `after it: ${second.created.size} created, ${second.submitted.size} submitted, ${atAuthority.documents - documents} new at the authority, ${transfers.size} transfers`,
  )
  await worker.stop()
  await api.stop()
  await app.close()
})
