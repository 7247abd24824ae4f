import { setTimeout as wait } from 'node:timers/promises'

export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed'
}

/**
 * A call that takes longer has failed, even if it ends later. The timer is cleared, because a running timer would keep the process alive.
 */
export async function withinDeadline<Result>(name: string, deadlineMs: number, work: Promise<Result>): Promise<Result> {
  const timer = new AbortController()
  const tooLate = wait(deadlineMs, undefined, { signal: timer.signal }).then(() => {
    throw new DeadlinePassed(`${name} took longer than ${deadlineMs} ms`)
  })
  tooLate.catch(() => {})
  try {
    return await Promise.race([work, tooLate])
  } finally {
    timer.abort()
  }
}
