import { setTimeout as wait } from 'node:timers/promises'

export interface Rounds {
  /** there may be something to do: the next round begins as soon as the rest is over */
  wake(): void
  /** lets the round that is under way end */
  stop(): Promise<void>
}

export interface Pace {
  /** how long it rests after a round, so that under load one round does the work of many */
  readonly restMs: number
  /** how long it waits to be woken before it looks by itself */
  readonly idleMs: number
}

const pause = (ms: number, signal: AbortSignal): Promise<unknown> => wait(ms, undefined, { signal }).catch(() => {})

/** Runs rounds one after another until it is stopped. A round that leaves something to do is followed by another at once. */
export function startRounds(
  round: () => Promise<boolean>,
  { restMs, idleMs }: Pace,
  failed: (error: unknown) => void,
): Rounds {
  const stopping = new AbortController()
  let woken = Promise.withResolvers<void>()

  async function run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      woken = Promise.withResolvers()
      const isMore = await round().catch((error: unknown) => {
        failed(error)
        return false
      })
      if (isMore) continue
      await pause(restMs, signal)
      const waiting = new AbortController()
      await Promise.race([woken.promise, pause(idleMs, AbortSignal.any([signal, waiting.signal]))])
      waiting.abort()
    }
  }
  const running = run(stopping.signal)

  return {
    wake: () => woken.resolve(),
    async stop() {
      stopping.abort()
      await running
    },
  }
}
