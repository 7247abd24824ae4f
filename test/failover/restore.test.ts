import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { simulatorKeys } from '../../server/src/bin/simulators.ts'
import { openDatabase } from '../../server/src/platform/database/database.ts'
import { sql } from '../../server/src/platform/database/sql.ts'
import { loadKeyRing } from '../../server/src/platform/secrets/key-file.ts'
import { createVault } from '../../server/src/platform/secrets/secrets.ts'
import { startAuthoritySimulator } from '../../simulators/src/authority/index.ts'
import { startTestApp } from '../harness/app.ts'
import type { Client } from '../harness/client.ts'
import { eventually } from '../harness/eventually.ts'
import { findInvoiceFaults } from '../harness/invoice-faults.ts'
import { invoiceBody } from '../harness/invoices.ts'
import { invoicesPath, ok } from '../harness/issued.ts'
import { launch, makeKeyFile, type ServerNode, startNode, withoutDemo } from '../harness/processes.ts'
import { listBusy } from '../harness/quiet.ts'
import { reporter } from '../harness/reporters.ts'
import { brokenInvariants } from '../harness/submission-invariants.ts'
import { startReceiver } from '../harness/webhook-receiver.ts'
import { startArchivedServer } from './backup.ts'

vi.setConfig({ testTimeout: 1_800_000 })

const roles = { owner: 'risiti_owner', app: 'risiti_app' }

