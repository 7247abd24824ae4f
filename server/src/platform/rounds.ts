export interface Rounds {
  /** there may be something to do: the next round begins as soon as the rest is over */
  wake(): void
  /** lets the round that is under way end */
  stop(): Promise<void>
}

export interface Pace {
  /** how long it rests after a round, so that under load one round does the work of many; asked for after each where it depends on that */
  readonly restMs: number | (() => number)
  /** how long it waits to be woken before it looks by itself */
  readonly idleMs: number
}

/** Runs rounds one after another until it is stopped. A round that leaves something to do is followed by another at once. */
export function startRounds(
  round: () => Promise<boolean>,
  { restMs, idleMs }: Pace,
  failed: (error: unknown) => void,
): Rounds {
  const stopping = new AbortController()
  let isWoken = false
  let isIdle = false
  /** ends the pause that is under way */
  let endPause = () => {}

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  async function run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      isWoken = false
      const isMore = await round().catch((error: unknown) => {
        failed(error)
        return false
      })
      if (isMore) continue
      if (!signal.aborted) await pause(typeof restMs === 'number' ? restMs : restMs())
      if (isWoken || signal.aborted) continue
      isIdle = true
      await pause(idleMs)
      isIdle = false
    }
  }
  const running = run(stopping.signal)

  return {
    wake() {
      isWoken = true
      if (isIdle) endPause()
    },
    async stop() {
      stopping.abort()
      endPause()
      await running
    },
  }
}
