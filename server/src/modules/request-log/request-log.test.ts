import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { expectRefusal, faultPaths } from '../../../../test/harness/client.ts'
import { memberHolding } from '../../../../test/harness/custom-role.ts'
import { noOrganisation, type TokenCaller } from '../../kernel/callers.ts'
import { newId } from '../../kernel/ids.ts'
import { sql } from '../../platform/database/sql.ts'
import { silentLogger } from '../../platform/logger.ts'
import type { AnsweredRequest } from './logged-request.ts'
import { purgeRequestLog } from './purge-request-log.ts'
import { createRequestLog } from './request-log.ts'
import { pathWithoutSecrets } from './without-secrets.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const log = '/i/v1/request-log'
const flush = () => app.runtime.ports.requestLog.flush()

/** Requests in the caller's log, newest first. */
async function entries(token: string, query = '') {
  await flush()
  const { status, data } = await app.a.get(`${log}${query}`, { token })
  expect(status).toBe(200)
  return data as { id: string; method: string; path: string; status: number; reason: string | null }[]
}

test('shows every request with a token: the request, the caller and the reply', async () => {
  const owner = await app.person()
  const { token } = owner
  const made = await app.a.post('/a/v1/organizations/me/api-keys', {
    token,
    body: { name: 'web shop', mode: 'sandbox', preset: 'read_only' },
  })
  const { key, id: keyId, hint } = made.data
  const headers = { 'x-request-id': 'shop-1', 'user-agent': 'shop/2.1' }
  await app.a.get('/i/v1/buyers?search=oke&limit=5', { token: key, headers })
  await app.a.post('/i/v1/buyers', { token: key, body: { name: 'Oke' } })
  const wrong = await app.a.post('/i/v1/items', { token, body: { name: '', surprise: 1 } })
  await app.a.get('/i/v1/invioces?api_key=hush-hush&page=2', { token: key })
  // Not logged: a stranger's request, and reading the log itself.
  await app.a.get('/i/v1/buyers', { token: 'sk_test_madeup' })
  await entries(token)

  expect(await entries(token)).toEqual([
    expect.objectContaining({
      method: 'GET',
      path: '/i/v1/invioces?api_key=[redacted]&page=2',
      route: null,
      status: 404,
      reason: 'route.not_found',
    }),
    expect.objectContaining({ method: 'POST', path: '/i/v1/items', status: 400, reason: 'request.invalid' }),
    expect.objectContaining({ method: 'POST', path: '/i/v1/buyers', status: 403, reason: 'auth.capability_missing' }),
    {
      id: expect.any(String),
      answeredAt: app.clock.now().toISOString(),
      method: 'GET',
      path: '/i/v1/buyers?search=oke&limit=5',
      route: '/i/v1/buyers',
      status: 200,
      code: null,
      reason: null,
      durationMs: expect.any(Number),
      actor: { type: 'api_key', id: keyId, name: 'web shop', hint },
      requestId: 'shop-1',
      address: '127.0.0.1',
    },
    expect.objectContaining({ method: 'POST', path: '/a/v1/organizations/me/api-keys', status: 201 }),
  ])

  const only = async (query: string) => (await entries(token, query)).map(({ path }) => path.split('?')[0])
  const [made1, buyers, items, invioces] = [
    '/a/v1/organizations/me/api-keys',
    '/i/v1/buyers',
    '/i/v1/items',
    '/i/v1/invioces',
  ]
  expect(await only('?status=2xx')).toEqual([buyers, made1])
  expect(await only('?status=4xx&method=POST')).toEqual([items, buyers])
  expect(await only('?by=api_key')).toEqual([invioces, buyers, buyers])
  expect(await only(`?keyId=${keyId}&status=2xx`)).toEqual([buyers])
  expect(await only('?path=BUYER')).toEqual([buyers, buyers])
  expect(await only('?path=%25')).toEqual([])
  expect(await only('?requestId=shop-1')).toEqual([buyers])
  expect(await only(`?to=${app.clock.now().toISOString()}`)).toEqual([])
  expect(await only('?limit=1&page=2')).toEqual([items])
  expectRefusal(await app.a.get(`${log}?status=teapot&keyId=x`, { token }), 'request.invalid')

  const [, refused, , fine] = await entries(token)
  const whole = (await app.a.get(`${log}/${refused?.id}`, { token })).data
  expect(whole).toMatchObject({ code: 'VAL001', actor: { type: 'user', name: owner.email, hint: null } })
  expect(whole.refusal.message).toBe(wrong.body.error.message)
  expect(whole.refusal.faults.map(({ path }: { path: string }) => path).sort()).toEqual(faultPaths(wrong))
  const seen = (await app.a.get(`${log}/${fine?.id}`, { token })).data
  expect(seen).toMatchObject({ userAgent: 'shop/2.1', refusal: null })

  const kept = JSON.stringify(await app.runtime.db.rows(sql`select * from request_log`))
  expect(kept).toContain('shop-1')
  for (const secret of [key, token, 'hush-hush', 'madeup']) expect(kept).not.toContain(secret)
})

