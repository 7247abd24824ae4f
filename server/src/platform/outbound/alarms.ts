/** An object that is notified at its deadline. */
export interface Alarmed {
  /** by `performance.now()` */
  readonly dueAt: number
  /** its index among the set alarms; for `Alarms` alone */
  place?: number | undefined
  ring(): void
}

/**
 * Many deadlines on one timer, which is set for the first of them. Nearly all are cleared long before, so clearing and postponing do not
 * touch the timer. If the timer fires with no deadline due, it is set again. Each alarm knows its index in a list, which costs less than a
 * `Set`.
 */
export class Alarms {
  readonly #set: Alarmed[] = []
  #timer: NodeJS.Timeout | undefined
  #wakesAt = Number.POSITIVE_INFINITY

  /** Sets an alarm, or changes its time. */
  set(one: Alarmed): void {
    one.place ??= this.#set.push(one) - 1
    if (one.dueAt < this.#wakesAt) this.#wakeAt(one.dueAt)
  }

  /** The last alarm takes the free index. Returns whether the alarm was set. */
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
    // The awaited request itself keeps the process alive.
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
    // The timer is set before the callbacks run, because a callback may set further alarms.
    if (next < this.#wakesAt) this.#wakeAt(next)
    for (const one of due) if (this.clear(one)) one.ring()
  }
}
