import type { AuthorityLink } from './submissions.store.ts'

/** So many questions in a row without an answer raise a doubt. */
const doubtAfter = 5
const firstPauseMs = 1_000
const longestPauseMs = 30_000
/** How many are let through to see whether it is over. */
const tryOut = 2

export interface BreakerParts {
  /** asks the authority whether it is well; nothing where there is nobody to ask */
  readonly probe: (() => Promise<boolean>) | undefined
  readonly tell: (state: AuthorityLink['state'], reason: string | null) => Promise<void>
  /** what could not be told */
  readonly untold: (error: unknown) => void
  readonly monotonicMs: () => number
}

/**
 * Keeps us from asking an authority that does not answer. Only what says something of the authority as a whole raises a doubt: no
 * connection, no answer in time, its own failures; whether it is well it is then asked itself. After a pause it is asked again; then a
 * few documents are let through, and when one of them gets an answer, all.
 */
export class Breaker {
  readonly #parts: BreakerParts
  #state: AuthorityLink['state'] = 'closed'
  #failures = 0
  #pauseMs = firstPauseMs
  #probeAt = 0
  /** the question that is under way */
  #looking: Promise<void> | undefined
  /** what is being told: one after the other, so that the last word is what stands */
  #telling: Promise<void> = Promise.resolve()
  /** what was told last: a process that begins does not know what an earlier one had told */
  #told: AuthorityLink['state'] | undefined

  constructor(parts: BreakerParts) {
    this.#parts = parts
  }

  get state(): AuthorityLink['state'] {
    return this.#state
  }

  /** Another process said last that it does not answer: it is asked at once whether that is over. */
  beginOpen(): void {
    this.#state = 'open'
    this.#told = 'open'
  }

  /** How many more may be asked while so many are under way; at most `room`. */
  admits(room: number, underWay: number): number {
    if (this.#state === 'closed') return room
    if (this.#state === 'half_open') return Math.max(0, Math.min(room, tryOut - underWay))
    if (this.#parts.monotonicMs() >= this.#probeAt) this.#look()
    return 0
  }

  /** An answer came (`true`), or none that can be called one (`false`). */
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

  /** Ends when what was being asked and told has ended. */
  async settled(): Promise<void> {
    await this.#looking
    await this.#telling
  }

  #look(): void {
    this.#looking ??= this.#isWell().then((isWell) => {
      this.#looking = undefined
      this.#decide(isWell)
    })
  }

  /** Whatever goes wrong with the question is no answer. */
  async #isWell(): Promise<boolean> {
    try {
      // With nobody to ask, the pause itself is all that speaks for it.
      return this.#parts.probe ? await this.#parts.probe() : this.#state === 'open'
    } catch {
      return false
    }
  }

  #decide(isWell: boolean): void {
    if (!isWell) this.#open()
    else if (this.#state === 'open') this.#become('half_open', 'it answers again')
    // It is well: what had no answer was about single documents.
    else this.#failures = 0
  }

  #become(state: AuthorityLink['state'], reason: string | null): void {
    this.#state = state
    if (state === 'closed') this.#pauseMs = firstPauseMs
    if (this.#told === state) return
    this.#told = state
    // Told to people; what it decides, it decides here.
    this.#telling = this.#telling
      .then(() => this.#parts.tell(state, reason))
      .catch((error: unknown) => {
        this.#told = undefined
        this.#parts.untold(error)
      })
  }
}
