import type { AuthorityLink } from '../state/submissions.store.ts'

/** The authority is probed after this many requests in a row without an answer. */
const doubtAfter = 5
const firstPauseMs = 1_000
const longestPauseMs = 30_000
/** How many documents are admitted to find out whether the outage is over. */
const tryOut = 2

export interface BreakerParts {
  /** asks the authority whether it is well; `undefined` if the authority has no probe */
  readonly probe: (() => Promise<boolean>) | undefined
  readonly notify: (state: AuthorityLink['state'], reason: string | null) => Promise<void>
  /** called if an announcement failed */
  readonly notifyFailed: (error: unknown) => void
  readonly monotonicMs: () => number
}

/**
 * Stops requests to an authority that does not answer. Only failures that concern the authority as a whole count: no
 * connection, no answer in time, its own errors. After several in a row the authority is probed. If the probe fails,
 * the breaker opens, and probes again after each pause. Then it admits a few documents, and all of them after the
 * first answer.
 */
export class Breaker {
  readonly #parts: BreakerParts
  #state: AuthorityLink['state'] = 'closed'
  #failures = 0
  #pauseMs = firstPauseMs
  #probeAt = 0
  /** the probe that is running */
  #looking: Promise<void> | undefined
  /** announcements run one after the other, so that the last one wins */
  #announcing: Promise<void> = Promise.resolve()
  /** the last announced state; `undefined` in a new process, which does not know what an earlier one announced */
  #announced: AuthorityLink['state'] | undefined

  constructor(parts: BreakerParts) {
    this.#parts = parts
  }

  get state(): AuthorityLink['state'] {
    return this.#state
  }

  /** Starts as open, because another process announced an outage. Probes at once. */
  beginOpen(): void {
    this.#state = 'open'
    this.#announced = 'open'
  }

  /** How many more requests may start while `underWay` are running; at most `room`. */
  admits(room: number, underWay: number): number {
    if (this.#state === 'closed') return room
    if (this.#state === 'half_open') return Math.max(0, Math.min(room, tryOut - underWay))
    if (this.#parts.monotonicMs() >= this.#probeAt) this.#look()
    return 0
  }

  /** Counts a result: `true` for an answer, `false` for a failure of the authority, `undefined` for neither. */
  note(isHealthy: boolean | undefined): void {
    if (isHealthy === undefined) return
    if (isHealthy) {
      this.#failures = 0
      if (this.#state !== 'open') this.#become('closed', null)
      return
    }
    this.#failures++
    const isDoubtful = this.#state === 'half_open' || this.#failures >= doubtAfter
    if (this.#state !== 'open' && isDoubtful) this.#look()
  }

  #open(): void {
    this.#probeAt = this.#parts.monotonicMs() + this.#pauseMs
    this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs)
    this.#become('open', 'it does not answer')
  }

  /** Resolves when the running probe and announcements have ended. */
  async idle(): Promise<void> {
    await this.#looking
    await this.#announcing
  }

  #look(): void {
    this.#looking ??= this.#isWell().then((isWell) => {
      this.#looking = undefined
      this.#decide(isWell)
    })
  }

  /** A probe that throws counts as no answer. */
  async #isWell(): Promise<boolean> {
    try {
      // Without a probe, the end of the pause is the only sign that the outage may be over.
      return this.#parts.probe ? await this.#parts.probe() : this.#state === 'open'
    } catch {
      return false
    }
  }

  #decide(isWell: boolean): void {
    if (!isWell) this.#open()
    else if (this.#state === 'open') this.#become('half_open', 'it answers again')
    // The authority is well, so the missing answers concerned single documents.
    else this.#failures = 0
  }

  #become(state: AuthorityLink['state'], reason: string | null): void {
    this.#state = state
    if (state === 'closed') this.#pauseMs = firstPauseMs
    if (this.#announced === state) return
    this.#announced = state
    // The announcement is for people; this breaker decides from its own state.
    this.#announcing = this.#announcing
      .then(() => this.#parts.notify(state, reason))
      .catch((error: unknown) => {
        this.#announced = undefined
        this.#parts.notifyFailed(error)
      })
  }
}
