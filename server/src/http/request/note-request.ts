import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TokenCaller } from '../../kernel/callers.ts'
import { asSingleLine } from '../../kernel/plain-text.ts'
import type { Answered } from '../../modules/request-log/index.ts'
import type { Runtime } from '../../platform/operations/runner.ts'
import { bearerIn } from './identify.ts'

/** Of what a program calls itself, as much is kept. */
const longestUserAgent = 500

export const userAgentOf = ({ headers }: FastifyRequest): string => {
  const given = headers['user-agent']
  return given === undefined ? '' : asSingleLine(given, longestUserAgent)
}

/** An address that nothing is served at asks nobody for a token; whose it is, is said only where we know it anyway. */
const askerOf = (request: FastifyRequest, { authentication }: Runtime): TokenCaller | undefined => {
  if (request.asker || !request.is404) return request.asker
  const token = bearerIn(request.headers.authorization)
  return token === undefined ? undefined : authentication.recall(token)?.caller
}

/** Notes an answer for the request log of whoever asked; what strangers ask is nobody's. */
export function noteForItsOrganisation(request: FastifyRequest, reply: FastifyReply, runtime: Runtime): void {
  const caller = askerOf(request, runtime)
  const { requestLog } = runtime.ports
  if (!caller || !requestLog.hasRoomFor(caller.tenant.organisationId)) return
  // Fastify puts the options together anew each time that they are asked for: last, since mostly there is no room where it matters.
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
    /** what was refused, and in which words */
    refused: Answered['refused']
  }
}
