import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { networkOf } from '../../kernel/addresses.ts'
import { publicCaller } from '../../kernel/callers.ts'
import { type Refusal, refuse } from '../../kernel/refusals.ts'
import { programOperations, programViews } from '../../modules/programs/index.ts'
import { readBody } from '../request/body-reader.ts'
import { countedByAddress } from '../request/counting.ts'
import { userAgentOf } from '../request/note-request.ts'
import type { HttpParts } from '../server/mount.ts'
import { pageHeaders } from '../shared-page/page-headers.ts'
import { faultPage } from './fault-page.ts'
import { grantTypes, paths, resourceMetadata, serverMetadata } from './metadata.ts'
import { issuersFrom } from './origins.ts'

export interface OAuthOptions extends HttpParts {
  /** the public origin; without it, the names of this machine count */
  readonly publicOrigin?: string | undefined
}

/** In bytes. The longest parameters are tokens. */
const bodyLimit = 16 * 1024
const formType = 'application/x-www-form-urlencoded'
const tenMinutes = 600
const anHour = 3_600
/** Each stores a row, and may read a document elsewhere. */
const requestsFromNetwork = 100
const registrationsFromNetwork = 30

type Values = Readonly<Record<string, string>>

/** Parameters, each at most once: a second value could be read differently by somebody between (RFC 6749, section 3.1). */
function onceEach(text: string): Values | programViews.OAuthError {
  const values: Record<string, string> = Object.create(null)
  for (const [name, value] of new URLSearchParams(text)) {
    if (name in values) return programViews.oauthError('invalid_request', 'Send each parameter only once.')
    if (value !== '') values[name] = value
  }
  return values
}

const statusOf = ({ error }: programViews.OAuthError): number =>
  ({ invalid_client: 401, temporarily_unavailable: 503 })[error as string] ?? 400

const errorBody = ({ error, description }: programViews.OAuthError) => ({ error, error_description: description })

const tellProgram = (reply: FastifyReply, status: number, body: object): FastifyReply =>
  reply
    .code(status)
    .headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
    .send(body)

/** What a program does next depends on the name alone. */
function nameOf({ refusal }: Refusal, status: number, path: string): string {
  // A program that waits for a person goes on after slow_down, and gives up after any other error.
  if (refusal === 'limit.exceeded' && path === paths.token) return 'slow_down'
  if (status === 429 || status === 503) return 'temporarily_unavailable'
  return status >= 500 ? 'server_error' : 'invalid_request'
}

/** Refusals in the words of OAuth (RFC 6749, section 5.2): programs read no envelope. */
const inWordsOfOAuth = (path: string, type: string) => (refusal: Refusal, status: number) => {
  const isWrongType = refusal.refusal === 'request.not_json'
  const description = isWrongType ? `Send the body uncompressed, as ${type}.` : refusal.message
  const body = { error: nameOf(refusal, status, path), error_description: description }
  return { status: isWrongType ? 400 : status, body: JSON.stringify(body) }
}

