import { hash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { expectRefusal } from '../../../../test/harness/client.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { forbiddenHosts } from '../../../../test/harness/forbidden-hosts.ts'
import {
  askInBrowser,
  authorizeAddress,
  connect,
  expectFaultPage,
  type Form,
  newAddress,
  newAsking,
  oauthError,
  open,
  own,
  postForm,
  postRaw,
  refresh,
  register,
  takeTokens,
  wrongGrant,
} from '../../../../test/harness/programs.ts'
import { sessionAgain } from '../../../../test/harness/session-again.ts'
import { StubServer } from '../../../../test/harness/stub-server.ts'
import { programDocuments } from '../../gateways/program-documents.ts'
import type { SettableClock } from '../../platform/clock.ts'
import { sql } from '../../platform/database/sql.ts'
import { createOutbound } from '../../platform/outbound/outbound-http.ts'
import { publicOnly } from '../../platform/outbound/public-urls.ts'

let app: TestApp
let person: Person

beforeAll(async () => {
  app = await startTestApp({ trustProxy: { hops: 1 } })
  person = await app.person()
})
afterAll(() => app.close())

/** Sessions end sooner than documents, so the person signs in again. */
async function later(seconds: number): Promise<void> {
  app.clock.advance({ seconds })
  person = await sessionAgain(app, person, 'sandbox')
}

const whoAmI = (token: string) => app.a.get('/a/v1/auth/me', { token })
const expectPage = (values: Form | string) => expectFaultPage(app, values)

describe('a program that introduces itself', () => {
  test('by registration is bound to our rules', async () => {
    const uris = ['https://program.test/callback']
    const good = await register(app, {
      redirect_uris: uris,
      client_name: 'Bookkeeper',
      logo_uri: 'https://evil.test/x.png',
    })
    expect(good.status).toBe(201)
    expect(good.body).toMatchObject({
      client_name: 'Bookkeeper',
      redirect_uris: uris,
      token_endpoint_auth_method: 'none',
    })
    expect(good.body.client_secret).toBeUndefined()
    const names = [
      '',
      ' ',
      'a\u202Eb',
      'a\u200Bb',
      'two\nlines',
      'x'.repeat(81),
      'see https://evil.test',
      'Risiti CLI',
      'ＲＩＳＩＴＩ',
      'RlSlTl CLl',
      'R1s1t1',
      'Rısıtı',
      'Rìsíti',
      'Ri\u0301siti',
      'ʀɪꜱɪᴛɪ',
      'R.i.s.i.t.i',
      'Ri$iti',
      'Rіѕіtі CLI',
      'ᎡᎥᏚᎥᎢᎥ',
      'Risıti',
      7,
      null,
      undefined,
    ]
    for (const client_name of names)
      expect(oauthError(await register(app, { redirect_uris: uris, client_name }))).toEqual([
        400,
        'invalid_client_metadata',
      ])
    const addresses = [
      ['http://program.test/'],
      ['javascript:alert(1)'],
      ['javascript://x.y/%0aalert(1)'],
      ['data:text/html,x'],
      ['file:///etc/passwd'],
      ['https://user:password@program.test/'],
      ['https://program.test/#x'],
      ['myapp:/callback'],
      ['ftp://a.b/'],
      [`https://program.test/${'x'.repeat(500)}`],
      [],
      Array(21).fill('https://program.test/'),
      'https://program.test/',
      [7],
      null,
      undefined,
    ]
    for (const redirect_uris of addresses)
      expect(oauthError(await register(app, { redirect_uris, client_name: 'Bookkeeper' }))).toEqual([
        400,
        'invalid_redirect_uri',
      ])
    expect(
      oauthError(
        await register(app, {
          redirect_uris: uris,
          client_name: 'Bookkeeper',
          token_endpoint_auth_method: 'client_secret_basic',
        }),
      ),
    ).toEqual([400, 'invalid_client_metadata'])
    for (const body of [[], 'text', 7, null]) expect(oauthError(await register(app, body))[0]).toBe(400)
    for (const client_name of ['Paris Itinerary', 'Ọ̀jà Àkọ́ọ́lẹ̀', 'Bookkeeper 2 (test)', 'Café & Söhne'])
      expect((await register(app, { redirect_uris: uris, client_name })).status).toBe(201)
    const scheme = await register(app, {
      redirect_uris: ['com.example.app:/callback', 'cursor://x/y'],
      client_name: 'Desk',
    })
    expect(scheme.status).toBe(201)
  })

  test('by registration cannot fill the database: a network gets 30 an hour', async () => {
    const address = newAddress()
    const metadata = { redirect_uris: ['https://program.test/'], client_name: 'One of many' }
    const statuses: number[] = []
    // An hour may end between two of them.
    while (statuses.at(-1) !== 429 && statuses.length < 62)
      statuses.push((await register(app, metadata, address)).status)
    expect(statuses.at(-1)).toBe(429)
    expect((await register(app, metadata)).status).toBe(201)
  })

  test('by a document shows the host that vouches for it', async () => {
    await using host = await new StubServer().start()
    const clientId = `${host.url}/program.json`
    const redirectUri = 'https://books.test/callback'
    const document: Record<string, unknown> = {
      client_id: clientId,
      client_name: 'Bookkeeper',
      redirect_uris: [redirectUri],
    }
    host.answer = () => ({ body: document })
    const { values } = newAsking(app, { client_id: clientId, redirect_uri: redirectUri })
    const id = await askInBrowser(app, values)
    const { data } = await app.a.get(`/n/v1/program-requests/${id}`, { token: person.token })
    expect(data).toMatchObject({
      program: { clientId, name: 'Bookkeeper', host: new URL(host.url).host, isBuiltIn: false },
      redirectHost: 'books.test',
    })
    await askInBrowser(app, values)
    expect(host.requests).toHaveLength(1)
    await later(3_601)
    document.client_name = 'Risiti CLI'
    await askInBrowser(app, values)
    expect(host.requests).toHaveLength(2)
    const [row] = await app.runtime.db.rows<{ name: string }>(
      sql`select name from program_clients where client_id = ${clientId}`,
    )
    expect(row?.name).toBe(new URL(host.url).host)
  })

  test('by a document that is hostile is not taken', async () => {
    await using host = await new StubServer().start()
    const elsewhere = `${host.url}/elsewhere.json`
    const uris = ['https://books.test/callback']
    const good = (path: string) => ({ client_id: `${host.url}${path}`, redirect_uris: uris, client_name: 'Bookkeeper' })
    const answers: Record<string, unknown> = {
      '/other-id.json': { ...good('/x.json') },
      '/no-uris.json': { ...good('/no-uris.json'), redirect_uris: [] },
      '/script.json': { ...good('/script.json'), redirect_uris: ['javascript:alert(1)'] },
      '/secret.json': { ...good('/secret.json'), token_endpoint_auth_method: 'private_key_jwt' },
      '/huge.json': { ...good('/huge.json'), more: 'x'.repeat(17 * 1024) },
      '/deep.json': '['.repeat(8_000),
      '/text.json': 'no JSON',
      '/null.json': 'null',
    }
    host.answer = ({ path }) =>
      path === '/redirect.json'
        ? { status: 302, headers: { location: elsewhere }, body: '' }
        : path === '/status.json'
          ? { status: 500, body: good(path) }
          : { body: answers[path] ?? good(path) }
    const paths = [...Object.keys(answers), '/redirect.json', '/status.json']
    for (const path of paths) {
      const { values } = newAsking(app, { client_id: `${host.url}${path}`, redirect_uri: uris[0] })
      await expectPage(values)
    }
    expect(host.requests.map(({ path }) => path)).toEqual(paths)
    // Addresses that are no documents are not asked.
    for (const clientId of [
      host.url,
      `${host.url}/`,
      `${host.url}/a/../b`,
      `${host.url}/a#b`,
      `http://user@127.0.0.1/a`,
      'http://evil.test/a',
      'ftp://a.test/b',
      'https://',
      'https://a.test/\u0000',
      '',
    ])
      await expectPage(newAsking(app, { client_id: clientId, redirect_uri: uris[0] }).values)
    expect(host.requests).toHaveLength(paths.length)
  })

  test('by a document inside our network is never asked', async () => {
    const reached: string[] = []
    const outbound = createOutbound({
      resolvePublic: async (name) => {
        reached.push(name)
        return ['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1']
      },
    })
    const documents = programDocuments(outbound, [publicOnly(['invoices.test'])])
    try {
      for (const [, host] of forbiddenHosts)
        if (URL.canParse(`https://${host}/a.json`))
          expect(await documents.read(`https://${host}/a.json`)).toBeUndefined()
      for (const url of [
        'http://books.test/a.json',
        'https://books.test:8080/a.json',
        'https://invoices.test/a.json',
        'https://books.test/a.json',
      ])
        expect(await documents.read(url)).toBeUndefined()
      expect(reached).toContain('books.test')
    } finally {
      await outbound.close()
    }
  })
})

describe('what programs send', () => {
  test('is a form with each parameter once, and without a secret', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const twice = 'grant_type=refresh_token&grant_type=authorization_code'
    expect(oauthError(await postRaw(app, '/oauth/token', form, twice))).toEqual([400, 'invalid_request'])
    const withSecret = { ...form, authorization: 'Basic eDp5' }
    const body = 'grant_type=refresh_token'
    expect(oauthError(await postRaw(app, '/oauth/token', withSecret, body))).toEqual([401, 'invalid_client'])
    expect(oauthError(await takeTokens(app, { grant_type: 'password' }))).toEqual([400, 'unsupported_grant_type'])
    expect(oauthError(await takeTokens(app, {}))).toEqual([400, 'unsupported_grant_type'])
    for (const grant_type of ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'])
      for (const secret of [undefined, 'x', '\u0000', 'x'.repeat(5_000)])
        expect(
          oauthError(await takeTokens(app, { grant_type, code: secret, refresh_token: secret, device_code: secret })),
        ).toEqual(wrongGrant)
    const large = await postForm(app, '/oauth/token', { grant_type: 'x'.repeat(20_000) })
    expect(oauthError(large)).toEqual([413, 'invalid_request'])
    for (const { headers } of [await takeTokens(app, {}), large])
      expect([headers.get('cache-control'), headers.get('x-frame-options')]).toEqual(['no-store', 'DENY'])
  })

  test('gets an error object of OAuth, also for a body that cannot be read', async () => {
    const form = 'application/x-www-form-urlencoded'
    for (const path of ['/oauth/token', '/oauth/device_authorization', '/oauth/revoke']) {
      for (const [type, body] of [
        ['application/json', '{}'],
        ['application/json', '{'],
        ['application/x-www-form-urlencoded; charset', 'a=1&a=2'],
        ['text/plain', 'grant_type=refresh_token'],
        ['multipart/form-data; boundary=x', '--x--'],
        ['nonsense', 'x'],
      ] as const) {
        const refused = await postRaw(app, path, { 'content-type': type }, body)
        expect([path, type, ...oauthError(refused)]).toEqual([path, type, 400, 'invalid_request'])
        expect(Object.keys(refused.body)).toEqual(['error', 'error_description'])
      }
      const unsupported = await postRaw(app, path, { 'content-type': 'application/json' }, '{}')
      expect(unsupported.body.error_description).toContain(form)
    }
    for (const body of ['{', '{"a":1,"a":2}', '['.repeat(5_000), '\u0000', ''])
      expect(oauthError(await postRaw(app, '/oauth/register', { 'content-type': 'application/json' }, body))[0]).toBe(
        400,
      )
    const asForm = await postRaw(app, '/oauth/register', { 'content-type': form }, 'client_name=x')
    expect(oauthError(asForm)).toEqual([400, 'invalid_request'])
  })

  test('counts by network', async () => {
    const address = newAddress()
    const statuses: number[] = []
    while (statuses.at(-1) !== 429 && statuses.length < 202)
      statuses.push((await open(app, authorizeAddress(newAsking(app).values), address)).status)
    expect(statuses.at(-1)).toBe(429)
  })
})

test('a token is bound to its resource: another one cannot be asked for later', async () => {
  const connected = await connect(app, person)
  expect(oauthError(await refresh(app, connected.refreshToken, { resource: app.url }))).toEqual([400, 'invalid_target'])
  expect(oauthError(await refresh(app, connected.refreshToken, { scope: 'everything' }))).toEqual([
    400,
    'invalid_scope',
  ])
  expect(oauthError(await refresh(app, connected.refreshToken, { client_id: 'program_other' }))).toEqual(wrongGrant)
  expect((await refresh(app, connected.refreshToken, { resource: `${app.url}/mcp` })).status).toBe(200)
})

test('an old and a new refresh token at the same moment wait for each other in one order, and never for ever', async () => {
  const deadlocks = async () =>
    (
      await app.owner.one<{ count: number }>(
        sql`select deadlocks::int as count from pg_stat_database where datname = current_database()`,
      )
    ).count
  const before = await deadlocks()
  for (let round = 0; round < 10; round++) {
    const connected = await connect(app, person, { asking: { resource: app.url } })
    const next = (await refresh(app, connected.refreshToken)).body.refresh_token
    const all = await Promise.all([
      refresh(app, connected.refreshToken),
      refresh(app, next),
      refresh(app, connected.refreshToken),
      postForm(app, '/oauth/revoke', { token: next, client_id: own.clientId }),
    ])
    for (const { status } of all) expect([200, 400]).toContain(status)
  }
  await app.owner.run(sql`select pg_stat_force_next_flush()`)
  expect(await deadlocks()).toBe(before)
})

test('a refresh that runs while the program is revoked gives no tokens that work', async () => {
  for (let round = 0; round < 5; round++) {
    const connected = await connect(app, person, { asking: { resource: app.url } })
    const [renewed, revoked] = await Promise.all([
      refresh(app, connected.refreshToken),
      app.a.delete(`/n/v1/connected-programs/${connected.id}`, { token: person.token }),
    ])
    expect(revoked.status).toBe(200)
    if (renewed.status === 200) {
      expectRefusal(await whoAmI(renewed.body.access_token), 'auth.token_invalid')
      expect(oauthError(await refresh(app, renewed.body.refresh_token))).toEqual(wrongGrant)
    } else expect(oauthError(renewed)).toEqual(wrongGrant)
  }
})

test('a program cannot revoke another, and an unknown token is no news', async () => {
  const connected = await connect(app, person, { asking: { resource: app.url } })
  const revoke = (values: Form) => postForm(app, '/oauth/revoke', values)
  for (const values of [
    { token: connected.refreshToken, client_id: 'program_other' },
    { token: connected.refreshToken },
    { token: 'unknown', client_id: own.clientId },
    { token: person.token, client_id: own.clientId },
    {},
  ])
    expect((await revoke(values)).status).toBe(200)
  expect((await whoAmI(connected.accessToken)).status).toBe(200)
  expect((await whoAmI(person.token)).status).toBe(200)
  expect((await revoke({ token: connected.accessToken, client_id: own.clientId })).status).toBe(200)
  expectRefusal(await whoAmI(connected.accessToken), 'auth.token_invalid')
})

test('secrets of programs are stored as hashes', async () => {
  const connected = await connect(app, person)
  const rows = await app.owner.rows<{ text: string }>(sql`
    select to_jsonb(t)::text as text from program_tokens t union all select to_jsonb(r)::text from program_requests r
    union all select to_jsonb(p)::text from connected_programs p`)
  const all = rows.map(({ text }) => text).join('\n')
  for (const secret of [connected.code, connected.refreshToken, connected.accessToken])
    expect(all).not.toContain(secret)
  expect(all).toContain(hash('sha256', connected.refreshToken))
})

test('two nodes agree: what one ends, the other refuses within a second', async () => {
  const second = await startTestApp({
    database: app.database,
    trustProxy: { hops: 1 },
    vault: app.runtime.vault,
    now: (app.clock as SettableClock).now(),
  })
  try {
    const connected = await connect(app, person, { asking: { resource: app.url } })
    const there = () => second.a.get('/a/v1/auth/me', { token: connected.accessToken })
    expect((await there()).status).toBe(200)
    await app.a.delete(`/n/v1/connected-programs/${connected.id}`, { token: person.token })
    await eventually(async () => expectRefusal(await there(), 'auth.token_invalid'))
  } finally {
    await second.close()
  }
})

test('a refused poll says slow_down, so that the program goes on', async () => {
  const limited = await startTestApp({ limits: { address: 2 }, database: app.database, trustProxy: { hops: 1 } })
  try {
    const address = newAddress()
    const answers: [number, string][] = []
    // A minute may end between two of them.
    while (answers.at(-1)?.[0] !== 429 && answers.length < 50)
      answers.push(oauthError(await postForm(limited, '/oauth/token', { grant_type: 'x' }, address)))
    expect(answers.at(-1)).toEqual([429, 'slow_down'])
  } finally {
    await limited.close()
  }
})
