import type { OutgoingDelivery } from './dispatch.store.ts'

/** A delivery that this process has taken and not sent yet. */
export interface WaitingDelivery {
  readonly delivery: OutgoingDelivery
  /** Batch of the delivery. `undefined` if it came from the queue. */
  readonly batchId: string | undefined
  readonly takenAt: number
}

/** A request under way. */
export interface RunningAttempt {
  readonly at: number
  /** Counts towards the limit of slow and failing endpoints, so that the others keep their room. */
  isCountedSlow: boolean
  /** Index in the list of its endpoint. */
  index: number
}

/** Requests under way to one endpoint at a time. */
const usually = 8
const whenQuick = 32
const whenSlow = 4
const whenFailing = 1
const slowMs = 1_000
/**
 * An endpoint is given only what it can take within this time, because address, secret and status are those of the
 * moment of handing over.
 */
const soonMs = 2_000
const quickMs = 50
/** Number of replies after which its speed is known. */
const knownAfter = 16
/** An endpoint that fails occasionally is not treated as down. */
const failuresInARow = 3
/** An endpoint without deliveries for this long is treated as a new one. */
const rememberedMs = 3_600_000

/** Sandbox and live count separately, so that a flood in one mode leaves the other its room. */
export const tenantOf = ({ organisationId, mode }: Pick<OutgoingDelivery, 'organisationId' | 'mode'>): string =>
  `${organisationId} ${mode}`

/** State of one endpoint in this process: waiting deliveries, requests under way, and recent speed. */
export class EndpointQueue {
  /** Tenants have a limit of requests under way. */
  readonly tenant: string
  readonly endpointId: string
  readonly waiting: WaitingDelivery[] = []
  /** Whether it is in the list of endpoints that can be served. */
  isReady = false
  /** A list with known indexes, because a map with so many changes reallocates all the time. */
  readonly #begun: RunningAttempt[] = []
  #failures = 0
  #endedAt = 0
  #isSlow = false
  #latencyMs = 0
  #answers = 0

  constructor(delivery: Pick<OutgoingDelivery, 'organisationId' | 'mode' | 'endpointId'>) {
    this.tenant = tenantOf(delivery)
    this.endpointId = delivery.endpointId
  }

  get underWay(): number {
    return this.#begun.length
  }

  get #isFailing(): boolean {
    return this.#failures >= failuresInARow
  }

  /** Slow or failing: it gets few deliveries and a limit of its own, so that it does not delay others. */
  get isUnhealthy(): boolean {
    return this.#isFailing || this.#isSlow
  }

  /** True if its waiting deliveries will be sent in a moment. */
  get isQuick(): boolean {
    return !this.isUnhealthy && this.#latencyMs < quickMs
  }

  /** Number of deliveries that it takes soon, at its recent speed. */
  get takesSoon(): number {
    return Math.max(this.concurrency, Math.floor((this.concurrency * soonMs) / Math.max(1, this.#latencyMs)))
  }

  get #isIdle(): boolean {
    return this.#begun.length === 0 && this.waiting.length === 0
  }

  /** True if the state equals that of a new endpoint, or is too old to say anything: a disabled endpoint never recovers. */
  isForgettable(at: number): boolean {
    const isLikeNew = this.#failures === 0 && !this.#isSlow
    return this.#isIdle && (isLikeNew || at - this.#endedAt > rememberedMs)
  }

  get concurrency(): number {
    if (this.#isFailing) return whenFailing
    if (this.#isSlow) return whenSlow
    return this.isQuick && this.#answers >= knownAfter ? whenQuick : usually
  }

  begin(at: number): RunningAttempt {
    const running = { at, isCountedSlow: this.isUnhealthy, index: this.#begun.length }
    this.#begun.push(running)
    return running
  }

  end(running: RunningAttempt, at: number, isWorking: boolean): void {
    const took = at - running.at
    this.#endedAt = at
    const last = this.#begun.pop() as RunningAttempt
    if (last !== running) {
      this.#begun[running.index] = last
      last.index = running.index
    }
    this.#latencyMs = this.#latencyMs * 0.9 + took * 0.1
    this.#failures = isWorking ? 0 : this.#failures + 1
    this.#answers = isWorking ? this.#answers + 1 : 0
    this.#isSlow = took >= slowMs
  }

  /** Moves requests under way to the limit of slow endpoints. Returns their number. */
  countAsSlow(): number {
    const news = this.#begun.filter(({ isCountedSlow }) => !isCountedSlow)
    for (const running of news) running.isCountedSlow = true
    return news.length
  }

  /** Detects a hanging request before it ends. Returns whether the endpoint has just become slow. */
  look(at: number): boolean {
    if (this.isUnhealthy) return false
    for (const running of this.#begun) if (at - running.at >= slowMs) this.#isSlow = true
    return this.#isSlow
  }
}
