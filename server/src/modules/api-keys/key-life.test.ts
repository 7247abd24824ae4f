import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { type Client, expectRefusal, faultPaths } from '../../../../test/harness/client.ts'
import { whileRefusing } from '../../../../test/harness/refusing.ts'
import { systemRole } from '../../kernel/roles.ts'
import { sql } from '../../platform/database/sql.ts'
import { announceEnded } from './background.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const keys = '/a/v1/organizations/me/api-keys'
const me = (token: string) => app.a.get('/a/v1/auth/me', { token })
const works = async (token: string) => (await me(token)).status === 200
const tokenOf = async (key: string) => (await app.a.post('/a/v1/auth/token', { token: key })).data.accessToken as string
const inSeconds = (seconds: number) => new Date(app.clock.now().getTime() + seconds * 1000).toISOString()
/** A session outlives its access token. */
const signIn = async ({ email, password }: Person) => ({
  token: (await app.a.post('/a/v1/auth/login', { body: { email, password } })).data.accessToken as string,
})

const announce = () => announceEnded(app.runtime, app.runner).handle({}, { number: 1, last: true })
const eventsOf = async (id: string) =>
  (
    await app.runtime.db.rows<{ type: string; actorKind: string }>(
      sql`select type, actor_kind from events where object_id = ${id} order by position`,
    )
  ).map(({ type, actorKind }) => `${type} by ${actorKind}`)

