import { setTimeout as wait } from 'node:timers/promises'

/** Retries until the attempt succeeds, or throws its last error. For background work on a busy machine. */
export async function eventually<Result>(attempt: () => Promise<Result>, withinMs = 100_000): Promise<Result> {
  const until = performance.now() + withinMs
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (performance.now() > until) throw error
      await wait(20)
    }
  }
}
