import type { LogFields, Logger } from '../../platform/logger.ts'
import { metricsText } from '../../platform/metrics.ts'

const quietMs = 1_000

interface Cause {
  times: number
  unlogged: number
  loggedAt: number
}

interface FailureCause {
  readonly reason: string
  readonly error?: unknown
}

const causes = new WeakMap<object, FailureCause>()

/** Records why a reply will be a 503, as one of a few words of ours, and the error if there is one. */
export const giveReason = (reply: object, why: FailureCause): void => void causes.set(reply, why)
export const reasonOf = (reply: object): FailureCause | undefined => causes.get(reply)

/** Counts every 503 by its cause. The log gets each cause at most once a second, with the number since the last line. */
export class Unavailable {
  readonly #log: Pick<Logger, 'warn'>
  readonly #nowMs: () => number
  readonly #causes = new Map<string, Cause>()

  constructor(log: Pick<Logger, 'warn'>, nowMs: () => number = () => performance.now()) {
    this.#log = log
    this.#nowMs = nowMs
  }

  note(reason: string, fields: LogFields): void {
    let cause = this.#causes.get(reason)
    if (!cause) {
      cause = { times: 0, unlogged: 0, loggedAt: Number.NEGATIVE_INFINITY }
      this.#causes.set(reason, cause)
    }
    cause.times++
    cause.unlogged++
    const now = this.#nowMs()
    if (now - cause.loggedAt < quietMs) return
    this.#log.warn('request.unavailable', { ...fields, reason, count: cause.unlogged })
    cause.loggedAt = now
    cause.unlogged = 0
  }

  readonly metrics = (): Promise<string> =>
    metricsText([
      {
        name: 'risiti_unavailable_total',
        help: 'Answers of 503, by what was away',
        type: 'counter',
        values: [...this.#causes].map(([cause, { times }]) => [{ cause }, times]),
      },
    ])
}
