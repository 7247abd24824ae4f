import type { Piece } from './sending.store.ts'

/** A delivery that this process has taken and has not sent yet. */
export interface Held {
  readonly piece: Piece
  /** of which batch it is; others came from the queue */
  readonly batchId: string | undefined
  readonly takenAt: number
}

/** A request that is under way. */
export interface Begun {
  readonly at: number
  /** counted among those of slow and failing endpoints, which leave the others their room */
  isHeldUp: boolean
  /** where it stands among those of its line */
  place: number
}

/** How many are under way to one endpoint at a time. */
const usually = 8
const whenQuick = 32
const whenSlow = 4
const whenFailing = 1
const slowMs = 1_000
/** What is handed to it is gone within so long: address, secret and whether it is enabled are those of the moment it was handed over. */
const soonMs = 2_000
const quickMs = 50
/** After so many answers it is known how quick it is. */
const knownAfter = 16
/** One that fails now and then is not treated as one that is down. */
const failuresInARow = 3

/** Sandbox and live count apart: a flood in one mode leaves the other its room. */
export const tenantOf = ({ organisationId, mode }: Pick<Piece, 'organisationId' | 'mode'>): string =>
  `${organisationId} ${mode}`

/** What this process knows of one endpoint: what waits for it here, what is under way, and how it has been lately. */
export class Line {
  /** organisation and mode: those of one share a part of what is under way */
  readonly tenant: string
  readonly endpointId: string
  readonly waiting: Held[] = []
  /** whether it stands among those whose turn may come */
  isReady = false
  /** A list in which each knows its place: a map that so many go through is made anew all the time. */
  readonly #begun: Begun[] = []
  #failures = 0
  #isSlow = false
  #latencyMs = 0
  #answers = 0

  constructor(piece: Pick<Piece, 'organisationId' | 'mode' | 'endpointId'>) {
    this.tenant = tenantOf(piece)
    this.endpointId = piece.endpointId
  }

  get underWay(): number {
    return this.#begun.length
  }

  get #isFailing(): boolean {
    return this.#failures >= failuresInARow
  }

  /** Slow or failing: it is not to hold up others, so little is handed to it, and it has a share of its own. */
  get isAiling(): boolean {
    return this.#isFailing || this.#isSlow
  }

  /** What waits for it is gone in a moment. */
  get isQuick(): boolean {
    return !this.isAiling && this.#latencyMs < quickMs
  }

  /** How many will be gone soon, as quick as it has been lately. */
  get takesSoon(): number {
    return Math.max(this.concurrency, Math.floor((this.concurrency * soonMs) / Math.max(1, this.#latencyMs)))
  }

  get #isIdle(): boolean {
    return this.#begun.length === 0 && this.waiting.length === 0
  }

  /** Nothing is known of it that a new one would not begin with. */
  get isForgettable(): boolean {
    return this.#isIdle && this.#failures === 0 && !this.#isSlow
  }

  get concurrency(): number {
    if (this.#isFailing) return whenFailing
    if (this.#isSlow) return whenSlow
    return this.isQuick && this.#answers >= knownAfter ? whenQuick : usually
  }

  begin(at: number): Begun {
    const begun = { at, isHeldUp: this.isAiling, place: this.#begun.length }
    this.#begun.push(begun)
    return begun
  }

  end(begun: Begun, at: number, isWorking: boolean): void {
    const took = at - begun.at
    const last = this.#begun.pop() as Begun
    if (last !== begun) {
      this.#begun[begun.place] = last
      last.place = begun.place
    }
    this.#latencyMs = this.#latencyMs * 0.9 + took * 0.1
    this.#failures = isWorking ? 0 : this.#failures + 1
    this.#answers = isWorking ? this.#answers + 1 : 0
    this.#isSlow = took >= slowMs
  }

  /** Counts what is under way among the held up, from when the endpoint is known to be slow or failing; says how many those are. */
  holdUp(): number {
    const news = this.#begun.filter(({ isHeldUp }) => !isHeldUp)
    for (const begun of news) begun.isHeldUp = true
    return news.length
  }

  /** Notices one that hangs before it has answered. Says whether it has only now turned out to be slow. */
  look(at: number): boolean {
    if (this.isAiling) return false
    for (const begun of this.#begun) if (at - begun.at >= slowMs) this.#isSlow = true
    return this.#isSlow
  }
}
