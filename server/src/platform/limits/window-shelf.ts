interface WindowEnd {
  readonly subject: string
  /** in milliseconds */
  readonly end: number
}

/**
 * A bounded set of windows of one length, in a ring in the order of their beginning, which is also the order of their end. Insertion and
 * eviction cost the same for any size. A `Map` alone would be slower: finding its oldest entry passes all deleted ones.
 */
export class WindowShelf<Window extends WindowEnd> {
  readonly #most: number
  readonly #bySubject = new Map<string, Window>()
  readonly #ring: Window[] = []
  #oldest = 0
  #next = 0

  constructor(most: number) {
    this.#most = most
  }

  get size(): number {
    return this.#next - this.#oldest
  }

  find(subject: string): Window | undefined {
    return this.#bySubject.get(subject)
  }

  /** Each insertion removes two ended windows, so that a past flood is forgotten. */
  put(window: Window, now: number): void {
    for (let cleared = 0; cleared < 2 && this.size > 0; cleared++) {
      const oldest = this.#ring[this.#oldest % this.#most] as Window
      if (oldest.end > now && this.size < this.#most) break
      this.#oldest++
      if (this.#bySubject.get(oldest.subject) === oldest) this.#bySubject.delete(oldest.subject)
    }
    this.#ring[this.#next++ % this.#most] = window
    this.#bySubject.set(window.subject, window)
  }
}
