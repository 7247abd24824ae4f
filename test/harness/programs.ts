import { hash, randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { Person, TestApp } from './app.ts'
import type { Reply } from './client.ts'

/** Our own command line program. */
export const own = { clientId: 'risiti-cli', redirectUri: 'http://127.0.0.1:49152/callback' }

export type Form = Readonly<Record<string, string | undefined>>

const given = (values: Form): [string, string][] =>
  Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined)

export interface OAuthReply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: any
}

/** Networks of their own, so that tests do not use up each other's limits. */
let networks = 0
export const newAddress = (): string => `10.${Math.floor(++networks / 250) + 1}.${(networks % 250) + 1}.7`

async function reply(response: Response): Promise<OAuthReply> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined }
}

/** Posts a form to an address of OAuth, as programs do. */
export const postForm = async (app: TestApp, path: string, values: Form, address = newAddress()) =>
  reply(
    await fetch(`${app.url}${path}`, {
      method: 'POST',
      headers: { 'x-forwarded-for': address },
      body: new URLSearchParams(given(values)),
    }),
  )

/** The same with a body of the test's choice. */
export const postRaw = async (app: TestApp, path: string, headers: Record<string, string>, body: string) =>
  reply(
    await fetch(`${app.url}${path}`, {
      method: 'POST',
      headers: { 'x-forwarded-for': newAddress(), ...headers },
      body,
    }),
  )

export const register = (app: TestApp, metadata: unknown, address = newAddress()) =>
  postRaw(
    app,
    '/oauth/register',
    { 'content-type': 'application/json', 'x-forwarded-for': address },
    JSON.stringify(metadata),
  )

/** The status and the error code. */
export const oauthError = ({ status, body }: OAuthReply): [number, string] => [status, body?.error]

export const takeTokens = (app: TestApp, values: Form) => postForm(app, '/oauth/token', values)

/** Opens an address in a browser that does not follow redirects. */
export const open = async (app: TestApp, path: string, address = newAddress()) =>
  reply(await fetch(`${app.url}${path}`, { redirect: 'manual', headers: { 'x-forwarded-for': address } }))

export const authorizeAddress = (values: Form): string => `/oauth/authorize?${new URLSearchParams(given(values))}`

/** The status and error code of a code or token that does not work. */
export const wrongGrant = [400, 'invalid_grant']

/** A wrong request of a program is a page for the person, and no redirect. */
export async function expectFaultPage(app: TestApp, values: Form | string): Promise<void> {
  const address = typeof values === 'string' ? values : authorizeAddress(values)
  const { status, headers, text } = await open(app, address)
  expect([400, 401]).toContain(status)
  expect(headers.get('location')).toBeNull()
  expect(text).toContain('This program cannot be connected')
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
}

/** What a program sends, and the secret that it keeps. */
export function newAsking(app: TestApp, more: Form = {}) {
  const verifier = randomBytes(32).toString('base64url')
  const values: Form = {
    client_id: own.clientId,
    redirect_uri: own.redirectUri,
    response_type: 'code',
    code_challenge: hash('sha256', verifier, 'base64url'),
    code_challenge_method: 'S256',
    state: 'some state',
    resource: `${app.url}/mcp`,
    ...more,
  }
  return { verifier, values }
}

/** Sends the browser of a person; returns the id of the request. */
export async function askInBrowser(app: TestApp, values: Form): Promise<string> {
  const { status, headers, text } = await open(app, authorizeAddress(values))
  expect(status, text).toBe(302)
  const location = new URL(headers.get('location') ?? '')
  expect(`${location.origin}${location.pathname}`).toBe(`${app.url}/connect`)
  return location.searchParams.get('request') as string
}

const noLimits = { amountMinorPerChange: null, amountMinorPerDay: null, currency: null, changesPerDay: null }

/** What a person sends to agree: everything that the program asks for and the person may give, without limits. */
export async function agreement(app: TestApp, person: Person, id: string, more: Record<string, unknown> = {}) {
  const shown = await app.a.get(`/n/v1/program-requests/${id}`, { token: person.token })
  expect(shown.status, shown.text).toBe(200)
  const [organization] = shown.data.organizations
  const wanted = shown.data.requestedCapabilities as string[]
  const capabilities = wanted.filter((name) => organization.capabilities.includes(name))
  const { limits, ...rest } = more as { limits?: object }
  return { organizationId: organization.id, mode: 'sandbox', capabilities, ...rest, limits: { ...noLimits, ...limits } }
}

export async function approve(app: TestApp, person: Person, id: string, more: Record<string, unknown> = {}) {
  const body = await agreement(app, person, id, more)
  return await app.a.post(`/n/v1/program-requests/${id}/approve`, { token: person.token, body })
}

export const codeIn = ({ data }: Reply): string => new URL(data.redirectTo).searchParams.get('code') as string

/** A program that a person connected, with its tokens. */
export interface Connected {
  readonly id: string
  readonly accessToken: string
  readonly refreshToken: string
  readonly scope: readonly string[]
  readonly code: string
  readonly verifier: string
}

export interface Connecting {
  readonly asking?: Form
  readonly agreeing?: Record<string, unknown>
}

/** The whole way: the program asks, the person agrees, the program takes its tokens. */
export async function connect(app: TestApp, person: Person, { asking, agreeing }: Connecting = {}): Promise<Connected> {
  const { verifier, values } = newAsking(app, asking)
  const approved = await approve(app, person, await askInBrowser(app, values), agreeing)
  expect(approved.status, approved.text).toBe(200)
  const code = codeIn(approved)
  const { status, body, text } = await takeTokens(app, redemption(values, code, verifier))
  expect(status, text).toBe(200)
  const listed = await app.a.get('/n/v1/connected-programs', { token: person.token })
  return {
    id: listed.data[0].id,
    accessToken: body.access_token,
    refreshToken: body.refresh_token,
    scope: body.scope.split(' '),
    code,
    verifier,
  }
}

export const redemption = ({ client_id, redirect_uri }: Form, code: string, code_verifier: string): Form => ({
  grant_type: 'authorization_code',
  client_id,
  redirect_uri,
  code,
  code_verifier,
})

export const refresh = (app: TestApp, token: string, more: Form = {}) =>
  takeTokens(app, { grant_type: 'refresh_token', client_id: own.clientId, refresh_token: token, ...more })
