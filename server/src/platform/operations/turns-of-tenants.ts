import { type Refusal, refuse } from '../../kernel/refusals.ts'
import type { Tenant } from '../../kernel/tenant.ts'

export const tooBusy = (): Refusal =>
  refuse('dependency.unavailable', {
    retryAfterSeconds: 2,
    away: 'queue of the organisation',
    message: 'Too much is being written for this organisation at once; nothing was done, try again shortly.',
  })

export interface TurnBounds {
  /** running operations of one tenant: one that writes, and one that is ready to follow */
  readonly atOnce: number
  /** waiting operations of one tenant; a client that never stops must not fill the memory */
  readonly mostWaiting: number
  /** an operation that has waited this long is refused; nothing was written for it */
  readonly longestWaitMs: number
}

export const turnBounds: TurnBounds = { atOnce: 2, mostWaiting: 500, longestWaitMs: 10_000 }

/**
 * Limits how many operations that lock a tenant's credits run at a time. The others would wait for the same lock anyway. Here they wait
 * without a connection, of which there are few.
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
      if (waiting.length >= mostWaiting) throw tooBusy()
      const called = () => {
        clearTimeout(timer)
        begin()
      }
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(called), 1)
        giveUp(tooBusy())
      }, longestWaitMs)
      waiting.push(called)
    })

  return async function inTurn<Result>({ organisationId, mode }: Tenant, body: () => Promise<Result>): Promise<Result> {
    const key = `${organisationId} ${mode}`
    const line = lines.get(key) ?? { underWay: 0, waiting: [] }
    lines.set(key, line)
    // A slot that is handed on stays taken, so that no newcomer gets it in between.
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
