import type { FastifyReply } from 'fastify'
import { isLeaving } from '../reply/constant-time.ts'

/**
 * Ends requests that exceed their time limit. One periodic check of all running requests is nearly free; a timer for each would cost a good
 * part of a small request.
 */
export class TimeLimit {
  readonly #limitMs: number
  readonly #end: (reply: FastifyReply) => void
  /** in the order of arrival */
  readonly #underWay = new Set<FastifyReply>()
  readonly #looking: NodeJS.Timeout

  constructor(limitMs: number, end: (reply: FastifyReply) => void) {
    this.#limitMs = limitMs
    this.#end = end
    this.#looking = setInterval(() => this.#look(), Math.min(1_000, limitMs / 4)).unref()
  }

  begin(reply: FastifyReply): void {
    this.#underWay.add(reply)
  }

  over(reply: FastifyReply): void {
    this.#underWay.delete(reply)
  }

  stop(): void {
    clearInterval(this.#looking)
  }

  #look(): void {
    for (const reply of this.#underWay) {
      if (reply.elapsedTime < this.#limitMs) return
      // A request that is still arriving has a limit of its own.
      if (!reply.request.raw.complete) continue
      this.#underWay.delete(reply)
      // A request whose client disconnects counts as answered.
      if (!reply.sent && !reply.raw.headersSent && !isLeaving(reply)) this.#end(reply)
    }
  }
}
