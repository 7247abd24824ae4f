import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Longer than checking a password takes, so that all outcomes leave on the same beat. */
export const usualBeatMs = 100

/** Replies that are made, and only wait to leave. */
const leaving = new WeakSet<FastifyReply>()
export const isLeaving = (reply: FastifyReply): boolean => leaving.has(reply)

/**
 * Success or refusal, a reply leaves at a whole number of beats after its work began. Not after the request came: who
 * sends a body slowly would choose the moment, and see by a whole beat what differs by a millisecond.
 */
export function beat(beatMs = usualBeatMs) {
  const began = new WeakMap<FastifyRequest, number>()
  return {
    begin: (request: FastifyRequest): void => void began.set(request, performance.now()),
    /** Runs before anything is sent. What was refused before its work began has nothing to hide. */
    leaveOnTheBeat: async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const since = began.get(request)
      if (since === undefined) return
      leaving.add(reply)
      const due = since + Math.ceil((performance.now() - since) / beatMs) * beatMs
      // A timer counts from the beginning of its turn and may fire early; how early would tell how the turn was spent.
      for (let left = due - performance.now(); left > 0; left = due - performance.now()) await wait(left)
    },
  }
}
