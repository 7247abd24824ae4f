import type { LogFields, Logger } from '../../platform/logger.ts'
import { metricsText } from '../../platform/metrics.ts'

const quietMs = 1_000

interface Cause {
  times: number
  untold: number
  toldAt: number
}

interface FailureCause {
  readonly reason: string
  readonly error?: unknown
}

const told = new WeakMap<object, FailureCause>()

/** Records why a reply will be a 503, as one of a few words of ours, and the error if there is one. */
export const giveReason = (reply: object, why: FailureCause): void => void told.set(reply, why)
export const reasonOf = (reply: object): FailureCause | undefined => told.get(reply)

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
      cause = { times: 0, untold: 0, toldAt: Number.NEGATIVE_INFINITY }
      this.#causes.set(reason, cause)
    }
    cause.times++
    cause.untold++
    const now = this.#nowMs()
    if (now - cause.toldAt < quietMs) return
    this.#log.warn('request.unavailable', { ...fields, reason, count: cause.untold })
    cause.toldAt = now
    cause.untold = 0
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
