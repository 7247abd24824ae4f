import { type IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { LimitState } from '../../platform/limits/rate-limits.ts'

type Headers = Readonly<Record<string, string | number>>

const limitHeaders = ({ limit, remaining, resetSeconds }: LimitState): Headers => ({
  'ratelimit-limit': limit,
  'ratelimit-remaining': remaining,
  'ratelimit-reset': resetSeconds,
})

export function sayRequestId({ raw }: FastifyReply, id: string): void {
  raw.setHeader('x-request-id', id)
}

/** The caller's state under its rate limit. */
export function setLimitHeaders({ raw }: FastifyReply, state: LimitState): void {
  for (const [name, value] of Object.entries(limitHeaders(state))) raw.setHeader(name, value)
}

export const hasLimitHeaders = ({ raw }: FastifyReply): boolean => raw.hasHeader('ratelimit-limit')

/** The headers that every reply has. */
export class CommonHead {
  readonly #always: Headers

  constructor(always: Readonly<Record<string, string>>) {
    this.#always = always
  }

  /** For a reply that is written to the socket, because its request could not be parsed. */
  headersOf(requestId: string, state: LimitState): Headers {
    return { ...this.#always, 'x-request-id': requestId, ...limitHeaders(state) }
  }

  /**
   * The class of a server's replies. A new reply has the common headers before any other code sees it, so Node's own replies
   * (417, for example) have them too. A header that the route sets replaces the common one.
   */
  get Response(): typeof ServerResponse {
    const always = Object.entries(this.#always)
    return class<R extends IncomingMessage> extends ServerResponse<R> {
      constructor(...given: ConstructorParameters<typeof ServerResponse<R>>) {
        super(...given)
        for (const [name, value] of always) this.setHeader(name, value)
      }
    }
  }
}
