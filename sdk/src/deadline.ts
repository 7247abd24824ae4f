import { TimedOut } from './errors.ts'
import type { NativeSignal, Signal } from './fetch.ts'

/** A timer that is set to more than this fires at once. */
const longestTimerMs = 2 ** 31 - 1

/**
 * Runs `work` with a signal that aborts after `ms`, or when the caller's signal does. Rejects at that moment, even if `work` ignores
 * the signal: with `TimedOut`, or with the reason of the caller.
 */
export async function within<Result>(
  ms: number,
  outer: Signal | undefined,
  work: (signal: NativeSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController()
  const { signal } = controller
  const timeOut = () => controller.abort(new TimedOut(`there was no answer within ${Math.round(ms)} ms`))
  const stop = () => controller.abort(outer?.reason)
  const timer = setTimeout(timeOut, Math.min(ms, longestTimerMs))
  outer?.addEventListener('abort', stop)
  if (outer?.aborted) stop()
  try {
    return await new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      signal.addEventListener('abort', () => reject(signal.reason))
      work(signal).then(resolve, reject)
    })
  } finally {
    clearTimeout(timer)
    outer?.removeEventListener('abort', stop)
  }
}

/** Rejects with the reason of the signal as soon as it aborts. */
export function pause(ms: number, signal: Signal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop)
  })
}
