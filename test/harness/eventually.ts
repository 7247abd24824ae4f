import { setTimeout as wait } from 'node:timers/promises'

/** Tries until it holds; what it said last when it never does. For what happens in the background, on a machine that others use too. */
export async function eventually<Result>(attempt: () => Promise<Result>, withinMs = 30_000): Promise<Result> {
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
