import type { FastifyReply, FastifyRequest, onSendHookHandler, preValidationHookHandler } from 'fastify'
import type { Static } from 'typebox'
import { sessionLifeSeconds } from '../../modules/identity/index.ts'
import type { Route } from '../definitions/describe-route.ts'
import { Tokens } from '../definitions/tokens.ts'

/** Pages of other origins cannot send this header without permission (CORS), which we never give. */
const header = 'risiti-session'
const refreshPath = '/a/v1/auth/refresh'
const logOutPath = '/a/v1/auth/logout'

/** The longest Cookie header of a browser, with our cookies and those of other programs on this host. */
const longestCookieHeader = 8_192

function cookieIn(request: FastifyRequest, wanted: string): string | undefined {
  const sent = request.headers.cookie
  if (sent === undefined || sent.length > longestCookieHeader) return undefined
  for (const pair of sent.split(';')) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === wanted) return pair.slice(at + 1).trim()
  }
  return undefined
}

/**
 * The browser's own statement about the origin of a request. An old browser sends none, but must still send our header. Behind a proxy that
 * changes the Host header, the page has the public origin.
 */
function isFromOwnPage({ headers }: FastifyRequest, publicOrigin: string | undefined): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') return false
  const { origin, host } = headers
  return origin === undefined || [publicOrigin, `https://${host}`, `http://${host}`].includes(origin)
}

interface CookieOptions {
  readonly secure: boolean
  /** the public origin, without a path */
  readonly publicOrigin?: string | undefined
}

/**
 * Lets our own pages keep a session in cookies that scripts cannot read. With the header `Risiti-Session: cookie`, tokens go into cookies
 * instead of the reply, and cookies replace a missing token. Requests with a token or without the header ignore cookies: a cookie alone
 * gives no access.
 */
export class SessionCookies {
  readonly #access: string
  readonly #refresh: string
  readonly #attributes: string
  readonly #publicOrigin: string | undefined

  constructor({ secure, publicOrigin }: CookieOptions) {
    // With this prefix, browsers accept the cookie only from this host and over TLS: another host of the same domain cannot plant its own
    // session. The prefix requires the path `/`.
    const prefix = secure ? '__Host-' : ''
    this.#access = `${prefix}risiti-access`
    this.#refresh = `${prefix}risiti-refresh`
    this.#publicOrigin = publicOrigin
    this.#attributes = `Path=/; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`
  }

  /** Runs before the caller is identified. */
  bringAccess(request: FastifyRequest): void {
    const { headers } = request
    if (
      headers[header] !== 'cookie' ||
      headers.authorization !== undefined ||
      !isFromOwnPage(request, this.#publicOrigin)
    )
      return
    request.bySessionCookie = true
    const token = cookieIn(request, this.#access)
    if (token !== undefined) headers.authorization = `Bearer ${token}`
  }

  /** Extra steps of a route that handles tokens; most routes have none. */
  hooksOf({ path, reply }: Route): { preValidation?: preValidationHookHandler; onSend?: onSendHookHandler } {
    const sending = reply === Tokens ? this.#keepTokens : path === logOutPath ? this.#forget : undefined
    return {
      ...(path === refreshPath ? { preValidation: this.#bringRefresh } : {}),
      ...(sending ? { onSend: sending } : {}),
    }
  }

  /** Adds the refresh token to the body, because the page does not know it. */
  readonly #bringRefresh: preValidationHookHandler = (request, _reply, done) => {
    const token = request.bySessionCookie ? cookieIn(request, this.#refresh) : undefined
    if (token !== undefined && (request.body ?? undefined) === undefined) request.body = { refreshToken: token }
    done()
  }

  /** Moves tokens from a reply into cookies. */
  readonly #keepTokens: onSendHookHandler<unknown> = (request, reply, body, done) => {
    if (!request.bySessionCookie || reply.statusCode >= 300 || typeof body !== 'string') return done(null, body)
    const { meta, data } = JSON.parse(body) as { meta: unknown; data: Static<typeof Tokens> }
    const { accessToken, refreshToken, ...rest } = data
    this.#set(reply, [accessToken, rest.expiresIn], [refreshToken, sessionLifeSeconds])
    done(null, JSON.stringify({ meta, data: rest }))
  }

  /** The person ended the session. */
  readonly #forget: onSendHookHandler<unknown> = (request, reply, body, done) => {
    if (request.bySessionCookie && reply.statusCode < 300) this.#set(reply, ['', 0], ['', 0])
    done(null, body)
  }

  #set(reply: FastifyReply, access: readonly [string, number], refresh: readonly [string, number]): void {
    reply.header('set-cookie', [this.#cookie(this.#access, ...access), this.#cookie(this.#refresh, ...refresh)])
  }

  #cookie(name: string, value: string, seconds: number): string {
    return `${name}=${value}; Max-Age=${seconds}; ${this.#attributes}`
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** whether the session of this request is in cookies */
    bySessionCookie: boolean
  }
}
