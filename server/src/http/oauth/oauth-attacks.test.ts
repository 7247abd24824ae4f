import { hash, randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { expectRefusal } from '../../../../test/harness/client.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { forbiddenHosts } from '../../../../test/harness/forbidden-hosts.ts'
import {
  agreement,
  approve,
  askInBrowser,
  authorizeAddress,
  codeIn,
  connect,
  type Form,
  newAddress,
  newAsking,
  oauthError,
  open,
  own,
  postForm,
  postRaw,
  redemption,
  refresh,
  register,
  takeTokens,
} from '../../../../test/harness/programs.ts'
import { StubServer } from '../../../../test/harness/stub-server.ts'
import { programDocuments } from '../../gateways/program-documents.ts'
import type { SettableClock } from '../../platform/clock.ts'
import { sql } from '../../platform/database/sql.ts'
import { createOutbound } from '../../platform/outbound/outbound-http.ts'
import { publicOnly } from '../../platform/outbound/public-urls.ts'
import { dashboardPaths } from '../plain/dashboard.ts'

let app: TestApp
let person: Person

beforeAll(async () => {
  app = await startTestApp({ trustProxy: { hops: 1 } })
  person = await app.person()
})
afterAll(() => app.close())

/** Sessions end sooner than requests, so the person signs in again. */
async function later(seconds: number): Promise<void> {
  app.clock.advance({ seconds })
  const renewed = await app.a.post('/a/v1/auth/refresh', { body: { refreshToken: person.refreshToken } })
  person = { ...person, token: renewed.data.accessToken, refreshToken: renewed.data.refreshToken }
}

const whoAmI = (token: string) => app.a.get('/a/v1/auth/me', { token })
const wrongGrant = [400, 'invalid_grant']

/** A page for the person, and no redirect. */
async function expectPage(values: Form | string): Promise<void> {
  const address = typeof values === 'string' ? values : authorizeAddress(values)
  const { status, headers, text } = await open(app, address)
  expect([400, 401]).toContain(status)
  expect(headers.get('location')).toBeNull()
  expect(text).toContain('This program cannot be connected')
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
}

describe('the redirect address', () => {
  const tricks = [
    'http://127.0.0.1.evil.test/callback',
    'http://127.0.0.1:80@evil.test/callback',
    'http://evil.test/callback',
    'https://127.0.0.1/callback',
    'http://127.0.0.1/callback/',
    'http://127.0.0.1/callback/../other',
    'http://127.0.0.1/callback?more=1',
    'http://127.0.0.1/callback#fragment',
    'http://127.0.0.1/Callback',
    'http://127.0.0.1/%63allback',
    'http://127.0.0.1:99999999/callback',
    'http://127.1/callback',
    'http://0x7f000001/callback',
    'http://localhost.evil.test/callback',
    'http://[::1/callback',
    'javascript:alert(1)',
    'data:text/html,hello',
    '//127.0.0.1/callback',
    ' http://127.0.0.1/callback',
    'http://127.0.0.1/callback\nhttp://evil.test',
    '',
  ]
  test.each(tricks)('%j is not taken', async (redirectUri) => {
    const { values } = newAsking(app)
    await expectPage({ ...values, redirect_uri: redirectUri })
  })

  test.each([
    'http://127.0.0.1/callback',
    'http://127.0.0.1:1/callback',
    'http://[::1]:65535/callback',
    'http://localhost:8080/callback',
  ])('any port of the machine is taken: %s', async (redirectUri) => {
    const { values } = newAsking(app, { redirect_uri: redirectUri })
    const { data } = await approve(app, person, await askInBrowser(app, values))
    expect(data.redirectTo).toMatch(new RegExp(`^${redirectUri.replace(/[[\]]/g, '\\$&')}\\?code=program_code_`))
  })

  test('a wrong request of a program with a good address is no way to that address either', async () => {
    const registered = await register(app, {
      redirect_uris: ['https://phishing.test/page'],
      client_name: 'Nice program',
    })
    const { values } = newAsking(app, {
      client_id: registered.body.client_id,
      redirect_uri: 'https://phishing.test/page',
    })
    for (const wrong of [
      { scope: 'everything' },
      { response_type: 'token' },
      { resource: 'https://other.test' },
      { code_challenge: undefined },
      { state: 'a\u0000b' },
      { state: 'x'.repeat(1025) },
    ])
      await expectPage({ ...values, ...wrong })
    await expectPage(`${authorizeAddress(values)}&state=second`)
    expect(await askInBrowser(app, values)).toMatch(/^[0-9a-f-]{36}$/)
  })
})

describe('the code', () => {
  test('is bound to its verifier, and no downgrade of PKCE is taken', async () => {
    const { values } = newAsking(app)
    for (const downgrade of [
      { code_challenge_method: 'plain' },
      { code_challenge_method: undefined },
      { code_challenge: undefined, code_challenge_method: undefined },
      { code_challenge: 'short' },
    ])
      await expectPage({ ...values, ...downgrade })
    for (const wrong of [undefined, '', randomBytes(32).toString('base64url'), values.code_challenge]) {
      const { values: asked, verifier } = newAsking(app)
      const code = codeIn(await approve(app, person, await askInBrowser(app, asked)))
      expect(oauthError(await takeTokens(app, { ...redemption(asked, code, verifier), code_verifier: wrong }))).toEqual(
        wrongGrant,
      )
      // Somebody tried it without the secret: the code was copied, and is over.
      expect(oauthError(await takeTokens(app, redemption(asked, code, verifier)))).toEqual(wrongGrant)
    }
  })

  test('that is used twice ends the program', async () => {
    const connected = await connect(app, person, { asking: { resource: app.url } })
    expect((await whoAmI(connected.accessToken)).status).toBe(200)
    const again = await takeTokens(
      app,
      redemption({ client_id: own.clientId, redirect_uri: own.redirectUri }, connected.code, connected.verifier),
    )
    expect(oauthError(again)).toEqual(wrongGrant)
    expectRefusal(await whoAmI(connected.accessToken), 'auth.token_invalid')
    expect(oauthError(await refresh(app, connected.refreshToken))).toEqual(wrongGrant)
  })

  test('that is used twenty times at once gives tokens once at most', async () => {
    const { values, verifier } = newAsking(app, { resource: app.url })
    const code = codeIn(await approve(app, person, await askInBrowser(app, values)))
    const all = await Promise.all(Array.from({ length: 20 }, () => takeTokens(app, redemption(values, code, verifier))))
    const given = all.filter(({ status }) => status === 200)
    expect(given).toHaveLength(1)
    expectRefusal(await whoAmI(given[0]?.body.access_token), 'auth.token_invalid')
  })

  test('of another program, or for another address, gives nothing and is over', async () => {
    const { body: other } = await register(app, { redirect_uris: [own.redirectUri], client_name: 'Other program' })
    for (const wrong of [
      { client_id: other.client_id },
      { client_id: undefined },
      { redirect_uri: 'http://localhost:1/callback' },
    ]) {
      const { values, verifier } = newAsking(app)
      const code = codeIn(await approve(app, person, await askInBrowser(app, values)))
      expect(oauthError(await takeTokens(app, { ...redemption(values, code, verifier), ...wrong }))).toEqual(wrongGrant)
      expect(oauthError(await takeTokens(app, redemption(values, code, verifier)))).toEqual(wrongGrant)
    }
  })

  test('works for a minute', async () => {
    const { values, verifier } = newAsking(app)
    const code = codeIn(await approve(app, person, await askInBrowser(app, values)))
    await later(61)
    expect(oauthError(await takeTokens(app, redemption(values, code, verifier)))).toEqual(wrongGrant)
  })

  test('comes back with the issuer and the state, so that answers of several servers cannot be mixed up', async () => {
    const state = 'a&b=c#d é'.replace('é', '%')
    const { values } = newAsking(app, { state })
    const approved = new URL((await approve(app, person, await askInBrowser(app, values))).data.redirectTo)
    expect([approved.searchParams.get('iss'), approved.searchParams.get('state')]).toEqual([app.url, state])
    const id = await askInBrowser(app, values)
    await app.a.get(`/n/v1/program-requests/${id}`, { token: person.token })
    const denied = new URL(
      (await app.a.post(`/n/v1/program-requests/${id}/deny`, { token: person.token })).data.redirectTo,
    )
    expect(Object.fromEntries(denied.searchParams)).toEqual({ error: 'access_denied', state, iss: app.url })
    expectRefusal(await approveAgain(id), 'resource.not_found')
  })

  const approveAgain = async (id: string) => {
    const { values } = newAsking(app)
    const body = await agreement(app, person, await askInBrowser(app, values))
    return await app.a.post(`/n/v1/program-requests/${id}/approve`, { token: person.token, body })
  }
})

describe('consent', () => {
  test('belongs to the person who saw the request first', async () => {
    const [first, second] = [person, await app.person()]
    const id = await askInBrowser(app, newAsking(app).values)
    const body = await agreement(app, first, id)
    const at = `/n/v1/program-requests/${id}`
    for (const client of [app.a, app.b]) {
      expectRefusal(await client.get(at, { token: second.token }), 'resource.not_found')
      expectRefusal(await client.post(`${at}/approve`, { token: second.token, body }), 'resource.not_found')
      expectRefusal(await client.post(`${at}/deny`, { token: second.token }), 'resource.not_found')
    }
    expect((await app.b.post(`${at}/approve`, { token: first.token, body })).status).toBe(200)
    expectRefusal(await app.a.post(`${at}/approve`, { token: first.token, body }), 'resource.not_found')
  })

  test('is given for ten minutes only', async () => {
    const id = await askInBrowser(app, newAsking(app).values)
    const body = await agreement(app, person, id)
    await later(601)
    const at = `/n/v1/program-requests/${id}`
    expectRefusal(await app.a.post(`${at}/approve`, { token: person.token, body }), 'resource.not_found')
    expectRefusal(await app.a.get(at, { token: person.token }), 'resource.not_found')
  })

  test('needs the session itself: a cookie without our header, a key and a program give nothing', async () => {
    const id = await askInBrowser(app, newAsking(app).values)
    const at = `/n/v1/program-requests/${id}`
    const body = await agreement(app, person, id)
    const { accessToken } = await connect(app, person, { asking: { resource: app.url } })
    expectRefusal(await app.a.post(`${at}/approve`, { token: accessToken, body }), 'auth.users_only')
    expectRefusal(
      await app.a.post(`${at}/approve`, { token: await app.key(person.organisationId), body }),
      'auth.users_only',
    )
    const forged = await fetch(`${app.url}${at}/approve`, {
      method: 'POST',
      headers: {
        cookie: `risiti-access=${person.token}`,
        origin: 'https://evil.test',
        'sec-fetch-site': 'cross-site',
        'risiti-session': 'cookie',
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    })
    expect(forged.status).toBe(401)
  })

  test('gives nothing that the person does not hold, or the program did not ask for', async () => {
    const owner = await app.person()
    const viewer = await app.member(owner.organisationId, 'VIEWER')
    const { values } = newAsking(app, { scope: 'invoice.read invoice.create' })
    const id = await askInBrowser(app, values)
    const shown = await app.a.get(`/n/v1/program-requests/${id}`, { token: viewer.token })
    expect(shown.data.organizations).toEqual([
      expect.objectContaining({
        id: owner.organisationId,
        capabilities: expect.not.arrayContaining(['invoice.create']),
      }),
    ])
    const at = `/n/v1/program-requests/${id}/approve`
    const send = (change: object) => async () => {
      const body = { ...(await agreement(app, viewer, id)), ...change }
      return await app.a.post(at, { token: viewer.token, body })
    }
    const refused = [
      send({ capabilities: ['invoice.read', 'invoice.create'] }),
      send({ capabilities: ['buyer.read'] }),
      send({ capabilities: [] }),
      send({ capabilities: ['member.read'] }),
      send({ organizationId: person.organisationId }),
    ]
    for (const attempt of refused) expectRefusal(await attempt(), 'request.invalid')
    expect((await send({})()).status).toBe(200)
  })
})

describe('the user code', () => {
  const start = (more: Form = {}) => postForm(app, '/oauth/device_authorization', { client_id: own.clientId, ...more })
  const poll = (deviceCode: string, more: Form = {}) =>
    takeTokens(app, {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      client_id: own.clientId,
      device_code: deviceCode,
      ...more,
    })
  const find = (userCode: string, token = person.token) =>
    app.a.post('/n/v1/program-requests/find', { token, body: { userCode } })

  test('cannot be guessed: tries are limited', async () => {
    const limited = await startTestApp({ limits: { login: 3 }, database: app.database, trustProxy: { hops: 1 } })
    try {
      const guesser = await limited.person()
      const guess = () =>
        limited.a.post('/n/v1/program-requests/find', { token: guesser.token, body: { userCode: 'BCDF-GHJK' } })
      const statuses: number[] = []
      // A minute may pass between two tries.
      while (statuses.at(-1) !== 429 && statuses.length < 50) statuses.push((await guess()).status)
      expect(statuses.at(-1)).toBe(429)
      expect(new Set(statuses.slice(0, -1))).toEqual(new Set([404]))
    } finally {
      await limited.close()
    }
  })

  test('of a request that was answered, or that expired, is unknown', async () => {
    const { body } = await start()
    const { data } = await find(body.user_code)
    await app.a.post(`/n/v1/program-requests/${data.id}/deny`, { token: person.token })
    expectRefusal(await find(body.user_code), 'resource.not_found')
    expect(oauthError(await poll(body.device_code))).toEqual([400, 'access_denied'])
  })

  test('slows down a program that asks too often, and ends in time', async () => {
    const { body } = await start()
    expect(oauthError(await poll(body.device_code))).toEqual([400, 'authorization_pending'])
    expect(oauthError(await poll(body.device_code))).toEqual([400, 'slow_down'])
    await later(6)
    // The pause is ten seconds now.
    expect(oauthError(await poll(body.device_code))).toEqual([400, 'slow_down'])
    await later(15)
    expect(oauthError(await poll(body.device_code))).toEqual([400, 'authorization_pending'])
    await later(600)
    expect(oauthError(await poll(body.device_code))).toEqual([400, 'expired_token'])
  })

  test('gives tokens to the program that started, once', async () => {
    const fresh = await app.person()
    const { body } = await start({ resource: app.url, scope: 'invoice.read' })
    const { data } = await find(body.user_code, fresh.token)
    expect((await approve(app, fresh, data.id)).status).toBe(200)
    expect(oauthError(await poll(body.device_code, { client_id: 'program_other' }))).toEqual(wrongGrant)
    expect(
      oauthError(
        await takeTokens(app, { grant_type: 'authorization_code', client_id: own.clientId, code: body.device_code }),
      ),
    ).toEqual(wrongGrant)
    const given = await poll(body.device_code)
    expect(given.status).toBe(200)
    expect(oauthError(await poll(body.device_code))).toEqual(wrongGrant)
    expectRefusal(await whoAmI(given.body.access_token), 'auth.token_invalid')
  })
})

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
    const json = { 'content-type': 'application/json' }
    expect((await postRaw(app, '/oauth/token', json, '{}')).status).toBe(415)
    const large = await postForm(app, '/oauth/token', { grant_type: 'x'.repeat(20_000) })
    expect(large.status).toBe(413)
    for (const { headers } of [await takeTokens(app, {}), large])
      expect([headers.get('cache-control'), headers.get('x-frame-options')]).toEqual(['no-store', 'DENY'])
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

test('a stolen session that a new password ends cannot connect a program meanwhile', async () => {
  const victim = await app.person()
  const id = await askInBrowser(app, newAsking(app).values)
  const body = await agreement(app, victim, id)
  // The new password locks the person, and ends the session before the approval gets the lock.
  const changing = await app.owner.pool.connect()
  try {
    await changing.query('begin')
    await changing.query('select from users where id = $1 for no key update', [victim.userId])
    const approving = app.a.post(`/n/v1/program-requests/${id}/approve`, { token: victim.token, body })
    await eventually(async () => {
      const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      expect(await app.owner.rows(waiting)).toHaveLength(1)
    })
    await changing.query('update sessions set ended_at = now() where user_id = $1', [victim.userId])
    await changing.query('commit')
    expectRefusal(await approving, 'session.ended')
  } finally {
    changing.release()
  }
})

test('no page of the dashboard, and so not that of consent, can be shown inside a page of others', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'risiti-dashboard-'))
  await writeFile(join(folder, 'index.html'), '<!DOCTYPE html><title>Dashboard</title>')
  const withPages = await startTestApp({ database: app.database, dashboard: folder })
  try {
    for (const path of dashboardPaths) {
      const { status, headers } = await fetch(`${withPages.url}/${path}`)
      expect([status, headers.get('x-frame-options')]).toEqual([200, 'DENY'])
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    }
  } finally {
    await withPages.close()
    await rm(folder, { recursive: true })
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
