import { hostname } from 'node:os'
import { boundedFetch } from './bounded-fetch.ts'
import { NoAnswer } from './sdk.ts'

/** The name under which every server knows this program. */
const clientId = 'risiti-cli'
/** A lost reply of a renewal costs more than a slow one. */
const timeoutMs = 20_000
/** Tokens and codes are short. */
const mostBytes = 1024 * 1024

export interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string
  /** as an ISO 8601 instant of this machine */
  readonly expiresAt: string
}

export interface GivenTokens {
  readonly tokens: Tokens
  readonly organisationId: string
  readonly mode: 'sandbox' | 'live'
}

export interface DeviceSignIn {
  readonly deviceCode: string
  readonly userCode: string
  /** the page at which the person confirms; the second one contains the code */
  readonly page: string
  readonly pageWithCode: string
  readonly expiresSeconds: number
  readonly intervalSeconds: number
}

/** An answer of the server that is no success, by its name in OAuth, such as `invalid_grant`. */
export class OAuthRefused extends Error {
  override readonly name = 'OAuthRefused'
  readonly error: string

  constructor(error: string, description: string) {
    super(description)
    this.error = error
  }
}

type Fields = Readonly<Record<string, unknown>>

const post = (server: string, path: string, form: Readonly<Record<string, string>>): Promise<Fields> =>
  ask(server, path, { method: 'POST', body: new URLSearchParams({ client_id: clientId, ...form }) })

/** Never interrupted by Ctrl-C: new tokens that nobody stores would be lost. */
async function ask(server: string, path: string, init: { method: string; body?: URLSearchParams }): Promise<Fields> {
  let status: number
  let text: string
  try {
    const headers = { accept: 'application/json', 'user-agent': `risiti-cli/1.0.0 (${hostname()})` }
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await boundedFetch(`${server}${path}`, { ...init, headers, signal }, mostBytes)
    status = response.status
    text = await response.text()
  } catch (cause) {
    throw new NoAnswer(`${server} did not answer the sign-in`, { cause })
  }
  const fields = fieldsIn(text)
  if (status === 200 && fields) return fields
  if (typeof fields?.error === 'string' && status < 429)
    throw new OAuthRefused(fields.error, typeof fields.error_description === 'string' ? fields.error_description : '')
  if (status === 404 || status === 405)
    throw new OAuthRefused('unsupported', `${server} does not offer this sign-in. Update it, or use --api-key-stdin.`)
  throw new NoAnswer(`${server} answered the sign-in with status ${status}`)
}

function fieldsIn(text: string): Fields | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null ? (parsed as Fields) : undefined
  } catch {
    return undefined
  }
}

const textIn = (fields: Fields, name: string): string => {
  const value = fields[name]
  if (typeof value !== 'string' || value === '') throw new NoAnswer(`the answer to the sign-in has no ${name}`)
  return value
}
/** Longer than any token lives. A timer takes no longer time. */
const longestSeconds = 20 * 86_400
/** Whole seconds. A server that names no time, or less than a second, would be asked without a pause. */
const secondsIn = (fields: Fields, name: string, otherwise: number): number => {
  const value = fields[name]
  return typeof value === 'number' && value > 0 ? Math.min(Math.max(Math.round(value), 1), longestSeconds) : otherwise
}

function given(fields: Fields): GivenTokens {
  const expiresMs = secondsIn(fields, 'expires_in', 60) * 1_000
  return {
    tokens: {
      accessToken: textIn(fields, 'access_token'),
      refreshToken: textIn(fields, 'refresh_token'),
      expiresAt: new Date(Date.now() + expiresMs).toISOString(),
    },
    organisationId: textIn(fields, 'organization_id'),
    mode: fields.mode === 'live' ? 'live' : 'sandbox',
  }
}

/** The name of the tools at `/mcp`, for tokens that work there alone (RFC 9728). */
export async function toolsAt(server: string): Promise<string> {
  const fields = await ask(server, '/.well-known/oauth-protected-resource/mcp', { method: 'GET' })
  return textIn(fields, 'resource')
}

/** Asks for a code that a person confirms in the browser, on this machine or another (RFC 8628). */
export async function beginDeviceSignIn(server: string, resource: string | undefined): Promise<DeviceSignIn> {
  const fields = await post(server, '/oauth/device_authorization', resource === undefined ? {} : { resource })
  const page = textIn(fields, 'verification_uri')
  return {
    deviceCode: textIn(fields, 'device_code'),
    userCode: textIn(fields, 'user_code'),
    page,
    pageWithCode: typeof fields.verification_uri_complete === 'string' ? fields.verification_uri_complete : page,
    expiresSeconds: secondsIn(fields, 'expires_in', 600),
    intervalSeconds: secondsIn(fields, 'interval', 5),
  }
}

/** Throws `OAuthRefused` with `authorization_pending` until the person has answered. */
export const takeDeviceTokens = async (server: string, deviceCode: string): Promise<GivenTokens> =>
  given(
    await post(server, '/oauth/token', {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: deviceCode,
    }),
  )

export const renewTokens = async (server: string, refreshToken: string): Promise<Tokens> =>
  given(await post(server, '/oauth/token', { grant_type: 'refresh_token', refresh_token: refreshToken })).tokens

/** Ends the sign-in on the server. */
export async function revokeTokens(server: string, refreshToken: string): Promise<void> {
  await post(server, '/oauth/revoke', { token: refreshToken, token_type_hint: 'refresh_token' })
}
