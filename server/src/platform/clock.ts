/** The one source of business time. Leases and other races between nodes use the database's clock. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/** A clock for tests: stands still until it is moved. */
export class SettableClock implements Clock {
  #at: number

  constructor(at: Date | string) {
    this.#at = new Date(at).getTime()
  }

  now(): Date {
    return new Date(this.#at)
  }

  set(at: Date | string): void {
    this.#at = new Date(at).getTime()
  }

  advance(by: { days?: number; hours?: number; minutes?: number; seconds?: number }): void {
    const { days = 0, hours = 0, minutes = 0, seconds = 0 } = by
    this.#at += ((days * 24 + hours) * 60 + minutes) * 60_000 + seconds * 1000
  }
}
