import { randomUUID } from 'node:crypto'
import { jsonReply, type Reply } from '../shared/http.ts'

export const validationFailed =
  'validation failed: we are unable to process your request. also confirm this is not a duplicate request'
export const tryLater = 'unable to complete this operation at this time, kindly try again later'

/** Ends a request with a refusal. The status is also the envelope's `code`. */
export class Failure extends Error {
  readonly status: number
  readonly details: string | undefined

  constructor(status: number, publicMessage: string, details?: string) {
    super(publicMessage)
    this.status = status
    this.details = details
  }
}

export const invalid = (details: string): Failure => new Failure(400, validationFailed, details)

/** The authority knows the route, but not the thing: unlike `noRoute`, this has an `error`. */
export const notFound = (what: string): Failure => new Failure(404, `${what} not found`, 'record not found')

export const unavailable = (): Failure => new Failure(500, tryLater)

/** The same reply for a duplicate and for the authority's own failure. */
export const ambiguous = (): Failure => invalid(tryLater)

export const success = (data: unknown): Reply => jsonReply(200, { code: 200, data })

/** The reply to an accepted request. */
export const created = (): Reply => jsonReply(201, { code: 201, data: { ok: true } })

/** `handler` names the part of the authority that refused. */
export const failure = ({ status, message, details }: Failure, handler = 'handler'): Reply =>
  jsonReply(status, {
    code: status,
    data: null,
    message: 'error has occurred',
    error: { id: randomUUID(), handler, ...(details !== undefined && { details }), public_message: message },
  })

/** A wrong method is answered with this too. */
export const noRoute = (): Reply =>
  jsonReply(404, {
    code: 404,
    data: null,
    message: 'no route found for this path. kindly check your request and try again',
  })
