import type { Queryable } from '../database/database.ts'
import { addToWindow } from './rate-limits.store.ts'
import { WindowShelf } from './window-shelf.ts'

export interface RateLimit {
  /** the counted subject, e.g. `key:0193…`; never a secret */
  readonly subject: string
  readonly perWindow: number
  readonly windowSeconds: number
}

export interface LimitState {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  readonly resetSeconds: number
}

export interface RateLimiter {
  /** Counts one request. Uses memory except near the end of the limit. */
  take(limit: RateLimit): LimitState | Promise<LimitState>
  /** The state of a subject, without counting. */
  peek(limit: RateLimit): LimitState
  /** Takes back one request that turned out not to fall under the limit. */
  giveBack(limit: RateLimit): void
  /** Counts one request in the database: exact over all nodes, at the cost of a round trip. */
  takeExactly(limit: RateLimit): Promise<LimitState>
}

interface Window {
  readonly subject: string
  readonly end: number
  /** how many requests this node may admit, and how many it has admitted */
  granted: number
  used: number
  /** the last known total granted to all nodes */
  grantedEverywhere: number
  leasing: Promise<void> | undefined
}

/** The share of a limit that a node takes at a time, and also the most that one node may admit too many. */
const leaseParts = 20
/** per window length: windows that end at midnight must not be evicted by windows of a minute */
const mostWindows = 100_000

const fresh = ({ subject }: RateLimit, end: number, granted: number): Window => ({
  subject,
  end,
  granted,
  used: 0,
  grantedEverywhere: 0,
  leasing: undefined,
})

const secondsUntil = (end: number, now: number): number => Math.max(1, Math.ceil((end - now) / 1000))

/**
 * Limits over all nodes without a database round trip per request. A node takes a twentieth of a limit at a time, in the background, and
 * starts each window on credit. Within the last twentieth it asks the database for each request. On one node the limit is exact; with
 * several, each further node may exceed it by one share. A node remembers 100,000 windows. Beyond that the oldest is forgotten, and its
 * subject starts on credit again, until the database returns what was granted before. So a forgotten subject gains at most one share, and
 * only after 100,000 others. Evicting by use would cost every request a little; refusing newcomers would let a flood shut out everybody
 * else.
 */
export function createRateLimiter(db: Queryable, nowMs: () => number = Date.now): RateLimiter {
  /** by their length in seconds */
  const shelves = new Map<number, WindowShelf<Window>>()

  const endOfWindow = (limit: RateLimit, now: number): number => {
    const length = limit.windowSeconds * 1000
    return (Math.floor(now / length) + 1) * length
  }
  const keyOf = (limit: RateLimit) => `${limit.subject} ${limit.windowSeconds}`
  const leaseSize = (limit: RateLimit) => Math.max(1, Math.floor(limit.perWindow / leaseParts))
  const left = (limit: RateLimit, window: Window) => limit.perWindow - window.grantedEverywhere

  function windowOf(limit: RateLimit, now: number): Window {
    const end = endOfWindow(limit, now)
    const known = shelves.get(limit.windowSeconds)?.find(limit.subject)
    return known?.end === end ? known : newWindow(limit, end, now)
  }

  function newWindow(limit: RateLimit, end: number, now: number): Window {
    const shelf = shelves.get(limit.windowSeconds) ?? new WindowShelf<Window>(mostWindows)
    shelves.set(limit.windowSeconds, shelf)
    const window = fresh(limit, end, leaseSize(limit))
    shelf.put(window, now)
    void lease(limit, window, leaseSize(limit), 0).catch(() => {})
    return window
  }

  /** Books `amount` for this node; `promised` of it was not yet given out here. The part over the limit is taken back. */
  function lease(limit: RateLimit, window: Window, amount: number, promised: number): Promise<void> {
    window.leasing = (async () => {
      try {
        const total = await addToWindow(db, keyOf(limit), new Date(window.end), amount)
        window.grantedEverywhere = total
        window.granted += promised - Math.min(amount, Math.max(0, total - limit.perWindow))
      } finally {
        window.leasing = undefined
      }
    })()
    return window.leasing
  }

  const stateOf = (limit: RateLimit, window: Window, allowed: boolean, now: number): LimitState => {
    const unspentHere = Math.max(0, window.granted - window.used)
    return {
      allowed,
      limit: limit.perWindow,
      remaining: Math.max(0, Math.min(limit.perWindow - window.used, left(limit, window) + unspentHere)),
      resetSeconds: secondsUntil(window.end, now),
    }
  }

  function take(limit: RateLimit): LimitState | Promise<LimitState> {
    const now = nowMs()
    const window = windowOf(limit, now)
    if (window.used >= window.granted) return takeAfterLease(limit, window)
    window.used++
    const size = leaseSize(limit)
    const plenty = left(limit, window) > size
    if (plenty && !window.leasing && window.granted - window.used <= size / 2) {
      void lease(limit, window, size, size).catch(() => {})
    }
    return stateOf(limit, window, true, now)
  }

  async function takeAfterLease(limit: RateLimit, window: Window): Promise<LimitState> {
    while (window.used >= window.granted) {
      if (window.leasing) await window.leasing
      else if (left(limit, window) <= 0) return stateOf(limit, window, false, nowMs())
      else {
        const amount = left(limit, window) > leaseSize(limit) ? leaseSize(limit) : 1
        await lease(limit, window, amount, amount)
      }
    }
    window.used++
    return stateOf(limit, window, true, nowMs())
  }

  async function takeExactly(limit: RateLimit): Promise<LimitState> {
    const end = endOfWindow(limit, nowMs())
    const used = await addToWindow(db, keyOf(limit), new Date(end), 1)
    return {
      allowed: used <= limit.perWindow,
      limit: limit.perWindow,
      remaining: Math.max(0, limit.perWindow - used),
      resetSeconds: secondsUntil(end, nowMs()),
    }
  }

  function peek(limit: RateLimit): LimitState {
    const now = nowMs()
    const end = endOfWindow(limit, now)
    const window = shelves.get(limit.windowSeconds)?.find(limit.subject)
    return stateOf(limit, window?.end === end ? window : fresh(limit, end, 0), true, now)
  }

  function giveBack(limit: RateLimit): void {
    const window = shelves.get(limit.windowSeconds)?.find(limit.subject)
    if (window && window.used > 0) window.used--
  }

  return { take, takeExactly, peek, giveBack }
}
