import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Longer than a password check, so that all outcomes leave at the same multiple. */
export const usualReplyIntervalMs = 100

/** Replies that are complete and wait to leave. */
const leaving = new WeakSet<FastifyReply>()
export const isLeaving = (reply: FastifyReply): boolean => leaving.has(reply)

/**
 * A success and a refusal both leave at a multiple of 100 ms after the work began. Counting from the request's arrival would be unsafe: a
 * slow sender could choose the moment, and turn a difference of a millisecond into one of 100 ms.
 */
export function constantTime(replyIntervalMs = usualReplyIntervalMs) {
  const began = new WeakMap<FastifyRequest, number>()
  return {
    begin: (request: FastifyRequest): void => void began.set(request, performance.now()),
    /** Runs before the reply is sent. A refusal before the work began has nothing to hide. */
    leaveAtInterval: async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const since = began.get(request)
      if (since === undefined) return
      leaving.add(reply)
      const due = since + Math.ceil((performance.now() - since) / replyIntervalMs) * replyIntervalMs
      // A timer counts from the start of the event loop's turn and may fire early, by a time that reveals the turn's work.
      for (let left = due - performance.now(); left > 0; left = due - performance.now()) await wait(left)
    },
  }
}
