export interface Rounds {
  /** starts the next round as soon as the rest is over */
  wake(): void
  /** waits for the running round to end */
  stop(): Promise<void>
}

export interface Pace {
  /** the rest after a round, so that under load one round does the work of many; a function if it depends on the round */
  readonly restMs: number | (() => number)
  /** the longest wait for a wake-up before the next round */
  readonly idleMs: number
}

/** Runs rounds one after another until it is stopped. If a round leaves something to do, the next begins at once. */
export function startRounds(
  round: () => Promise<boolean>,
  { restMs, idleMs }: Pace,
  failed: (error: unknown) => void,
): Rounds {
  const stopping = new AbortController()
  let isWoken = false
  let isIdle = false
  /** ends the current pause */
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
