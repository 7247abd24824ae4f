import { setTimeout as wait } from 'node:timers/promises'

/**
 * Runs something for all who ask for it while it waits its turn, once: the next time begins when the one before has ended and a rest has
 * passed. Whoever asks is answered by a run that began after they asked, so that nothing they know of is missed, however many ask.
 */
export function oneAtATime(run: () => Promise<unknown>, restMs: number): () => Promise<void> {
  let underWay: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined
  const begin = async (before: Promise<void>): Promise<void> => {
    await before
    next = undefined
    const ended = run().then(() => {})
    underWay = ended.then(rest, rest)
    await ended
  }
  const rest = () => wait(restMs, undefined, { ref: false })
  return () => {
    next ??= begin(underWay)
    return next
  }
}
