import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { type Client, expectRefusal } from '../../../../test/harness/client.ts'
import { allCapabilities } from '../../kernel/capabilities.ts'
import { insertingAuthChanges } from '../../platform/callers/auth-changes.store.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { hashOfKey } from '../api-keys/key-text.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const auth = '/a/v1/auth'
const tokenOf = (client: Client, key: string) => client.post(`${auth}/token`, { token: key })
const me = (client: Client, token: string) => client.get(`${auth}/me`, { token })

const idOf = async (key: string) =>
  (await app.runtime.db.one<{ id: string }>(sql`select id from api_keys where key_hash = ${hashOfKey(key)}`)).id

/** Changes the row of a key as another node would: the change and its announcement in one transaction. */
async function changeKey(key: string, assignment: Sql): Promise<void> {
  const id = await idOf(key)
  await app.runtime.db.transaction(async (tx) => {
    await tx.run(sql`update api_keys set ${assignment} where id = ${id}`)
    await tx.run(insertingAuthChanges([`key:${id}`]))
  })
}

/** Other nodes learn of a change within a second. Retries until this node has. */
async function eventuallyRefused(token: string, reason: 'auth.token_invalid' | 'auth.token_outdated'): Promise<void> {
  await expect.poll(async () => (await me(app.a, token)).status).toBe(401)
  expectRefusal(await me(app.a, token), reason)
}

describe.each(['A', 'B'] as const)('a token of an API key in form %s', (form) => {
  let client: Client
  beforeAll(() => {
    client = app.client(form)
  })

  test('is issued for the key, for 15 minutes, and identifies the key', async () => {
    const { organisationId } = await app.person()
    const key = await app.key(organisationId, { mode: 'live', capabilities: ['invoice.read', 'buyer.read'] })
    const issued = await tokenOf(client, key)
    expect(issued.status).toBe(200)
    expect(issued.data).toEqual({
      accessToken: expect.stringMatching(/^eyJ/),
      tokenType: 'Bearer',
      expiresIn: 900,
      organizationId: organisationId,
      mode: 'live',
    })
    const byToken = await me(client, issued.data.accessToken)
    expect(byToken.data).toEqual({
      principal: 'api_key',
      apiKey: { id: await idOf(key), name: 'Test key' },
      organizationId: organisationId,
      capabilities: ['buyer.read', 'invoice.read'],
      mode: 'live',
    })
    expect((await me(client, key)).data).toEqual(byToken.data)
  })

  test('is not issued for a token, or without credentials', async () => {
    const person = await app.person()
    const { accessToken } = (await tokenOf(client, await app.key(person.organisationId))).data
    const again = await tokenOf(client, accessToken)
    expectRefusal(again, 'auth.keys_only')
    expect(again.body.error.message).toMatch(/token cannot request another/)
    const byUser = await tokenOf(client, person.token)
    expectRefusal(byUser, 'auth.keys_only')
    expect([byUser.status, byUser.body.error.code]).toEqual([403, 'PERM002'])
    expectRefusal(await client.post(`${auth}/token`), 'auth.token_missing')
  })

  test('is refused by routes for people', async () => {
    const { organisationId } = await app.person()
    const key = await app.key(organisationId)
    const { accessToken } = (await tokenOf(client, key)).data
    for (const token of [key, accessToken]) {
      const refused = await client.post(`${auth}/mode`, { token, body: { mode: 'live' } })
      expectRefusal(refused, 'auth.users_only')
      expect([refused.status, refused.body.error.code]).toEqual([403, 'PERM002'])
    }
  })

  test('`me` for a person has exactly these fields', async () => {
    const person = await app.person()
    expect((await me(client, person.token)).data).toEqual({
      principal: 'user',
      user: {
        id: person.userId,
        email: person.email,
        firstName: 'Ngozi',
        lastName: 'Eze',
        emailVerified: true,
        totpEnabled: false,
      },
      organizationId: person.organisationId,
      role: 'OWNER',
      capabilities: [...allCapabilities].sort(),
      mode: 'sandbox',
    })
  })
})

