import { setTimeout as wait } from 'node:timers/promises'

/** The pause before the next look: short at first, and later an eighth of the time so far, so that long waits cost little. */
export const pauseMs = (beganAt: number): number => Math.min(250, Math.max(10, (performance.now() - beganAt) / 8))

/** Retries until the attempt succeeds, or throws its last error. For background work on a busy machine. */
export async function eventually<Result>(attempt: () => Promise<Result>, withinMs = 100_000): Promise<Result> {
  const beganAt = performance.now()
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (performance.now() > beganAt + withinMs) throw error
      await wait(pauseMs(beganAt))
    }
  }
}