test('rate-limited requests are shown', async () => {
  const slow = await startTestApp({ limits: { key: 1 } })
  const { organisationId, token } = await slow.person()
  const key = await slow.key(organisationId)
  for (let request = 0; request < 3; request++) await slow.a.get('/i/v1/buyers', { token: key })
  await slow.runtime.ports.requestLog.flush()
  const { data } = await slow.a.get(`${log}?status=4xx&by=api_key`, { token })
  expect(data[0]).toMatchObject({ status: 429, reason: 'limit.exceeded' })
  await slow.close()
})

test('shows only the own organisation and mode, to callers who may read keys', async () => {
  const [owner, stranger] = [await app.person(), await app.person()]
  const live = await app.member(owner.organisationId, 'OWNER', { mode: 'live' })
  await app.a.get(`/i/v1/buyers/${randomUUID()}`, { token: owner.token })
  const [mine] = await entries(owner.token)
  expect(mine).toMatchObject({ status: 404, route: '/i/v1/buyers/{id}', reason: 'resource.not_found' })
  for (const { token } of [stranger, live]) {
    expect((await entries(token)).filter(({ id }) => id === mine?.id)).toEqual([])
    expectRefusal(await app.a.get(`${log}/${mine?.id}`, { token }), 'resource.not_found')
  }
  expect((await app.a.get(`${log}/${mine?.id}`, { token: owner.token })).status).toBe(200)
  const member = await app.member(owner.organisationId, 'MEMBER')
  expectRefusal(await app.a.get(log, { token: member.token }), 'auth.capability_missing')
  const developer = await app.member(owner.organisationId, 'DEVELOPER')
  expect((await app.a.get(log, { token: developer.token })).status).toBe(200)
  expectRefusal(await app.a.get(log, { token: await app.key(owner.organisationId) }), 'auth.users_only')
})

test('shows search words only to callers who may read the searched objects', async () => {
  const owner = await app.person()
  await app.a.get('/i/v1/buyers?search=Adebayo', { token: owner.token })
  expect((await entries(owner.token, '?path=adebayo')).map(({ path }) => path)).toEqual(['/i/v1/buyers?search=Adebayo'])
  const { token } = await memberHolding(app, owner, 'api_key.read')
  expect(await entries(token, '?path=adebayo')).toEqual([])
  const [found] = await entries(token, '?path=/buyers')
  expect(found?.path).toBe('/i/v1/buyers')
  expect((await app.a.get(`${log}/${found?.id}`, { token })).text).not.toContain('Adebayo')
})

const caller = (organisationId: string = randomUUID()) =>
  ({ kind: 'api_key', keyId: newId(), name: 'shop', tenant: { organisationId, mode: 'sandbox' } }) as TokenCaller

const answered = (by: TokenCaller, more: Partial<AnsweredRequest> = {}): AnsweredRequest => ({
  caller: by,
  method: 'GET',
  route: '/i/v1/buyers',
  url: '/i/v1/buyers',
  status: 200,
  durationMs: 1,
  requestId: 'r',
  address: '127.0.0.1',
  userAgent: '',
  refused: undefined,
  ...more,
})

test('buffers a limited number in total and per organisation, and counts dropped requests', async () => {
  const { db } = app.runtime
  const [busy, other] = [caller(), caller()]
  const small = createRequestLog(db, app.clock, silentLogger, { most: 5, mostOfOrganisation: 3 })
  for (let request = 0; request < 10; request++) small.note(answered(busy))
  for (let request = 0; request < 10; request++) small.note(answered(other))
  small.note(answered(caller(noOrganisation)))
  await small.flush()
  expect(await small.metrics()).toContain('{outcome="written"} 5')
  expect(await small.metrics()).toContain('{outcome="no_room"} 15')
  const rows = await db.rows<{ organisationId: string }>(sql`
    select organisation_id from request_log
     where organisation_id = any (${[busy, other].map(({ tenant }) => tenant.organisationId)}::uuid[])`)
  expect(rows.filter(({ organisationId }) => organisationId === busy.tenant.organisationId)).toHaveLength(3)
  // A request may hold any bytes, and must not spoil the batch for others.
  const odd = { code: 'VAL001', message: '\u0000\ud800', details: [{ path: '\u0000', rule: 'x', message: 'm' }] }
  small.note(answered(busy, { refused: { reason: 'request.invalid', error: odd } }))
  await small.flush()
  expect(await small.metrics()).toContain('{outcome="written"} 6')
})

