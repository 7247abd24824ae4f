/** Something that is told when its time is up. */
export interface Alarmed {
  /** by `performance.now()` */
  readonly dueAt: number
  /** where it stands among those that are set; for `Alarms` alone */
  place?: number | undefined
  ring(): void
}

/**
 * The deadlines of many on one timer, which is set for the first of them. Nearly all are cleared long before: so clearing and
 * putting off leave the timer alone, and when it wakes for nothing it is set anew. Each knows its place in a list, which
 * costs less than a `Set` that so many go through.
 */
export class Alarms {
  readonly #set: Alarmed[] = []
  #timer: NodeJS.Timeout | undefined
  #wakesAt = Number.POSITIVE_INFINITY

  /** Sets one, or takes note that it is due at another time. */
  set(one: Alarmed): void {
    one.place ??= this.#set.push(one) - 1
    if (one.dueAt < this.#wakesAt) this.#wakeAt(one.dueAt)
  }

  /** The last one takes its place. Says whether it was set. */
  clear(one: Alarmed): boolean {
    const { place } = one
    if (place === undefined) return false
    one.place = undefined
    const last = this.#set.pop() as Alarmed
    if (last !== one) {
      this.#set[place] = last
      last.place = place
    }
    return true
  }

  #wakeAt(at: number): void {
    clearTimeout(this.#timer)
    this.#wakesAt = at
    // Whatever is waited for keeps the process alive by itself.
    this.#timer = setTimeout(() => this.#wake(), Math.max(0, Math.ceil(at - performance.now()))).unref()
  }

  #wake(): void {
    this.#wakesAt = Number.POSITIVE_INFINITY
    const now = performance.now()
    const due: Alarmed[] = []
    let next = Number.POSITIVE_INFINITY
    for (const one of this.#set)
      if (one.dueAt <= now) due.push(one)
      else next = Math.min(next, one.dueAt)
    // Set before anyone is told: what they do about it may set others.
    if (next < this.#wakesAt) this.#wakeAt(next)
    for (const one of due) if (this.clear(one)) one.ring()
  }
}
