import { setTimeout as wait } from 'node:timers/promises'

/**
 * Combines concurrent calls into one run. The next run begins when the previous one has ended and a rest has passed. Each caller gets the
 * result of a run that began after its call, so no earlier change is missed.
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
