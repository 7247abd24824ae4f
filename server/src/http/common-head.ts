import { type IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { Standing } from '../platform/limits/rate-limits.ts'

/** What is said of one answer, beside what is said of all. */
interface Said {
  requestId: string | undefined
  standing: Standing | undefined
}

type SayingResponse = ServerResponse & Said

export function sayRequestId({ raw }: FastifyReply, id: string): void {
  ;(raw as SayingResponse).requestId = id
}

/** Where a caller stands with its limit. */
export function sayStanding({ raw }: FastifyReply, standing: Standing): void {
  ;(raw as SayingResponse).standing = standing
}

export const saysStanding = ({ raw }: FastifyReply): boolean => (raw as SayingResponse).standing !== undefined

/** What Node's response writes the head of an answer with. It is not documented; tests of what every answer says hold us to it. */
interface HeadWriter {
  _storeHeader(statusLine: string, own: object | undefined): void
}
const { _storeHeader: storeHead } = ServerResponse.prototype as unknown as HeadWriter

const lineOf = ([name, value]: readonly [string, string]): string => `${name}: ${value}\r\n`

const standingLines = ({ limit, remaining, resetSeconds }: Standing): string =>
  `ratelimit-limit: ${limit}\r\nratelimit-remaining: ${remaining}\r\nratelimit-reset: ${resetSeconds}\r\n`

/**
 * The headers that every answer has, as the lines that are sent. They make up most of its head; given to the framework one by
 * one, each of them would be checked, stored and checked again, which was an eighth of what a small request cost.
 */
export class CommonHead {
  readonly #always: Readonly<Record<string, string>>
  readonly #lines: string

  constructor(always: Readonly<Record<string, string>>) {
    this.#always = always
    this.#lines = Object.entries(always).map(lineOf).join('')
  }

  /** Where an answer has other words of its own, they stand. */
  lines({ requestId, standing }: Said, own: object = {}): string {
    const ofRequest = requestId === undefined ? '' : `x-request-id: ${requestId}\r\n`
    const ofCaller = standing === undefined ? '' : standingLines(standing)
    return this.#linesBeside(own) + ofRequest + ofCaller
  }

  #linesBeside(own: object): string {
    for (const name in own)
      if (name in this.#always)
        return Object.entries(this.#always)
          .filter(([each]) => !(each in own))
          .map(lineOf)
          .join('')
    return this.#lines
  }

  /** The response that a server answers with, so that nothing leaves without them. */
  get Response(): typeof ServerResponse {
    const lines = (said: Said, own: object | undefined) => this.lines(said, own)
    return class<R extends IncomingMessage> extends ServerResponse<R> implements Said, HeadWriter {
      declare requestId: string | undefined
      declare standing: Standing | undefined

      _storeHeader(statusLine: string, own: object | undefined): void {
        storeHead.call(this, statusLine + lines(this, own), own)
      }
    }
  }
}
