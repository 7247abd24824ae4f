import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { expectRefusal } from '../../../../test/harness/client.ts'
import { countingStatements } from '../../../../test/harness/counted-statements.ts'
import { type ApiKeyId, newId, type OrganisationId } from '../../kernel/ids.ts'
import { sql } from '../../platform/database/sql.ts'
import { findUsableKeyByHash, insertApiKey } from './api-keys.store.ts'
import { hashOfKey, newKeyText } from './key-text.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const keys = '/a/v1/organizations/me/api-keys'
const newHash = () => hashOfKey(newKeyText('sandbox'))

/** Number of statements that it took. */
const make = (organisationId: OrganisationId, keyHash: string): Promise<number> =>
  app.runtime.db.transaction(async (tx) => {
    const none = {
      preset: null,
      roleId: null,
      requestsPerMinute: null,
      dailyQuota: null,
      createdBy: null,
      expiresAt: null,
    }
    const key = {
      ...none,
      id: newId() as ApiKeyId,
      mode: 'sandbox',
      name: 'Server',
      keyHash,
      hint: '',
      ownCapabilities: [],
    } as const
    const { db, sent } = countingStatements(tx)
    await insertApiKey(db, organisationId, key, app.clock.now())
    return sent()
  })

async function find(keyHash: string) {
  const { db, sent } = countingStatements(app.runtime.db)
  const found = await findUsableKeyByHash(db, keyHash, app.clock.now())
  return { organisationId: found?.organisationId, sent: sent() }
}

test('a key is created and found by one statement each', async () => {
  const { organisationId } = await app.person()
  const keyHash = newHash()
  expect(await make(organisationId, keyHash)).toBe(1)
  // On Citus the organisation is read first, so that the second statement asks one server.
  expect(await find(keyHash)).toEqual({ organisationId, sent: (await app.runtime.db.isDistributed()) ? 2 : 1 })
  expect(await find(newHash())).toEqual({ organisationId: undefined, sent: 1 })
})

test('a hash can belong to only one key of all organisations', async () => {
  const [one, other] = [await app.person(), await app.person()]
  const keyHash = newHash()
  await make(one.organisationId, keyHash)
  for (const { organisationId } of [one, other])
    await expect(make(organisationId, keyHash)).rejects.toThrow('api_key_hashes_pkey')
  const made = await app.runtime.db.rows(sql`select organisation_id from api_keys where key_hash = ${keyHash}`)
  expect(made).toEqual([{ organisationId: one.organisationId }])
})

test('the lookup row of a replaced or revoked key gives no access', async () => {
  const owner = await app.person()
  const body = { name: 'Server', mode: 'sandbox' }
  const first = (await app.a.post(keys, { token: owner.token, body })).data
  const replaced = { token: owner.token, body: { gracePeriodSeconds: 0 } }
  const { current } = (await app.a.post(`${keys}/${first.id}/rotate`, replaced)).data
  const isFound = async ({ key }: { key: string }) => (await find(hashOfKey(key))).organisationId !== undefined
  expect([await isFound(first), await isFound(current)]).toEqual([false, true])
  expect((await app.a.patch(`${keys}/${current.id}/revoke`, owner)).status).toBe(200)
  expect([await isFound(first), await isFound(current)]).toEqual([false, false])
  for (const { key } of [first, current])
    expectRefusal(await app.a.get('/a/v1/auth/me', { token: key }), 'auth.token_invalid')
})

test('a lookup row without its key, or with another hash, gives no access', async () => {
  const { organisationId } = await app.person()
  const [own, astray, nowhere] = [newHash(), newHash(), newHash()]
  await make(organisationId, own)
  await app.owner.run(sql`
    insert into api_key_hashes (key_hash, organisation_id, key_id)
    select ${astray}, organisation_id, id from api_keys where key_hash = ${own}
    union all select ${nowhere}, ${organisationId}, gen_random_uuid()`)
  expect((await find(own)).organisationId).toBe(organisationId)
  for (const keyHash of [astray, nowhere]) expect((await find(keyHash)).organisationId).toBeUndefined()
})