describe('an invalid key', () => {
  const lastReplaced = (key: string) => `${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`
  test.each<[string, (key: string) => string]>([
    ['has a changed letter', lastReplaced],
    ['is too short', (key) => key.slice(0, -1)],
    ['is too long', (key) => `${key}0`],
    ['claims the other mode', (key) => key.replace('sk_test_', 'sk_live_')],
    ['is only a prefix', () => 'sk_test_'],
    ['is in capitals', (key) => key.toUpperCase()],
  ])('is refused when it %s', async (_, spoil) => {
    const key = await app.key((await app.person()).organisationId)
    expect((await tokenOf(app.a, key)).status).toBe(200)
    const refused = await tokenOf(app.a, spoil(key))
    expectRefusal(refused, 'auth.token_invalid')
    expect([refused.status, refused.body.error.code]).toEqual([401, 'AUTH001'])
  })
})

test('the token of a key lasts 15 minutes', async () => {
  const key = await app.key((await app.person()).organisationId)
  const { accessToken } = (await tokenOf(app.a, key)).data
  app.clock.advance({ minutes: 14, seconds: 59 })
  expect((await me(app.a, accessToken)).status).toBe(200)
  app.clock.advance({ seconds: 1 })
  expectRefusal(await me(app.a, accessToken), 'auth.token_invalid')
  expect((await me(app.a, key)).status).toBe(200)
})

test('a revoked key stops, and so do its tokens', async () => {
  const { organisationId } = await app.person()
  const [key, other] = [await app.key(organisationId), await app.key(organisationId)]
  const { accessToken } = (await tokenOf(app.a, key)).data
  for (const token of [key, accessToken, other]) expect((await me(app.a, token)).status).toBe(200)
  await changeKey(key, sql`revoked_at = now()`)
  await eventuallyRefused(key, 'auth.token_invalid')
  await eventuallyRefused(accessToken, 'auth.token_invalid')
  expectRefusal(await tokenOf(app.a, key), 'auth.token_invalid')
  expect((await me(app.a, other)).status).toBe(200)
})

test('a key and its tokens stop when the key expires, even if the token is younger', async () => {
  const key = await app.key((await app.person()).organisationId)
  const expiresAt = new Date(app.clock.now().getTime() + 60 * 60_000)
  await app.runtime.db.run(sql`update api_keys set expires_at = ${expiresAt} where key_hash = ${hashOfKey(key)}`)
  app.clock.advance({ minutes: 59 })
  const { accessToken } = (await tokenOf(app.a, key)).data
  for (const token of [key, accessToken]) expect((await me(app.a, token)).status).toBe(200)
  app.clock.advance({ minutes: 1 })
  for (const token of [key, accessToken]) expectRefusal(await me(app.a, token), 'auth.token_invalid')
  expectRefusal(await tokenOf(app.a, key), 'auth.token_invalid')
})

test('a change of capabilities invalidates the tokens of a key, and a new token has the new capabilities', async () => {
  const key = await app.key((await app.person()).organisationId)
  const { accessToken } = (await tokenOf(app.a, key)).data
  expect((await me(app.a, accessToken)).status).toBe(200)
  await changeKey(key, sql`epoch = epoch + 1, capabilities = '{item.read}'`)
  await eventuallyRefused(accessToken, 'auth.token_outdated')
  expect((await me(app.a, key)).data.capabilities).toEqual(['item.read'])
  const anew = (await tokenOf(app.a, key)).data.accessToken
  expect((await me(app.a, anew)).data.capabilities).toEqual(['item.read'])
})

test('a change of a member’s capabilities invalidates the token, and a refresh gives a valid one', async () => {
  const { userId, organisationId, token, refreshToken } = await app.person()
  expect((await me(app.a, token)).status).toBe(200)
  await app.runtime.db.transaction(async (tx) => {
    await tx.run(sql`update memberships set epoch = epoch + 1 where user_id = ${userId}`)
    await tx.run(insertingAuthChanges([`membership:${organisationId}:${userId}`]))
  })
  await eventuallyRefused(token, 'auth.token_outdated')
  const anew = await app.a.post(`${auth}/refresh`, { body: { refreshToken } })
  expect((await me(app.a, anew.data.accessToken)).data.role).toBe('OWNER')
})