/** The authorisation server: how programs ask people, and get and renew tokens (RFC 6749, 7009, 7591, 7636, 8414, 8628, 8707, 9207, 9728). */
export function serveOAuth(server: FastifyInstance, options: OAuthOptions): void {
  const { runtime, runner, publicOrigin } = options
  const issuerOf = issuersFrom(publicOrigin, runtime.settings)
  const counted = countedByAddress(options)
  const forPrograms = (path: string, type: string) => ({
    ...counted,
    bodyLimit,
    config: { ...counted.config, refusedAs: inWordsOfOAuth(path, type) },
  })

  const callOf = (request: FastifyRequest) => ({
    caller: publicCaller,
    origin: { requestId: request.id, address: request.clientAddress, userAgent: userAgentOf(request) },
  })

  async function countFrom({ clientAddress }: FastifyRequest, what: string, most: number, seconds: number) {
    const limit = { subject: `${what} from:${networkOf(clientAddress)}`, perWindow: most, windowSeconds: seconds }
    const { allowed, resetSeconds } = await runtime.limiter.takeExactly(limit)
    if (!allowed) throw refuse('limit.exceeded', { retryAfterSeconds: resetSeconds })
  }
  const countRequest = (request: FastifyRequest) =>
    countFrom(request, 'program requests', requestsFromNetwork, tenMinutes)

  // Metadata changes only with a new version.
  const kept = { 'cache-control': 'public, max-age=3600' }
  server.get(paths.server, counted, async (request, reply) =>
    reply.headers(kept).send(serverMetadata(issuerOf(request))),
  )
  server.get(paths.resource, counted, async (request, reply) =>
    reply.headers(kept).send(resourceMetadata(issuerOf(request), '')),
  )
  server.get(paths.mcpResource, counted, async (request, reply) =>
    reply.headers(kept).send(resourceMetadata(issuerOf(request), '/mcp')),
  )

  /** Nobody is sent anywhere but to our own page. */
  server.get(paths.authorize, { ...counted, exposeHeadRoute: false }, async (request, reply) => {
    const tellPerson = (fault: programViews.OAuthError) =>
      reply.code(statusOf(fault)).headers(pageHeaders).send(faultPage(fault.description))
    const parameters = onceEach(request.url.split('?')[1] ?? '')
    if (programViews.isOAuthError(parameters)) return tellPerson(parameters)
    await countRequest(request)
    const issuer = issuerOf(request)
    const asked = await runner.run(programOperations.askInBrowser, {
      ...callOf(request),
      input: { parameters, issuer },
    })
    if (programViews.isOAuthError(asked)) return tellPerson(asked)
    return reply.code(302).header('location', `${issuer}/connect?request=${asked.id}`).send()
  })

  server.post(paths.register, forPrograms(paths.register, 'application/json'), async (request, reply) => {
    await countFrom(request, 'program registrations', registrationsFromNetwork, anHour)
    const { body } = request
    const metadata = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
    const made = await runner.run(programOperations.registerProgram, { ...callOf(request), input: metadata })
    if (programViews.isOAuthError(made)) return tellProgram(reply, statusOf(made), errorBody(made))
    return tellProgram(reply, 201, {
      client_id: made.clientId,
      client_id_issued_at: Math.floor(made.registeredAt.getTime() / 1000),
      client_name: made.name,
      redirect_uris: made.redirectUris,
      token_endpoint_auth_method: 'none',
      grant_types: Object.values(grantTypes),
      response_types: ['code'],
    })
  })

  type Answering = (request: FastifyRequest, reply: FastifyReply, parameters: Values) => Promise<FastifyReply>

  /** A form in the body, as OAuth has it. */
  const answering = (answer: Answering) => async (request: FastifyRequest, reply: FastifyReply) => {
    const text = Buffer.isBuffer(request.body) ? request.body.toString('utf8') : ''
    const parameters = onceEach(text)
    if (programViews.isOAuthError(parameters)) return tellProgram(reply, 400, errorBody(parameters))
    if (request.headers.authorization !== undefined)
      return tellProgram(
        reply.header('www-authenticate', 'Basic realm="risiti"'),
        401,
        errorBody(programViews.oauthError('invalid_client', 'Programs have no secret. Send client_id in the body.')),
      )
    return await answer(request, reply, parameters)
  }

  const startDevice: Answering = async (request, reply, parameters) => {
    await countRequest(request)
    const issuer = issuerOf(request)
    const made = await runner.run(programOperations.askWithCode, { ...callOf(request), input: { parameters, issuer } })
    if (programViews.isOAuthError(made)) return tellProgram(reply, statusOf(made), errorBody(made))
    const address = `${issuer}/connect/device`
    return tellProgram(reply, 200, {
      device_code: made.deviceCode,
      user_code: made.userCode,
      verification_uri: address,
      verification_uri_complete: `${address}?code=${made.userCode}`,
      expires_in: made.expiresIn,
      interval: made.interval,
    })
  }

  const redeeming = new Map<string, typeof programOperations.redeemCode>([
    [grantTypes.code, programOperations.redeemCode],
    [grantTypes.device, programOperations.redeemDeviceCode],
    [grantTypes.refresh, programOperations.refreshProgram],
  ])

  const giveTokens: Answering = async (request, reply, parameters) => {
    const redeem = redeeming.get(parameters.grant_type ?? '')
    if (!redeem)
      return tellProgram(reply, 400, {
        error: 'unsupported_grant_type',
        error_description: `The grant_type must be one of ${[...redeeming.keys()].join(', ')}.`,
      })
    const given = await runner.run(redeem, { ...callOf(request), input: parameters })
    if (programViews.isOAuthError(given)) return tellProgram(reply, statusOf(given), errorBody(given))
    return tellProgram(reply, 200, {
      access_token: given.accessToken,
      token_type: 'Bearer',
      expires_in: given.expiresIn,
      refresh_token: given.refreshToken,
      scope: given.scope,
      organization_id: given.organisationId,
      mode: given.mode,
    })
  }

  const signOut: Answering = async (request, reply, parameters) => {
    await runner.run(programOperations.signOutProgram, { ...callOf(request), input: parameters })
    return tellProgram(reply, 200, {})
  }

  server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(formType, (request, _payload, done) => readBody(request, bodyLimit, done))
    scope.post(paths.device, forPrograms(paths.device, formType), answering(startDevice))
    scope.post(paths.token, forPrograms(paths.token, formType), answering(giveTokens))
    scope.post(paths.revoke, forPrograms(paths.revoke, formType), answering(signOut))
  })
}
