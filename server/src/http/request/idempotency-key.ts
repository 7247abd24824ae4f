import type { FastifyRequest } from 'fastify'
import { invalid } from '../../kernel/refusals.ts'
import type { Route } from '../definitions/describe-route.ts'

/** Every change with a token, except sign-in and sign-out, whose replies must not be stored. */
export function honoursIdempotencyKey({
  definition,
  method,
  path,
}: Pick<Route, 'definition' | 'method' | 'path'>): boolean {
  if (definition.idempotent !== undefined) return definition.idempotent
  return definition.who !== 'public' && !path.startsWith('/a/v1/auth/') && ['POST', 'PUT', 'PATCH'].includes(method)
}

export function readIdempotencyKey(request: FastifyRequest): string | undefined {
  const given = request.headers['idempotency-key']
  if (given === undefined) return undefined
  if (typeof given === 'string' && /^[\w-]{8,128}$/.test(given)) return given
  throw invalid([{ path: 'Idempotency-Key', rule: 'pattern', message: 'must be 8 to 128 of A-Z a-z 0-9 _ -' }])
}
