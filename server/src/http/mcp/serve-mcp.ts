import type { FastifyInstance, FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'
import { Refusal, refuse } from '../../kernel/refusals.ts'
import type { Authenticated } from '../../platform/callers/authentication.ts'
import type { Form } from '../definitions/form.ts'
import { paths as oauthPaths } from '../oauth/metadata.ts'
import { issuersFrom } from '../oauth/origins.ts'
import { isCalledByLoopbackName } from '../plain/loopback-names.ts'
import { count } from '../request/counting.ts'
import { identify, isToBeIdentifiedAgain } from '../request/identify.ts'
import { userAgentOf } from '../request/note-request.ts'
import type { CallSource } from '../server/call-route.ts'
import { goneSignalOf } from '../server/gone-callers.ts'
import type { HttpParts } from '../server/mount.ts'

export interface McpOptions extends HttpParts {
  readonly forms: readonly Form[]
  /** the public origin; without it, only the names of this machine may call from a browser */
  readonly publicOrigin?: string | undefined
  readonly version: string
}

const path = '/mcp'
/** An invoice of 500 lines fits twice. */
const bodyLimit = 2 * 1024 * 1024

/** JSON-RPC, for clients that understand no envelope. */
const rpcError = (code: number, message: string) =>
  JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } })

/**
 * A page on the web that points its own name to this machine (DNS rebinding) sends its name as Origin. Programs send no Origin.
 */
function mayCallFrom(request: FastifyRequest, publicOrigin: string | undefined): boolean {
  const { origin } = request.headers
  if (origin === undefined) return true
  if (publicOrigin !== undefined) return origin === publicOrigin
  return (
    isCalledByLoopbackName(request) && /^https?:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i.test(origin)
  )
}

/** Serves the Model Context Protocol. The library is loaded with the first request. */
export function serveMcp(server: FastifyInstance, options: McpOptions): void {
  const { runtime, runner, forms, publicOrigin, version } = options
  const [form] = forms
  if (!form) return
  const originOf = ({ origin }: CallSource): string => publicOrigin ?? origins.get(origin) ?? ''
  const origins = new WeakMap<object, string>()
  const issuerOf = issuersFrom(publicOrigin, runtime.settings)
  let handler: Promise<import('@modelcontextprotocol/server').McpHttpHandler> | undefined
  const load = () =>
    (handler ??= import('./mcp-server.ts').then(({ mcpHandler }) =>
      mcpHandler({ runtime, runner, form, version, originOf }),
    ))

  async function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (!mayCallFrom(request, publicOrigin)) {
      reply.code(403).header('content-type', 'application/json; charset=utf-8')
      return reply.send(rpcError(-32_000, 'This Origin may not call.'))
    }
    // A cookie would let pages of other origins act for a person.
    if (request.bySessionCookie) throw refuse('auth.token_missing')
    const found = await identify(request, reply, options, 'mcp')
    await count(found.limits, reply, options)
    letIn(found, request)
  }

  function letIn({ caller, noteUse }: Authenticated, request: FastifyRequest): void {
    noteUse?.()
    if (caller.kind === 'user' && !caller.emailVerified) throw refuse('auth.email_unverified')
    request.caller = caller
  }

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (isToBeIdentifiedAgain(reply)) letIn(await identify(request, reply, options, 'mcp'), request)
    const { caller, body } = request
    if (caller === undefined || !('tenant' in caller)) throw refuse('auth.token_missing')
    reply.header('content-type', 'application/json; charset=utf-8')
    // Many calls in one request would count as one.
    if (Array.isArray(body)) return reply.code(400).send(rpcError(-32_600, 'Send one message in each request.'))
    const origin = { requestId: request.id, address: request.clientAddress, userAgent: userAgentOf(request) }
    origins.set(origin, `http://${request.headers.host ?? ''}`)
    const source: CallSource = { caller, origin, signal: goneSignalOf(request, reply) }
    const headers = new Headers(
      Object.entries(request.headers).flatMap(([name, value]) =>
        typeof value === 'string' && name !== 'authorization' && name !== 'content-length' ? [[name, value]] : [],
      ) as [string, string][],
    )
    const sent = new Request(`http://mcp.invalid${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body ?? null),
    })
    const authInfo = { token: '', clientId: '', scopes: [], extra: { source } }
    const response = await (await load()).fetch(sent, { authInfo, parsedBody: body })
    const text = await response.text()
    reply.code(response.status)
    const type = response.headers.get('content-type')
    if (type !== null) reply.header('content-type', type)
    return reply.send(text)
  }

  /** A program without a token that works learns which server gives tokens (RFC 9728). */
  const tellWhereToSignIn: onSendHookHandler = (request, reply, payload, done) => {
    if (reply.statusCode === 401) {
      const problem = request.headers.authorization === undefined ? '' : ', error="invalid_token"'
      const metadata = `${issuerOf(request)}${oauthPaths.mcpResource}`
      reply.header('www-authenticate', `Bearer resource_metadata="${metadata}"${problem}`)
    }
    done(null, payload)
  }

  server.route({
    method: 'POST',
    url: path,
    bodyLimit,
    config: { counted: true },
    onRequest: admit,
    handler: answer,
    onSend: tellWhereToSignIn,
    errorHandler(error, _request, reply) {
      if (!(error instanceof Refusal) || error.refusal !== 'request.malformed') throw error
      return reply
        .code(400)
        .header('content-type', 'application/json; charset=utf-8')
        .send(rpcError(-32_700, 'The body is not JSON.'))
    },
  })
  server.addHook('onClose', async () => (await handler)?.close())
}
