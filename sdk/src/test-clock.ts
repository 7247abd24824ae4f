import type { CallOptions } from './calls.ts'
import { pause } from './deadline.ts'
import { RisitiError, TimedOut } from './errors.ts'
import type { Signal } from './fetch.ts'

export interface MoveOptions<Move> {
  /** how long to wait in all, in milliseconds; 600,000 by default. The move continues after that. */
  readonly timeoutMs?: number | undefined
  readonly signal?: Signal | undefined
  /** called with the move each time it has come further */
  readonly onProgress?: ((move: Move) => void) | undefined
  /** of the request that begins the move */
  readonly idempotencyKey?: string | undefined
}

/** What the client adds to the test clock. */
export interface TestClockHelpers<Move, NewMove> {
  /**
   * Moves the time of the sandbox forward and waits until it is ready: everything that was due has happened. Throws `TimedOut` if that
   * takes longer than `timeoutMs`, and `RisitiError` if the move was stopped.
   */
  advance(to: NewMove, options?: MoveOptions<Move>): Promise<Move>
}

interface AnyMove {
  readonly id: string
  readonly status: string
  readonly reachedAt: string
}

export interface TestClockCalls<Move> {
  move(body: never, options?: CallOptions): PromiseLike<Move>
  getMove(id: string, options?: CallOptions): PromiseLike<Move>
}

const firstPauseMs = 250
const longestPauseMs = 2_000

export const testClockHelpers = <Move extends AnyMove, NewMove>(
  calls: TestClockCalls<Move>,
): TestClockHelpers<Move, NewMove> => ({
  async advance(to, { timeoutMs = 600_000, signal, onProgress, idempotencyKey } = {}) {
    const endsAt = performance.now() + timeoutMs
    let move = await calls.move(to as never, { signal, idempotencyKey })
    let last = ''
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 1.3)) {
      if (move.reachedAt !== last) onProgress?.(move)
      last = move.reachedAt
      if (move.status === 'ready') return move
      if (move.status === 'stopped') throw new RisitiError(`the move was stopped at ${move.reachedAt}: move again`)
      if (performance.now() + pauseMs > endsAt)
        throw new TimedOut(`the move is at ${move.reachedAt} after ${timeoutMs} ms`)
      await pause(pauseMs, signal)
      move = await calls.getMove(move.id, { signal })
    }
  },
})