test('a batch that cannot be written is dropped', async () => {
  const away = createRequestLog(
    { run: () => Promise.reject(new Error('away')) } as unknown as typeof app.runtime.db,
    app.clock,
    silentLogger,
  )
  away.note(answered(caller()))
  await away.flush()
  expect(await away.metrics()).toContain('{outcome="not_written"} 1')
})

test('keeps the last days, and the newest requests of busy callers', async () => {
  const { db, clock } = app.runtime
  const [busy, quiet] = [caller(), caller()]
  const requests = createRequestLog(db, clock, silentLogger)
  for (let request = 0; request < 25; request++) requests.note(answered(busy, { url: `/${request}` }))
  requests.note(answered(quiet))
  await requests.flush()
  const left = ({ tenant: { organisationId } }: TokenCaller) =>
    db.rows<{ path: string }>(
      sql`select path from request_log where organisation_id = ${organisationId} order by id desc`,
    )
  await purgeRequestLog({ db, log: silentLogger }, new Date(clock.now().getTime() - 1000), { most: 3, limit: 4 })
  expect((await left(busy)).map(({ path }) => path)).toEqual(['/24', '/23', '/22'])
  expect(await left(quiet)).toHaveLength(1)
  app.clock.advance({ days: 8 })
  await app.runJob('purge-expired')
  expect([await left(busy), await left(quiet)]).toEqual([[], []])
})

test('a busy caller has no more than its share between two purges', async () => {
  const { db, clock } = app.runtime
  const [busy, quiet] = [caller(), caller()]
  const requests = createRequestLog(db, clock, silentLogger, { mostKeptOfTenant: 6, trimAfter: 4 })
  requests.note(answered(quiet))
  for (let request = 0; request < 30; request++) {
    requests.note(answered(busy, { url: `/${request}` }))
    if (request % 3 === 2) await requests.flush()
  }
  const kept = async ({ tenant: { organisationId } }: TokenCaller) =>
    (
      await db.rows<{ path: string }>(
        sql`select path from request_log where organisation_id = ${organisationId} order by id desc`,
      )
    ).map(({ path }) => path)
  const left = await kept(busy)
  expect(left.length).toBeLessThanOrEqual(6 + 4 + 3)
  expect(left.slice(0, 3)).toEqual(['/29', '/28', '/27'])
  expect(await kept(quiet)).toHaveLength(1)
})

test.each([
  ['/a?token=x&page=2', '/a?token=[redacted]&page=2'],
  [
    '/a?apiKey=x&access_token=y&resetCode=z&q=1',
    '/a?apiKey=[redacted]&access_token=[redacted]&resetCode=[redacted]&q=1',
  ],
  ['/a?monkey=1&codex=2&keyId=3', '/a?monkey=1&codex=2&keyId=3'],
  ['/a/sk_live_abc123/b', '/a/[redacted]/b'],
  ['/a?password', '/a?password'],
  ['/a?%74oken=x&tok%65n=y&page=2', '/a?%74oken=[redacted]&tok%65n=[redacted]&page=2'],
  ['/a?%2574oken=x&%252574oken=y', '/a?%2574oken=[redacted]&%252574oken=[redacted]'],
  [
    '/a?token[]=x&filter[token]=y&filter%5Btoken%5D=z',
    '/a?token[]=[redacted]&filter[token]=[redacted]&filter%5Btoken%5D=[redacted]',
  ],
  ['/a?api%4Bey=x&access%5ftoken=y&%zztoken=1', '/a?api%4Bey=[redacted]&access%5ftoken=[redacted]&%zztoken=1'],
  ['/a?q=1;token=x', '/a?q=1;token=[redacted]'],
  ['/a?token%3Dx=1&+token=y', '/a?token%3Dx=[redacted]&+token=[redacted]'],
  ['/a/sk%5Flive%5Fabc123/b?q=sk%5flive%5fabc123', '/a/[redacted]/b?q=[redacted]'],
  ['/a?q=50%25&name=%C3%A9', '/a?q=50%25&name=%C3%A9'],
])('of the path %s it stores %s', (url, kept) => expect(pathWithoutSecrets(url)).toBe(kept))
