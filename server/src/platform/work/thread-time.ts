/** Time counts half after so long. Owners who wait for each other must not seem to have stopped, and one who stops is soon like any other. */
const halfLifeMs = 30_000
/** More is not held against anybody: it would take minutes to be forgotten. */
const mostMs = 60_000
/** Many small documents, or one that was made to be slow. */
const heavyMs = 2_000
/** Owners who used less than this, or no more than twice as much as another, are alike: they take turns. */
const alikeMs = 250
const mostOwners = 1_000

interface Used {
  readonly ms: number
  readonly atMs: number
}

/** How much time of the threads each owner used lately. */
export class ThreadTime {
  readonly #nowMs: () => number
  /** those who used some last stand last */
  readonly #used = new Map<string, Used>()

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

  /** 0 for those who used little, and 1 more for each doubling. */
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
