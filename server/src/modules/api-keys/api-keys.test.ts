import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { type Client, expectRefusal, faultPaths, type Reply } from '../../../../test/harness/client.ts'
import { sql } from '../../platform/database/sql.ts'
import { hashOfKey } from './key-text.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const keys = '/a/v1/organizations/me/api-keys'
const create = (client: Client, { token }: { token: string }, own: object = {}, headers: Record<string, string> = {}) =>
  client.post(keys, { token, body: { name: 'Server', mode: 'sandbox', ...own }, headers })
const me = (client: Client, token: string) => client.get('/a/v1/auth/me', { token })
const ahead = (by: { years?: number; hours?: number; seconds?: number; days?: number }) => {
  const { years = 0, days = 0, hours = 0, seconds = 0 } = by
  const at = app.clock.now()
  at.setUTCFullYear(at.getUTCFullYear() + years)
  return new Date(at.getTime() + ((days * 24 + hours) * 3600 + seconds) * 1000)
}

describe.each([
  { form: 'A', live: 'live' },
  { form: 'B', live: 'production' },
] as const)('API keys in form $form', ({ form, live }) => {
  let client: Client
  beforeAll(() => {
    client = app.client(form)
  })

  test('a new key is shown once, with all its data, and works at once', async () => {
    const owner = await app.person()
    const expiresAt = ahead({ days: 30 }).toISOString()
    const made = await create(client, owner, { expiresAt })
    expect(made.status).toBe(201)
    const { key, ...metadata } = made.data
    expect(key).toMatch(/^sk_test_[0-9A-Za-z]{49}$/)
    expect(metadata).toMatchObject({
      name: 'Server',
      mode: 'sandbox',
      status: 'active',
      hint: `sk_test_…${key.slice(-4)}`,
      createdBy: owner.userId,
      createdAt: app.clock.now().toISOString(),
      expiresAt,
      stopsAt: null,
      revokedAt: null,
      lastUsedAt: null,
    })
    expect(made.headers.get('location')).toBe(`${client.form.prefix}${keys}/${metadata.id}`)
    const seen = await me(client, key)
    expect(seen.data).toMatchObject({
      principal: 'api_key',
      apiKey: { id: metadata.id, name: 'Server' },
      organizationId: owner.organisationId,
      mode: 'sandbox',
    })
    const own = await client.get(`/a/v1/organizations/${owner.organisationId}/api-keys/${metadata.id}`, owner)
    expect(own.data).toEqual(metadata)
  })

  test('the prefix of a key sets its mode', async () => {
    const owner = await app.person()
    const made = await create(client, owner, { mode: live })
    expect(made.data).toMatchObject({ mode: live, key: expect.stringMatching(/^sk_live_/) })
    const seen = await me(client, made.data.key)
    expect([seen.data.mode, seen.body.meta.mode]).toEqual(['live', 'live'])
    for (const mode of ['test', form === 'A' ? 'production' : 'live', undefined])
      expect(faultPaths(await create(client, owner, { mode }))).toEqual(['mode'])
  })

  test('a live key needs live_mode.use, which a developer lacks', async () => {
    const owner = await app.person()
    const developer = await app.member(owner.organisationId, 'DEVELOPER')
    const refused = await create(client, developer, { mode: live })
    expectRefusal(refused, 'live_mode.not_allowed')
    expect([refused.status, refused.body.error.code]).toEqual([403, 'PERM003'])
    expect((await create(client, developer)).status).toBe(201)
    const admin = await app.member(owner.organisationId, 'ADMIN', { mode: 'live' })
    expect((await create(client, admin, { mode: live })).status).toBe(201)
  })

  test('the expiry is between one hour and two years ahead, with a time zone offset', async () => {
    const owner = await app.person()
    const given = async (expiresAt: unknown) => {
      const reply = await create(client, owner, { expiresAt })
      return reply.status === 201 ? reply.data.expiresAt : [reply.status, reply.body.error.code, ...faultPaths(reply)]
    }
    const fault = [400, 'VAL001', 'expiresAt']
    expect(await given(ahead({ hours: 1 }).toISOString())).toEqual(fault)
    expect(await given(ahead({ hours: 1, seconds: 1 }).toISOString())).toBe(
      ahead({ hours: 1, seconds: 1 }).toISOString(),
    )
    expect(await given(ahead({ years: 2 }).toISOString())).toBe(ahead({ years: 2 }).toISOString())
    expect(await given(ahead({ years: 2, days: 1 }).toISOString())).toEqual(fault)
    const inWAT = ahead({ days: 3, hours: 1 }).toISOString().replace('Z', '+01:00')
    expect(await given(inWAT)).toBe(ahead({ days: 3 }).toISOString())
    const plain = ahead({ days: 3 }).toISOString().slice(0, 19)
    for (const wrong of [plain, plain.slice(0, 10), 'soon', 1800000000, null, `${plain.slice(0, 10)}T23:59:60Z`])
      expect(await given(wrong), String(wrong)).toEqual(fault)
  })

  test('the name has 1 to 100 characters, and every fault is listed', async () => {
    const owner = await app.person()
    expect((await create(client, owner, { name: 'n' })).data.name).toBe('n')
    const { id } = (await create(client, owner, { name: 'é'.repeat(100) })).data
    const rename = (name: unknown) => client.patch(`${keys}/${id}`, { token: owner.token, body: { name } })
    for (const name of ['', ' ', 'n'.repeat(101), 5]) {
      expect(new Set(faultPaths(await create(client, owner, { name })))).toEqual(new Set(['name']))
      expect(new Set(faultPaths(await rename(name)))).toEqual(new Set(['name']))
    }
    expect((await rename('n'.repeat(100))).data.name).toHaveLength(100)
    const wrong = await create(client, owner, {
      name: '',
      mode: 'x',
      expiresAt: 'x',
      key: 'sk_test_mine',
      status: 'active',
    })
    expect([...new Set(faultPaths(wrong))]).toEqual(['expiresAt', 'key', 'mode', 'name', 'status'])
  })

  test('a repeated request with an Idempotency-Key gets the reply without the secret', async () => {
    const owner = await app.person()
    const headers = { 'idempotency-key': `key-${randomBytes(6).toString('hex')}` }
    const [first, second] = await Promise.all([create(client, owner, {}, headers), create(client, owner, {}, headers)])
    const [fresh, replayed] = first.data.key ? [first, second] : [second, first]
    const { key, ...metadata } = fresh.data
    expect(key).toMatch(/^sk_test_/)
    const third = await create(client, owner, {}, headers)
    for (const again of [replayed, third]) {
      expect(again.status).toBe(201)
      expect(again.headers.get('idempotent-replayed')).toBe('true')
      expect(again.headers.get('location')).toBe(fresh.headers.get('location'))
      expect(again.body).toEqual({ meta: fresh.body.meta, data: { ...metadata, secretAlreadyShown: true } })
    }
    expect(third.text).toBe(replayed.text)
    expectRefusal(await create(client, owner, { name: 'Other' }, headers), 'idempotency.body_differs')
    expect((await client.get(keys, owner)).body.meta.pagination.total).toBe(1)
    const stored = sql`select count(*)::int as count from idempotency_keys k where k::text like ${`%${key}%`}`
    expect(await app.runtime.db.one(stored)).toEqual({ count: 0 })
  })

  test('keys are listed newest first, by status and mode, page by page', async () => {
    const owner = await app.person()
    const { token } = owner
    const make = async (own: object = {}) => {
      app.clock.advance({ seconds: 1 })
      return (await create(client, owner, own)).data.id as string
    }
    const [active, inLive, revoked, old, expiring] = [
      await make(),
      await make({ mode: live }),
      await make(),
      await make(),
      await make({ expiresAt: ahead({ hours: 1, seconds: 5 }).toISOString() }),
    ]
    await client.patch(`${keys}/${revoked}/revoke`, { token })
    app.clock.advance({ seconds: 1 })
    const rotated = await client.post(`${keys}/${old}/rotate`, { token, body: {} })
    const current = rotated.data.current.id
    app.clock.advance({ hours: 2 })
    const { data } = await app.a.post('/a/v1/auth/refresh', { body: { refreshToken: owner.refreshToken } })
    const list = async (query = '') => {
      const reply = await client.get(`${keys}${query}`, { token: data.accessToken })
      return { ids: reply.data.map(({ id }: { id: string }) => id), ...reply.body.meta.pagination }
    }
    const all = [current, expiring, old, revoked, inLive, active]
    const page = { page: 1, limit: 20, total: 6, totalPages: 1 }
    expect(await list()).toMatchObject({ ids: all, ...page })
    expect(await list('?limit=4&page=2')).toMatchObject({
      ids: all.slice(4),
      ...page,
      page: 2,
      limit: 4,
      totalPages: 2,
    })
    expect((await list('?status=active')).ids).toEqual([current, inLive, active])
    expect((await list('?status=rotating')).ids).toEqual([old])
    expect((await list('?status=revoked')).ids).toEqual([revoked])
    expect(await list('?status=expired')).toMatchObject({ ids: [expiring], ...page, total: 1 })
    expect((await list(`?mode=${live}`)).ids).toEqual([inLive])
    expect((await list('?mode=sandbox&status=active')).ids).toEqual([current, active])
    expect(await list(`?mode=${live}&status=expired`)).toMatchObject({ ids: [], ...page, total: 0, totalPages: 0 })
    const wrong = await client.get(`${keys}?mode=both&status=new&limit=101&page=0&q=x`, { token: data.accessToken })
    expect(faultPaths(wrong)).toEqual(['limit', 'mode', 'page', 'q', 'status'])
  })

  test('neither key nor hash is in any later reply, event or mail', async () => {
    const owner = await app.person()
    const { id, key } = (await create(client, owner)).data
    const answers: Reply[] = [
      await client.get(keys, owner),
      await client.get(`${keys}/${id}`, owner),
      await client.get(`${keys}/${id}/permissions`, owner),
      await client.patch(`${keys}/${id}`, { token: owner.token, body: { name: 'Other' } }),
      await me(client, key),
    ]
    const rotated = await client.post(`${keys}/${id}/rotate`, { token: owner.token, body: {} })
    const { key: newKey, ...current } = rotated.data.current
    answers.push(
      await client.get(`${keys}/${current.id}`, owner),
      await client.patch(`${keys}/${id}/revoke`, owner),
      await client.get('/a/v1/organizations/me/audit-log?limit=100', owner),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(answers.length).fill(200))
    const mails = (await app.mailTo(owner.email, 2)).map(({ subject, text, html }) => `${subject} ${text} ${html}`)
    const texts = [...answers.map(({ text }) => text), ...mails, JSON.stringify([rotated.data.previous, current])]
    for (const secret of [key, newKey, hashOfKey(key), hashOfKey(newKey), key.slice(8, 40)])
      for (const text of texts) expect(text).not.toContain(secret)
  })

  test('the creator of a key gets a mail', async () => {
    const owner = await app.person()
    const { hint, id } = (await create(client, owner, { name: 'Till <1>' })).data
    const [made] = await app.mailTo(owner.email)
    expect(made?.subject).toBe('New API key')
    expect(made?.text).toContain(`“Till <1>” (${hint})`)
    const admin = await app.member(owner.organisationId, 'ADMIN')
    const { current } = (await client.post(`${keys}/${id}/rotate`, { token: admin.token, body: {} })).data
    expect(current.createdBy).toBe(admin.userId)
    const [rotated] = await app.mailTo(admin.email)
    expect(rotated?.text).toContain(current.hint)
    expect(await app.mailTo(owner.email)).toHaveLength(1)
  })

  test('renaming changes only the name', async () => {
    const owner = await app.person()
    const { key, ...before } = (await create(client, owner)).data
    expect((await me(client, key)).data.apiKey.name).toBe('Server')
    const renamed = await client.patch(`${keys}/${before.id}`, { token: owner.token, body: { name: 'Till' } })
    // The last use is recorded in the background.
    expect(renamed.data).toEqual({ ...before, name: 'Till', lastUsedAt: renamed.data.lastUsedAt })
    expect((await me(client, key)).data.apiKey.name).toBe('Till')
    await client.patch(`${keys}/${before.id}`, { token: owner.token, body: { name: 'Till' } })
    const events = sql`select type, data from events where object_id = ${before.id} order by position`
    expect(await app.runtime.db.rows(events)).toEqual([
      { type: 'api_key.created', data: { name: 'Server', mode: 'sandbox' } },
      { type: 'api_key.updated', data: { from: 'Server', name: 'Till' } },
    ])
  })

  test('keys of another organisation are not found', async () => {
    const [owner, stranger] = [await app.person(), await app.person()]
    const { id, key } = (await create(client, owner)).data
    const theirs = `/a/v1/organizations/${owner.organisationId}/api-keys`
    const { token } = stranger
    for (const path of [`${keys}/${id}`, `${theirs}/${id}`, `${keys}/${randomUUID()}`, `${keys}/not-an-id`]) {
      const replies = [
        await client.get(path, { token }),
        await client.get(`${path}/permissions`, { token }),
        await client.patch(path, { token, body: { name: 'Mine' } }),
        await client.patch(`${path}/revoke`, { token }),
        await client.post(`${path}/rotate`, { token, body: {} }),
      ]
      for (const reply of replies) expectRefusal(reply, 'resource.not_found')
    }
    expectRefusal(await client.get(theirs, { token }), 'resource.not_found')
    expectRefusal(await client.post(theirs, { token, body: { name: 'Mine', mode: 'sandbox' } }), 'resource.not_found')
    expect((await client.get(keys, { token })).data).toEqual([])
    expect((await me(client, key)).status).toBe(200)
    // For a key of another organisation, the organisation does not exist.
    const profile = await client.get(`/a/v1/organizations/${owner.organisationId}`, { token: key })
    expect(profile.status).toBe(200)
    expectRefusal(
      await client.get(`/a/v1/organizations/${stranger.organisationId}`, { token: key }),
      'resource.not_found',
    )
  })

  test('the time of last use is written in the background', async () => {
    const owner = await app.person()
    const { id, key } = (await create(client, owner)).data
    const lastUsed = async () => {
      await app.lastUsed.flush()
      return (await client.get(`${keys}/${id}`, owner)).data.lastUsedAt
    }
    expect(await lastUsed()).toBe(null)
    app.clock.advance({ minutes: 1 })
    await me(client, key)
    const first = app.clock.now().toISOString()
    expect((await client.get(`${keys}/${id}`, owner)).data.lastUsedAt).toBe(null)
    expect(await lastUsed()).toBe(first)
    const { accessToken } = (await client.post('/a/v1/auth/token', { token: key })).data
    app.clock.advance({ minutes: 1 })
    await me(client, accessToken)
    const second = app.clock.now().toISOString()
    expect(await lastUsed()).toBe(second)
    await client.patch(`${keys}/${id}/revoke`, owner)
    app.clock.advance({ minutes: 1 })
    expectRefusal(await me(client, key), 'auth.token_invalid')
    expect(await lastUsed()).toBe(second)
  })
})
