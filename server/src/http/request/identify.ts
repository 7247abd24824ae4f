import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TokenCaller } from '../../kernel/callers.ts'
import { Refusal, refuse } from '../../kernel/refusals.ts'
import type { Authenticated } from '../../platform/callers/authentication.ts'
import type { Runtime } from '../../platform/operations/runner.ts'
import { addressLimit, type CountParts, count, strangeTokenLimit } from './counting.ts'

interface IdentifyParts extends CountParts {
  readonly runtime: Pick<Runtime, 'limiter' | 'authentication'>
}

export function bearerIn(header: string | undefined): string | undefined {
  return header !== undefined && /^bearer /i.test(header) ? header.slice(7).trim() : undefined
}

/** A token for the tools alone opens nothing else: only there every change is prepared and confirmed. */
function requirePlace({ caller }: Authenticated, place: PlaceOfUse): void {
  if (place !== 'mcp' && caller.kind === 'program' && caller.isForMcpOnly)
    throw refuse('auth.token_invalid', {
      message: 'This token is for /mcp alone. Connect the program again, for the whole API.',
    })
}

/** Where a token is used: at the tools for assistants, or anywhere else. */
type PlaceOfUse = 'mcp' | 'api'

/** Rights end within a second, also while a body arrives slowly: a caller that was identified longer ago is identified again. */
export const identifiedForMs = 500

export const isToBeIdentifiedAgain = ({ elapsedTime }: Pick<FastifyReply, 'elapsedTime'>): boolean =>
  elapsedTime > identifiedForMs

/** The caller of a request: from memory, if that is possible, without counting. */
export function identify(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: IdentifyParts,
  place: PlaceOfUse = 'api',
): Authenticated | Promise<Authenticated> {
  const token = bearerIn(request.headers.authorization)
  const known = token === undefined ? undefined : parts.runtime.authentication.recall(token)
  if (!known) return identifyStranger(token, request, reply, parts, place)
  requirePlace(known, place)
  request.tokenCaller = known.caller
  return known
}

async function identifyStranger(
  token: string | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
  parts: IdentifyParts,
  place: PlaceOfUse,
): Promise<Authenticated> {
  const { clientAddress, headers } = request
  try {
    if (token !== undefined) {
      const found = await lookUp(token, clientAddress, reply, parts)
      requirePlace(found, place)
      request.tokenCaller = found.caller
      return found
    }
    throw refuse(headers.authorization === undefined ? 'auth.token_missing' : 'auth.token_invalid')
  } catch (error) {
    // A request without a valid token counts as a stranger's request.
    if (isWrongToken(error)) await count([addressLimit(clientAddress, parts.config.limits.address)], reply, parts)
    throw error
  }
}

/** An unreachable or overloaded database is not a wrong guess. */
const isWrongToken = (error: unknown): boolean => error instanceof Refusal && error.refusal.startsWith('auth.')

/**
 * Only the database can check a token that is not cached, and anyone can invent a token. So lookups have the limit for guesses of a
 * network: each is counted before, and given back if the token is valid.
 */
async function lookUp(
  token: string,
  address: string,
  reply: FastifyReply,
  parts: IdentifyParts,
): Promise<Authenticated> {
  const { authentication, limiter } = parts.runtime
  const limit = strangeTokenLimit(address, parts.config.limits.address)
  await count([limit], reply, parts)
  try {
    const found = await authentication.authenticate(token)
    limiter.giveBack(limit)
    return found
  } catch (error) {
    if (!isWrongToken(error)) limiter.giveBack(limit)
    throw error
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** the owner of the token, admitted or not */
    tokenCaller: TokenCaller | undefined
  }
}
