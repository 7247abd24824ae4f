import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TokenCaller } from '../../kernel/callers.ts'
import { asSingleLine } from '../../kernel/plain-text.ts'
import type { AnsweredRequest } from '../../modules/request-log/index.ts'
import type { LogFields } from '../../platform/logger.ts'
import type { Runtime } from '../../platform/operations/runner.ts'
import { bearerIn } from './identify.ts'

/** The most characters of a User-Agent that are stored. */
const longestUserAgent = 500

export const userAgentOf = ({ headers }: FastifyRequest): string => {
  const given = headers['user-agent']
  return given === undefined ? '' : asSingleLine(given, longestUserAgent)
}

/** An unknown address needs no token; the caller is logged only if it is already known. */
const tokenCallerOf = (request: FastifyRequest, { authentication }: Runtime): TokenCaller | undefined => {
  if (request.tokenCaller || !request.is404) return request.tokenCaller
  const token = bearerIn(request.headers.authorization)
  return token === undefined ? undefined : authentication.recall(token)?.caller
}

/** Who asked, for the line in the operator's log. */
export function callerFields(request: FastifyRequest, runtime: Runtime): LogFields {
  const caller = tokenCallerOf(request, runtime)
  const address = request.clientAddress
  if (!caller) return { address }
  const { organisationId, mode } = caller.tenant
  const who = caller.kind === 'api_key' ? { keyId: caller.keyId } : { userId: caller.userId }
  return { organisationId, mode, ...who, address }
}

/** Records a reply for the request log of the caller's tenant; anonymous requests are not logged. */
export function noteForItsOrganisation(request: FastifyRequest, reply: FastifyReply, runtime: Runtime): void {
  const caller = tokenCallerOf(request, runtime)
  const { requestLog } = runtime.ports
  if (!caller || !requestLog.hasRoomFor(caller.tenant.organisationId)) return
  // Read last: Fastify rebuilds the options at each access, and mostly the log has no room when it matters.
  const { config, url: route } = request.routeOptions
  if (config.unlogged) return
  requestLog.note({
    caller,
    method: request.method,
    route: request.is404 ? undefined : route,
    url: request.url,
    status: reply.statusCode,
    durationMs: reply.elapsedTime,
    requestId: request.id,
    address: request.clientAddress,
    userAgent: userAgentOf(request),
    refused: request.refused,
  })
}

declare module 'fastify' {
  interface FastifyRequest {
    /** the refusal and its words */
    refused: AnsweredRequest['refused']
  }
}