test('restored to an earlier moment, the service runs on: nothing is registered twice, and nobody misses an event', async () => {
  const server = await startArchivedServer()
  onTestFinished(() => server.stop())
  await server.psql(`create role ${roles.owner} login`)
  await server.psql(`create role ${roles.app} login`)
  await server.psql(`create database risiti owner ${roles.owner}`)
  const url = server.url(roles.app)
  const SECRETS_FILE = await makeKeyFile()
  const secrets = { SECRETS_FILE, DATABASE_URL: url }
  const migrating = await launch({
    command: 'migrate',
    env: { ...secrets, MIGRATION_DATABASE_URL: server.url(roles.owner) },
  })
  expect((await migrating.ended).code, migrating.output()).toBe(0)

  const authority = await startAuthoritySimulator({ apiKey: simulatorKeys.nrs, apiSecret: simulatorKeys.nrsSecret })
  const login = { host: '127.0.0.1', port: server.port, database: 'risiti' }
  const app = await startTestApp({
    database: { ...login, user: roles.app, url, owner: { ...login, user: roles.owner, url: server.url(roles.owner) } },
    vault: createVault(await loadKeyRing(SECRETS_FILE, { createIfMissing: false })),
    authority: ['sandbox'],
    authorityUrl: authority.url,
  })
  const own = await reporter(app)
  const { token } = own
  const receiver = await startReceiver()
  const endpoint = { url: receiver.url, events: ['invoice.finalised', 'invoice.accepted'] }
  ok(await app.a.post('/n/v1/webhook-endpoints', { token, body: endpoint }), 201)
  await app.close()
  await server.backUp()

  const nrs = {
    NRS_SANDBOX_BASE_URL: authority.url,
    NRS_SANDBOX_API_KEY: simulatorKeys.nrs,
    NRS_SANDBOX_API_SECRET: simulatorKeys.nrsSecret,
  }
  const env = { ...secrets, ...nrs, ...withoutDemo, ALLOW_PRIVATE_WEBHOOKS: '1' }
  let node = await startNode({ env })
  authority.notifyAt(`${node.url}/notifications/authority/NG/sandbox`)
  const db = openDatabase({ connection: url, applicationName: 'test', poolSize: 2 })

  const create = async (client: Client, key: string, more: object = {}) => {
    const headers = { 'idempotency-key': `restore-${key}` }
    return ok(await client.post(invoicesPath, { token, body: invoiceBody.A(own, more), headers }), 201)
  }
  const submitted = async (client: Client, key: string, more: object = {}) => {
    const { id } = await create(client, key, more)
    ok(await client.post(`${invoicesPath}/${id}/finalise`, { token }))
    ok(await client.post(`${invoicesPath}/${id}/submit`, { token }), 202)
    return id as string
  }
  const statusOf = async (client: Client, id: string) => ok(await client.get(`${invoicesPath}/${id}`, { token })).status
  const becomes = (client: Client, id: string, status: string) =>
    eventually(async () => expect(await statusOf(client, id)).toBe(status))
  const feed = async (client: Client, query: string) =>
    await client.get(`/n/v1/webhook-events?limit=100${query}`, { token })

  // Before the moment: one invoice is accepted, one has no clear reply, one waits in the queue.
  const accepted = await submitted(node.a, 'accepted')
  await becomes(node.a, accepted, 'accepted')
  authority.control.behave({ lostReplies: 1, staleLookupMs: 3_600_000 })
  const unknown = await submitted(node.a, 'unknown')
  await eventually(async () => expect(authority.control.acceptances().documents).toBe(2))
  authority.control.behave({ lostReplies: 0, staleLookupMs: 0, outage: true })
  const queued = await submitted(node.a, 'queued')
  await wait(1_000)
  const cursorBefore = (await feed(node.a, '')).data[0].cursor as string
  const moment = await server.now()
  await wait(1_000)

  // After the moment: both are accepted, and there is new work that the restore will lose.
  authority.control.behave({ outage: false })
  await db.run(sql`update submissions set due_at = now() where due_at is not null`)
  await becomes(node.a, queued, 'accepted')
  await becomes(node.a, unknown, 'accepted')
  const lost = await submitted(node.a, 'lost')
  await becomes(node.a, lost, 'accepted')
  const replaced = await submitted(node.a, 'replaced')
  await becomes(node.a, replaced, 'accepted')
  const { documents } = authority.control.acceptances()
  const cursorAfter = (await feed(node.a, '')).data[0].cursor as string
  expect((await node.stop()).code).toBe(0)

  await server.restoreTo(moment)
  node = await startNode({ env })
  authority.notifyAt(`${node.url}/notifications/authority/NG/sandbox`)
  const { a } = node satisfies ServerNode

  // What the authority has and we lost is found by asking, and is not registered twice.
  await db.run(sql`update submissions set due_at = now() where due_at is not null`)
  await becomes(a, unknown, 'accepted')
  await becomes(a, queued, 'accepted')
  expect(authority.control.acceptances()).toMatchObject({ mostOfOne: 1, documents })

  // A cursor from before the moment goes on. One from after it is ahead of the log, and is refused.
  const goesOn = await feed(a, `&after=${encodeURIComponent(cursorBefore)}`)
  expect(goesOn.status, goesOn.text).toBe(200)
  const ahead = await feed(a, `&after=${encodeURIComponent(cursorAfter)}`)
  expect(ahead.status, ahead.text).toBe(400)
  expect(ahead.text).toContain('restored to an earlier time')

  // A key from before the moment has its reply. A key from after it is new, as its effect is gone.
  expect((await create(a, 'accepted')).id).toBe(accepted)
  expect((await a.get(`${invoicesPath}/${lost}`, { token })).status).toBe(404)
  const again = await submitted(a, 'lost')
  expect(again).not.toBe(lost)
  await becomes(a, again, 'accepted')
  // Another document under the number of a lost one is not the document that the authority has.
  const [line] = invoiceBody.A(own).lineItems
  const other = await submitted(a, 'other', { lineItems: [{ ...line, quantity: '9' }] })
  await becomes(a, other, 'failed')
  const told = await a.get(`${invoicesPath}/${other}/status`, { token })
  expect(told.data.report.message, told.text).toContain('another document is registered under this number')
  expect(authority.control.acceptances()).toMatchObject({ mostOfOne: 1, documents })

  await eventually(async () => expect(await listBusy(db)).toEqual([]))
  const emitted = await db.rows<{ id: string }>(sql`
    select id from events where type in ('invoice.finalised', 'invoice.accepted') and organisation_id = ${own.organisationId}`)
  await eventually(async () => {
    const heard = new Set(receiver.requests.map(({ headers }) => String(headers['webhook-id'])))
    expect(emitted.filter(({ id }) => !heard.has(id))).toEqual([])
  })
  expect(await findInvoiceFaults(db)).toEqual([])
  expect(await brokenInvariants(db)).toEqual({})
  expect((await node.stop()).code).toBe(0)
  await db.end()
})
