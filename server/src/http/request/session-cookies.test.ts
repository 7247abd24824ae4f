import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { password, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { Tokens } from '../definitions/tokens.ts'
import { SessionCookies } from './session-cookies.ts'

let app: TestApp
let email: string
beforeAll(async () => {
  app = await startTestApp()
  email = (await app.person()).email
})
afterAll(() => app.close())

const asPage = { 'risiti-session': 'cookie', 'sec-fetch-site': 'same-origin' }
const post = (path: string, headers: Record<string, string>, body?: unknown) =>
  fetch(`${app.url}${path}`, {
    method: 'POST',
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
const me = (headers: Record<string, string>) => fetch(`${app.url}/a/v1/auth/me`, { headers })
const logIn = (headers: Record<string, string> = asPage) => post('/a/v1/auth/login', headers, { email, password })
/** What a browser sends back. */
const cookiesOf = (response: Response) => response.headers.getSetCookie().map((line) => line.split(';')[0] as string)

describe('a page of our own', () => {
  test('gets its tokens as HttpOnly cookies, and not in the reply', async () => {
    const response = await logIn()
    expect(response.status).toBe(200)
    const [access, refresh] = response.headers.getSetCookie()
    expect(access).toMatch(/^risiti-access=[\w.-]{40,}; Max-Age=900; Path=\/; HttpOnly; SameSite=Strict$/)
    expect(refresh).toMatch(/^risiti-refresh=rt_[\w-]{40,}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/)
    const { data } = (await response.json()) as { data: Record<string, unknown> }
    expect(Object.keys(data).sort()).toEqual(['expiresIn', 'mode', 'organizationId', 'tokenType'])
  })

  test('is identified by its cookie, refreshes without knowing the token, and loses the cookies on logout', async () => {
    const [access = '', refresh = ''] = cookiesOf(await logIn())
    expect((await me({ ...asPage, cookie: `theme=dark; ${access}` })).status).toBe(200)

    const refreshed = await post('/a/v1/auth/refresh', { ...asPage, cookie: `${access}; ${refresh}` })
    expect(refreshed.status).toBe(200)
    const [next = '', nextRefresh = ''] = cookiesOf(refreshed)
    expect(nextRefresh).not.toBe(refresh)
    expect((await me({ ...asPage, cookie: next })).status).toBe(200)

    const ended = await post('/a/v1/auth/logout', { ...asPage, cookie: next })
    expect(ended.status).toBe(200)
    expect(ended.headers.getSetCookie().map((line) => line.replace(/; HttpOnly.*/, ''))).toEqual([
      'risiti-access=; Max-Age=0; Path=/',
      'risiti-refresh=; Max-Age=0; Path=/',
    ])
    expect((await me({ ...asPage, cookie: next })).status).toBe(401)
  })

  test('keeps its cookies after a refusal', async () => {
    const response = await post('/a/v1/auth/login', asPage, { email, password: 'not this one' })
    expect(response.status).toBe(401)
    expect(response.headers.getSetCookie()).toEqual([])
  })
})

describe('a cookie alone gives no access', () => {
  test.each([
    ['without the header', { 'sec-fetch-site': 'same-origin' }],
    ['with another value of it', { ...asPage, 'risiti-session': 'yes' }],
    ['from another site', { ...asPage, 'sec-fetch-site': 'cross-site' }],
    ['from a neighbour of the same site', { ...asPage, 'sec-fetch-site': 'same-site' }],
    ['from an origin that is not ours', { 'risiti-session': 'cookie', origin: 'https://evil.test' }],
    ['from an origin that is none', { 'risiti-session': 'cookie', origin: 'null' }],
  ])('%s', async (_, headers) => {
    const [access = '', refresh = ''] = cookiesOf(await logIn())
    const cookie = `${access}; ${refresh}`
    expect((await me({ ...headers, cookie })).status).toBe(401)
    expect((await post('/a/v1/auth/refresh', { ...headers, cookie })).status).toBe(400)
    expect((await logIn(headers)).headers.getSetCookie()).toEqual([])
  })

  test('an origin that only starts like ours is refused, and our own is accepted', async () => {
    const [cookie = ''] = cookiesOf(await logIn())
    for (const [origin, status] of [
      [app.url, 200],
      [`${app.url}\\@evil.test`, 401],
      [`${app.url.replace('//', '//evil@')}`, 401],
      [`${app.url}.evil.test`, 401],
      [`${app.url}, https://evil.test`, 401],
    ] as const)
      expect([origin, (await me({ 'risiti-session': 'cookie', origin, cookie })).status]).toEqual([origin, status])
  })

  test('a token takes precedence over a cookie', async () => {
    const [access = ''] = cookiesOf(await logIn())
    const other = await app.person()
    const answer = await me({ ...asPage, cookie: access, authorization: `Bearer ${other.token}` })
    expect(((await answer.json()) as { data: { user: { email: string } } }).data.user.email).toBe(other.email)
    expect((await me({ ...asPage, cookie: access, authorization: 'Bearer nonsense' })).status).toBe(401)
  })
})

test('behind a proxy with another host name, the public URL is the origin', () => {
  const cookies = new SessionCookies({ secure: true, publicOrigin: 'https://books.example:8443' })
  const isTakenFrom = (origin: string) => {
    const headers = { ...asPage, origin, host: 'node-1', cookie: '__Host-risiti-access=a' }
    const request = { headers: { ...headers, authorization: undefined as string | undefined } }
    cookies.bringAccess(request as never)
    return request.headers.authorization === 'Bearer a'
  }
  expect(['https://books.example:8443', 'https://node-1'].map(isTakenFrom)).toEqual([true, true])
  const publicAddresses = [
    'https://books.example',
    'http://books.example:8443',
    'https://evil.example',
    'undefined',
    'null',
  ]
  expect(publicAddresses.map(isTakenFrom)).toEqual(publicAddresses.map(() => false))
})

test('over TLS, both cookies have the __Host- prefix, so that no other host can set them', () => {
  const { onSend } = new SessionCookies({ secure: true }).hooksOf({ path: '/x', reply: Tokens } as never)
  const set: string[] = []
  const reply = { statusCode: 200, header: (_: string, cookies: string[]) => set.push(...cookies) }
  const body = JSON.stringify({ meta: {}, data: { accessToken: 'a', refreshToken: 'b', expiresIn: 9 } })
  onSend?.call({} as never, { bySessionCookie: true } as never, reply as never, body, () => {})
  expect(set[0]).toBe('__Host-risiti-access=a; Max-Age=9; Path=/; HttpOnly; SameSite=Strict; Secure')
  expect(set[1]).toBe('__Host-risiti-refresh=b; Max-Age=2592000; Path=/; HttpOnly; SameSite=Strict; Secure')
})
