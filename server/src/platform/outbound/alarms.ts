/** An object that is notified at its deadline. */
export interface Timed {
  /** by `performance.now()` */
  readonly dueAt: number
  /** its index among the set alarms; for `Alarms` alone */
  index?: number | undefined
  expire(): void
}

/**
 * Many deadlines on one timer, which is set for the first of them. Nearly all are cleared long before, so clearing and postponing do not
 * touch the timer. If the timer fires with no deadline due, it is set again. Each alarm knows its index in a list, which costs less than a
 * `Set`.
 */
export class Alarms {
  readonly #set: Timed[] = []
  #timer: NodeJS.Timeout | undefined
  #wakesAt = Number.POSITIVE_INFINITY

  /** Sets an alarm, or changes its time. */
  set(one: Timed): void {
    one.index ??= this.#set.push(one) - 1
    if (one.dueAt < this.#wakesAt) this.#wakeAt(one.dueAt)
  }

  /** The last alarm takes the free index. Returns whether the alarm was set. */
  clear(one: Timed): boolean {
    const { index } = one
    if (index === undefined) return false
    one.index = undefined
    const last = this.#set.pop() as Timed
    if (last !== one) {
      this.#set[index] = last
      last.index = index
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
    const due: Timed[] = []
    let next = Number.POSITIVE_INFINITY
    for (const one of this.#set)
      if (one.dueAt <= now) due.push(one)
      else next = Math.min(next, one.dueAt)
    // The timer is set before the callbacks run, because a callback may set further alarms.
    if (next < this.#wakesAt) this.#wakeAt(next)
    for (const one of due) if (this.clear(one)) one.expire()
  }
}