describe.each(['A', 'B'] as const)('the life of a key in form %s', (form) => {
  let client: Client
  beforeAll(() => {
    client = app.client(form)
  })
  const make = async ({ token }: { token: string }, own: object = {}) => {
    const { data, status } = await client.post(keys, { token, body: { name: 'Server', mode: 'sandbox', ...own } })
    expect(status).toBe(201)
    return data
  }
  const get = async (who: { token: string }, id: string) => (await client.get(`${keys}/${id}`, who)).data
  const revoke = (who: { token: string }, id: string) => client.patch(`${keys}/${id}/revoke`, who)
  const rotate = ({ token }: { token: string }, id: string, body: object = {}) =>
    client.post(`${keys}/${id}/rotate`, { token, body })
  /** How this form changes what a key may do. */
  const regrant = ({ token }: { token: string }, id: string) =>
    form === 'A'
      ? client.put(`${keys}/${id}/capabilities`, { token, body: { capabilities: [] } })
      : client.patch(`${keys}/${id}/role`, { token, body: { roleId: systemRole('VIEWER').id } })

  async function expectEnded(who: { token: string }, id: string): Promise<void> {
    for (const reply of [await revoke(who, id), await rotate(who, id), await regrant(who, id)]) {
      expectRefusal(reply, 'key.not_usable')
      expect([reply.status, reply.body.error.code]).toEqual([409, 'BIZ004'])
    }
  }

  test('a revoked key and its tokens stop at once, permanently', async () => {
    const owner = await app.person()
    const { key, ...before } = await make(owner)
    const token = await tokenOf(key)
    expect([await works(key), await works(token)]).toEqual([true, true])
    const revoked = await revoke(owner, before.id)
    expect(revoked.status).toBe(200)
    expect(revoked.data).toEqual({ ...before, status: 'revoked', revokedAt: app.clock.now().toISOString() })
    for (const bearer of [key, token]) expectRefusal(await me(bearer), 'auth.token_invalid')
    expectRefusal(await client.post('/a/v1/auth/token', { token: key }), 'auth.token_invalid')
    await expectEnded(owner, before.id)
    expect(await get(owner, before.id)).toEqual(revoked.data)
    expect(await eventsOf(before.id)).toEqual(['api_key.created by user', 'api_key.revoked by user'])
  })

  test('a rotated key works for a day beside the new key, which has the same capabilities', async () => {
    const owner = await app.person()
    const roleId = systemRole('MEMBER').id
    const own =
      form === 'A' ? { preset: 'invoicing' } : { roleId, rateLimit: { requestsPerMinute: 90, dailyQuota: 800 } }
    const { key, ...before } = await make(owner, {
      ...own,
      mode: form === 'A' ? 'live' : 'production',
      expiresAt: inSeconds(9e6),
    })
    app.clock.advance({ minutes: 1 })
    const rotated = await rotate(owner, before.id)
    expect(rotated.status).toBe(200)
    const { previous, current } = rotated.data
    expect(previous).toEqual({ ...before, status: 'rotating', stopsAt: inSeconds(86_400) })
    expect(current).toEqual({
      ...before,
      id: expect.any(String),
      key: expect.stringMatching(/^sk_live_/),
      hint: expect.any(String),
      createdAt: app.clock.now().toISOString(),
    })
    expect([current.id, current.key]).not.toEqual([before.id, key])
    const [held, heldNow] = [await me(key), await me(current.key)]
    expect(heldNow.data.capabilities).toEqual(held.data.capabilities)

    app.clock.advance({ seconds: 86_399 })
    expect([await works(key), await works(current.key)]).toEqual([true, true])
    app.clock.advance({ seconds: 1 })
    expectRefusal(await me(key), 'auth.token_invalid')
    expect(await works(current.key)).toBe(true)
    const anew = await signIn(owner)
    // The last use is recorded in the background.
    const { lastUsedAt: _, ...ended } = previous
    expect(await get(anew, before.id)).toMatchObject({ ...ended, status: 'revoked' })
    expect((await get(anew, current.id)).status).toBe('active')
    await expectEnded(anew, before.id)
  })

  test.each([
    [{ gracePeriodSeconds: 60 }, 60],
    [{ gracePeriodSeconds: 604_800 }, 604_800],
    [{}, 86_400],
  ])('the grace period of %j is %i seconds', async (body, seconds) => {
    const owner = await app.person()
    const { previous } = (await rotate(owner, (await make(owner)).id, body)).data
    expect([previous.status, previous.stopsAt]).toEqual(['rotating', inSeconds(seconds)])
  })

  test('without a grace period the old key stops at once, and invalid periods are refused', async () => {
    const owner = await app.person()
    const { id, key } = await make(owner)
    for (const gracePeriodSeconds of [604_801, -1, 1.5, '60', null])
      expect(faultPaths(await rotate(owner, id, { gracePeriodSeconds }))).toEqual(['gracePeriodSeconds'])
    const { previous, current } = (await rotate(owner, id, { gracePeriodSeconds: 0 })).data
    expect(previous.status).toBe('revoked')
    expect([await works(key), await works(current.key)]).toEqual([false, true])
    await expectEnded(owner, id)
  })

  test('a rotating key cannot be rotated again, but revoked early, and the new key can be rotated', async () => {
    const owner = await app.person()
    const { id, key } = await make(owner)
    const { current } = (await rotate(owner, id)).data
    const refused = await rotate(owner, id)
    expectRefusal(refused, 'key.already_rotating')
    expect([refused.status, refused.body.error.code]).toEqual([409, 'BIZ004'])
    expect((await rotate(owner, current.id)).status).toBe(200)
    expect((await revoke(owner, id)).data.status).toBe('revoked')
    expect([await works(key), await works(current.key)]).toEqual([false, true])
  })

  test('of concurrent rotations one succeeds, and so of concurrent revocations', async () => {
    const owner = await app.person()
    const [turned, ended] = [await make(owner), await make(owner)]
    const rotations = await Promise.all([1, 2, 3].map(() => rotate(owner, turned.id)))
    expect(rotations.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    const revocations = await Promise.all([1, 2, 3].map(() => revoke(owner, ended.id)))
    expect(revocations.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect((await client.get(keys, owner)).body.meta.pagination.total).toBe(3)
    expect(await eventsOf(ended.id)).toEqual(['api_key.created by user', 'api_key.revoked by user'])
  })

  test('a repeated rotation with an Idempotency-Key rotates once, and its reply omits the new key', async () => {
    const owner = await app.person()
    const { id } = await make(owner)
    const sending = { token: owner.token, body: {}, headers: { 'idempotency-key': `rotate-${id}` } }
    const first = await client.post(`${keys}/${id}/rotate`, sending)
    const again = await client.post(`${keys}/${id}/rotate`, sending)
    const { key, ...current } = first.data.current
    expect(key).toMatch(/^sk_test_/)
    expect(again.data).toEqual({ ...first.data, current: { ...current, secretAlreadyShown: true } })
  })

  test('rotating needs the capabilities of the key, and live_mode.use for a live key', async () => {
    const owner = await app.person()
    const developer = await app.member(owner.organisationId, 'DEVELOPER')
    const strong = await make(owner, form === 'A' ? { preset: 'full_integration' } : { roleId: systemRole('ADMIN').id })
    const refused = await rotate(developer, strong.id)
    expectRefusal(refused, 'role.above_own')
    expect(faultPaths(refused)).toContain('invoice.submit')
    const live = await make(owner, { mode: form === 'A' ? 'live' : 'production' })
    expectRefusal(await rotate(developer, live.id), 'live_mode.not_allowed')
    expect((await get(owner, live.id)).status).toBe('active')
    expect((await rotate(developer, (await make(owner)).id)).status).toBe(200)
    // Revoking needs only the capability to revoke.
    expect((await revoke(developer, strong.id)).status).toBe(200)
  })

  test('a key and its tokens expire exactly at their time', async () => {
    const owner = await app.person()
    const { id, key } = await make(owner, { expiresAt: inSeconds(7200) })
    app.clock.advance({ seconds: 7199 })
    const token = await tokenOf(key)
    expect([await works(key), await works(token)]).toEqual([true, true])
    app.clock.advance({ seconds: 1 })
    for (const bearer of [key, token]) expectRefusal(await me(bearer), 'auth.token_invalid')
    const anew = await signIn(owner)
    expect((await get(anew, id)).status).toBe('expired')
    await expectEnded(anew, id)
  })
})

describe('expiries', () => {
  const make = async ({ token }: { token: string }, own: object = {}) =>
    (await app.a.post(keys, { token, body: { name: 'Server', mode: 'sandbox', ...own } })).data
  const rotate = ({ token }: { token: string }, id: string, gracePeriodSeconds: number) =>
    app.a.post(`${keys}/${id}/rotate`, { token, body: { gracePeriodSeconds } })

  test('emit one event each, even if several jobs look for them', async () => {
    const owner = await app.person()
    const [expiring, rotated, stopped, revoked, lasting] = [
      await make(owner, { expiresAt: inSeconds(7200) }),
      await make(owner),
      await make(owner),
      await make(owner, { expiresAt: inSeconds(7200) }),
      await make(owner, { expiresAt: inSeconds(7201) }),
    ]
    await rotate(owner, rotated.id, 7200)
    await rotate(owner, stopped.id, 0)
    await app.a.patch(`${keys}/${revoked.id}/revoke`, owner)
    app.clock.advance({ seconds: 7199 })
    await announce()
    expect(await eventsOf(rotated.id)).toEqual(['api_key.created by user', 'api_key.rotated by user'])
    app.clock.advance({ seconds: 1 })
    await Promise.all([announce(), announce(), announce()])
    await announce()
    const [created, turned, ended] = ['created', 'rotated', 'revoked'].map((what) => `api_key.${what} by user`)
    expect(await eventsOf(expiring.id)).toEqual([created, 'api_key.expired by system'])
    expect(await eventsOf(rotated.id)).toEqual([created, turned, 'api_key.revoked by system'])
    expect(await eventsOf(stopped.id)).toEqual([created, turned, 'api_key.revoked by system'])
    expect(await eventsOf(revoked.id)).toEqual([created, ended])
    expect(await eventsOf(lasting.id)).toEqual([created])
  })

  test('emit events even if those of another organisation are locked or fail', async () => {
    const [held, failing, sound] = [await app.person(), await app.person(), await app.person()]
    const made: string[] = []
    for (const owner of [held, failing, sound]) made.push((await make(owner, { expiresAt: inSeconds(7200) })).id)
    const told = () => Promise.all(made.map(async (id) => (await eventsOf(id)).length - 1))
    app.clock.advance({ seconds: 7200 })
    const untold = `organisation_id = '${failing.organisationId}' and end_announced_at is not null`
    await whileRefusing(app, 'api_keys', untold, () =>
      app.runtime.db.transaction(async (tx) => {
        await tx.run(sql`
          select from api_keys where organisation_id = ${held.organisationId} and id = ${made[0]} for no key update`)
        await expect(announce()).rejects.toThrow('not announced for 1 organisations')
      }),
    )
    expect(await told()).toEqual([0, 0, 1])
    await announce()
    expect(await told()).toEqual([1, 1, 1])
  })

  test('a key that expires within its grace period has the status expired, even if noticed late', async () => {
    const owner = await app.person()
    const [noticed, late] = [
      await make(owner, { expiresAt: inSeconds(7200) }),
      await make(owner, { expiresAt: inSeconds(8000) }),
    ]
    for (const { id } of [noticed, late]) await rotate(owner, id, 9000)
    app.clock.advance({ seconds: 7200 })
    await announce()
    app.clock.advance({ seconds: 3000 })
    await announce()
    const anew = await signIn(owner)
    for (const { id } of [noticed, late]) {
      expect((await eventsOf(id)).slice(2)).toEqual(['api_key.expired by system'])
      expect((await app.a.get(`${keys}/${id}`, anew)).data.status).toBe('expired')
    }
    const ids = async (status: string) =>
      (await app.a.get(`${keys}?status=${status}`, anew)).data.map(({ id }: { id: string }) => id)
    expect(await ids('expired')).toEqual(expect.arrayContaining([noticed.id, late.id]))
    expect(await ids('revoked')).toEqual([])
  })
})
