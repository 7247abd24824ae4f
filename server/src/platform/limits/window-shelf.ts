interface Ending {
  readonly subject: string
  /** in milliseconds */
  readonly end: number
}

/**
 * Windows of one length, as many as fit. They stand in the order in which they began, which is the order in which they
 * end, in a ring: whatever is put in or falls out costs the same, however many there are. (A map alone would do, but looking
 * for its oldest entry passes all that were deleted before it.)
 */
export class WindowShelf<Window extends Ending> {
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

  /** Each one that comes clears away two that have ended, so that a crowd that has gone is forgotten. */
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
