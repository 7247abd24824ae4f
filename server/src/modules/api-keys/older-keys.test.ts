import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestDatabase } from '../../../../test/harness/database.ts'
import { createOlderDatabase } from '../../../../test/harness/older-database.ts'
import { type ApiKeyId, newId, type OrganisationId } from '../../kernel/ids.ts'
import { bringUpToDate } from '../../platform/database/bring-up-to-date.ts'
import { type Database, openDatabase, type Queryable } from '../../platform/database/database.ts'
import { migrate } from '../../platform/database/migrations.store.ts'
import { sql } from '../../platform/database/sql.ts'
import { silentLogger } from '../../platform/logger.ts'
import { findUsableKeyByHash, insertApiKey } from './api-keys.store.ts'

let database: TestDatabase
let service: Database
const organisation: OrganisationId = newId()
beforeAll(async () => {
  database = await createOlderDatabase('0066')
  service = openDatabase({ connection: database })
  await service.run(sql`
    insert into organisations (id, name, country, created_at, updated_at) values (${organisation}, 'Eze', 'NG', now(), now())`)
})
afterAll(() => service.end())

/** What nodes of the version before send. */
async function makeOnOlderNode(keyHash: string, db: Queryable = service): Promise<ApiKeyId> {
  const id: ApiKeyId = newId()
  await db.run(sql`
    insert into api_keys (organisation_id, id, mode, name, key_hash, hint, capabilities, created_at)
    values (${organisation}, ${id}, 'sandbox', 'Server', ${keyHash}, '', '{}', now())`)
  return id
}
const findOnOlderNode = (keyHash: string, db: Queryable = service) =>
  db.maybe<{ id: string }>(sql`select id from api_keys where key_hash = ${keyHash}`)

async function makeOnNewerNode(keyHash: string): Promise<ApiKeyId> {
  const id: ApiKeyId = newId()
  const none = {
    preset: null,
    roleId: null,
    requestsPerMinute: null,
    dailyQuota: null,
    createdBy: null,
    expiresAt: null,
  }
  const key = { ...none, id, mode: 'sandbox', name: 'Server', keyHash, hint: '', ownCapabilities: [] } as const
  await service.transaction((tx) => insertApiKey(tx, organisation, key, new Date()))
  return id
}
const findOnNewerNode = (keyHash: string) => findUsableKeyByHash(service, keyHash, new Date())

test('keys from before the look-up are found by it, and older and newer nodes find each other’s', async () => {
  const before = await makeOnOlderNode('before')
  let migrating: Promise<unknown> | undefined
  const between = await service.transaction(async (tx) => {
    await findOnOlderNode('before', tx)
    migrating = migrate(database.owner.url, silentLogger)
    // Whoever has looked at keys may go on to make one: the migrations wait for them, and they do not wait for the migrations.
    const waiting = () =>
      service.rows(sql`
      select from pg_locks
       where relation = 'api_keys'::regclass and not granted
         and database = (select oid from pg_database where datname = current_database())`)
    await expect.poll(waiting, { timeout: 10_000 }).toHaveLength(1)
    // Nor have they been given rights to what is new.
    return await makeOnOlderNode('between', tx)
  })
  await migrating
  await bringUpToDate({ service: database.url, owner: database.owner.url }, silentLogger)
  const newer = await makeOnNewerNode('newer')

  for (const [keyHash, id] of Object.entries({ before, between, newer })) {
    expect(await findOnNewerNode(keyHash)).toMatchObject({ id, organisationId: organisation })
    expect(await findOnOlderNode(keyHash)).toEqual({ id })
    for (const make of [makeOnOlderNode, makeOnNewerNode])
      await expect(make(keyHash)).rejects.toThrow('api_key_hashes_pkey')
  }
  expect(await service.rows(sql`select key_hash from api_key_hashes order by key_hash`)).toHaveLength(3)
})
