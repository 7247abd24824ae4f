import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../../../test/harness/database.ts'
import { newId } from '../../kernel/ids.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { migrate, migrationsDir } from '../database/migrations.store.ts'
import { sql } from '../database/sql.ts'
import { silentLogger } from '../logger.ts'
import type { Consumer } from './consumer.ts'
import { scanEvents } from './places.store.ts'

let db: Database
let before: string
beforeAll(async () => {
  const { url } = (await createTestDatabase({ isEmpty: true })).owner
  before = await mkdtemp(join(tmpdir(), 'risiti-migrations-'))
  // As it was before events were followed by cursors.
  for (const name of await readdir(migrationsDir))
    if (name < '0017') await copyFile(join(migrationsDir, name), join(before, name))
  await migrate(url, silentLogger, before)
  db = openDatabase({ connection: url })
})
afterAll(async () => {
  await db.end()
  await rm(before, { recursive: true })
})

const organisation = newId()
const [carried, listed, waiting] = [newId(), newId(), newId()]

async function happened(type: string, objectId: string, relayedAt: string | null): Promise<string> {
  const id = newId()
  await db.run(sql`
    insert into events (organisation_id, id, mode, type, object_id, data, actor_kind, actor_name, address, user_agent, request_id, created_at, relayed_at)
    values (${organisation}, ${id}, 'sandbox', ${type}, ${objectId}, '{"was": "so"}', 'system', 'test', '', '', 'test', now(), ${relayedAt})`)
  return id
}
const tellsOf = async (name: string, on: Consumer['on']) =>
  (await scanEvents(db, { name, on } as Consumer, 100))?.events.map(({ objectId }) => objectId) ?? []

test('what was told and asked for before is neither lost nor told again', async () => {
  const now = new Date().toISOString()
  const first = await happened('organization.created', carried, now)
  await happened('invoice.created', listed, now)
  // The relay carries many at a time, not in one order: this one it had left.
  await happened('organization.created', waiting, null)
  await happened('invoice.sent', listed, now)
  const unlisted = newId()
  await happened('invoice.updated', unlisted, now)
  await db.run(sql`
    insert into invoice_changes (organisation_id, mode, invoice_id) values (${organisation}, 'sandbox', ${unlisted})`)
  await db.run(sql`
    insert into outbox (job, payload, created_at) values
      ('send-message', '{"messageId": "m"}', now()), ('charge-card', ${JSON.stringify({ organisationId: organisation })}::jsonb, now())`)
  await db.run(sql`select graphile_worker.add_job('check-buyer-tax-number', '{"checkId": "c"}'::json)`)

  await migrate(db.pool.options.connectionString as string, silentLogger)

  const [kept] = await db.rows<{ data: object; era: number }>(sql`select data, era from events where id = ${first}`)
  expect(kept).toEqual({ data: { was: 'so' }, era: 0 })
  expect(await tellsOf('open-billing-account', ['organization.created'])).toEqual([waiting])
  expect(await tellsOf('mail-invoice', ['invoice.sent'])).toEqual([])
  expect(await tellsOf('invoice-lists', ['invoice.created', 'invoice.updated', 'invoice.sent'])).toEqual([unlisted])
  expect(await db.rows(sql`select lane, job, organisation_id, payload from work order by lane`)).toEqual([
    {
      lane: 'authority',
      job: 'check-buyer-tax-number',
      organisationId: expect.stringMatching(/^0{8}/),
      payload: { checkId: 'c' },
    },
    { lane: 'mail', job: 'send-message', organisationId: expect.stringMatching(/^0{8}/), payload: { messageId: 'm' } },
    { lane: 'money', job: 'charge-card', organisationId: organisation, payload: { organisationId: organisation } },
  ])
  // What happens from now on comes after all of that.
  await db.run(sql`
    insert into events (organisation_id, id, mode, type, object_id, data, actor_kind, actor_name, address, user_agent, request_id, created_at)
    values (${organisation}, ${newId()}, 'sandbox', 'organization.created', 'new', '{}', 'system', 'test', '', '', 'test', now())`)
  expect(await tellsOf('open-billing-account', ['organization.created'])).toEqual([waiting, 'new'])
})
