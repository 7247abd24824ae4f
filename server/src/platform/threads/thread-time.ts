/**
 * Half-life of recorded thread time. Long enough that an owner who waits for others still counts as active, short enough that an owner who
 * stops soon counts as new.
 */
const halfLifeMs = 30_000
/** The cap on an owner's recorded time: a larger amount would take minutes to decay. */
const mostMs = 60_000
/** The weight of one large or slow document, or of many small ones. */
const heavyMs = 2_000
/** Owners below this amount, or within a factor of two of each other, count as equal and take turns. */
const alikeMs = 250
const mostOwners = 1_000

interface UsedTime {
  readonly ms: number
  readonly atMs: number
}

/** The recent thread time of each owner. */
export class ThreadTime {
  readonly #nowMs: () => number
  /** ordered by last use, the latest last */
  readonly #used = new Map<string, UsedTime>()

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs
  }

  add(owner: string, ms: number): void {
    const used = { ms: Math.min(mostMs, this.#of(owner) + ms), atMs: this.#nowMs() }
    this.#used.delete(owner)
    if (this.#used.size >= mostOwners)
      for (const longestAgo of this.#used.keys()) {
        this.#used.delete(longestAgo)
        break
      }
    this.#used.set(owner, used)
  }

  /** 0 for owners with little time, and 1 more for each doubling. */
  rank(owner: string): number {
    return Math.floor(Math.log2(1 + this.#of(owner) / alikeMs))
  }

  isHeavy(owner: string): boolean {
    return this.#of(owner) > heavyMs
  }

  #of(owner: string): number {
    const used = this.#used.get(owner)
    return used ? used.ms * 0.5 ** ((this.#nowMs() - used.atMs) / halfLifeMs) : 0
  }
}
