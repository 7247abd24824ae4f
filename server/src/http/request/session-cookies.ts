import type { FastifyReply, FastifyRequest, onSendHookHandler, preValidationHookHandler } from 'fastify'
import type { Static } from 'typebox'
import { sessionLifeSeconds } from '../../modules/identity/index.ts'
import type { Route } from '../kernel/describe-route.ts'
import { Tokens } from '../kernel/tokens.ts'

/** Pages of other origins cannot send this header without being allowed to first, and we allow nobody. */
const header = 'risiti-session'
const refreshPath = '/a/v1/auth/refresh'
const logOutPath = '/a/v1/auth/logout'

/** As much of a Cookie header as a browser sends of ours and of other programs on this host. */
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
 * What browsers say of where a request comes from. One that says nothing is old, and has to know the header all the same. A proxy may
 * call us by another name than the browser does: then the page comes from the address that others see.
 */
function isFromOwnPage({ headers }: FastifyRequest, publicOrigin: string | undefined): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') return false
  const { origin, host } = headers
  return origin === undefined || [publicOrigin, `https://${host}`, `http://${host}`].includes(origin)
}

interface CookieOptions {
  readonly secure: boolean
  /** the address that others see, without its path */
  readonly publicOrigin?: string | undefined
}

/**
 * Lets the pages that we serve ourselves hold a session in cookies that no script can read. A page asks for it with the header
 * `Risiti-Session: cookie`: then tokens go into cookies instead of the answer, and cookies stand in for the token that a request does not
 * bring. Whoever brings a token, or does not send the header, is not concerned: a cookie alone opens nothing.
 */
export class SessionCookies {
  readonly #access: string
  readonly #refresh: string
  readonly #attributes: string
  readonly #publicOrigin: string | undefined

  constructor({ secure, publicOrigin }: CookieOptions) {
    // The prefix has browsers refuse such a cookie from anybody but this very host, over TLS: a neighbour below the same domain cannot
    // slip a session of its own to somebody. Browsers want the whole host as its path then.
    const prefix = secure ? '__Host-' : ''
    this.#access = `${prefix}risiti-access`
    this.#refresh = `${prefix}risiti-refresh`
    this.#publicOrigin = publicOrigin
    this.#attributes = `Path=/; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`
  }

  /** Before it is asked who calls. */
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

  /** What a route that has to do with tokens does besides; most have nothing to do with them. */
  hooksOf({ path, reply }: Route): { preValidation?: preValidationHookHandler; onSend?: onSendHookHandler } {
    const sending = reply === Tokens ? this.#keepTokens : path === logOutPath ? this.#forget : undefined
    return {
      ...(path === refreshPath ? { preValidation: this.#bringRefresh } : {}),
      ...(sending ? { onSend: sending } : {}),
    }
  }

  /** The body has to name the refresh token, which the page does not know. */
  readonly #bringRefresh: preValidationHookHandler = (request, _reply, done) => {
    const token = request.bySessionCookie ? cookieIn(request, this.#refresh) : undefined
    if (token !== undefined && (request.body ?? undefined) === undefined) request.body = { refreshToken: token }
    done()
  }

  /** Moves tokens from an answer into cookies. */
  readonly #keepTokens: onSendHookHandler<unknown> = (request, reply, body, done) => {
    if (!request.bySessionCookie || reply.statusCode >= 300 || typeof body !== 'string') return done(null, body)
    const { meta, data } = JSON.parse(body) as { meta: unknown; data: Static<typeof Tokens> }
    const { accessToken, refreshToken, ...rest } = data
    this.#set(reply, [accessToken, rest.expiresIn], [refreshToken, sessionLifeSeconds])
    done(null, JSON.stringify({ meta, data: rest }))
  }

  /** The session was ended by its own holder. */
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
    /** whether the session of this request is held in cookies */
    bySessionCookie: boolean
  }
}
