import type { Tenant } from '../../kernel/tenant.ts'
import { queueIsFull } from './queue-is-full.ts'

export interface TurnBounds {
  /** of one tenant: one that writes, and one that is ready to when it has ended */
  readonly atOnce: number
  /** of one tenant: it keeps a client that never stops asking from filling the memory of all */
  readonly mostWaiting: number
  /** who has waited so long is better told to come again; nothing was done for them yet */
  readonly longestWaitMs: number
}

export const turnBounds: TurnBounds = { atOnce: 2, mostWaiting: 500, longestWaitMs: 10_000 }

/**
 * Lets what locks a tenant's books for several steps run a few at a time. The others would wait for the same lock anyway; here they do so
 * without a connection, of which there are few, and which other tenants want too.
 */
export function createTurns({ atOnce, mostWaiting, longestWaitMs }: TurnBounds = turnBounds) {
  interface Line {
    underWay: number
    /** each is called when its turn has come */
    readonly waiting: (() => void)[]
  }
  const lines = new Map<string, Line>()

  const waitIn = ({ waiting }: Line): Promise<void> =>
    new Promise((begin, giveUp) => {
      if (waiting.length >= mostWaiting) throw queueIsFull()
      const called = () => {
        clearTimeout(timer)
        begin()
      }
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(called), 1)
        giveUp(queueIsFull())
      }, longestWaitMs)
      waiting.push(called)
    })

  return async function inTurn<Result>({ organisationId, mode }: Tenant, body: () => Promise<Result>): Promise<Result> {
    const key = `${organisationId} ${mode}`
    const line = lines.get(key) ?? { underWay: 0, waiting: [] }
    lines.set(key, line)
    // A place that is given on stays taken: nobody who comes in between gets it.
    if (line.underWay < atOnce) line.underWay++
    else await waitIn(line)
    try {
      return await body()
    } finally {
      const next = line.waiting.shift()
      if (next) next()
      else if (--line.underWay === 0) lines.delete(key)
    }
  }
}
