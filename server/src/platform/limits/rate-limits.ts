import type { Queryable } from '../database/database.ts'
import { addToWindow } from './rate-limits.store.ts'
import { WindowShelf } from './window-shelf.ts'

export interface RateLimit {
  /** who is counted, e.g. `key:0193…`; never a secret */
  readonly subject: string
  readonly perWindow: number
  readonly windowSeconds: number
}

export interface Standing {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  readonly resetSeconds: number
}

export interface RateLimiter {
  /** Counts one request. Answers from memory except near the end of the limit. */
  take(limit: RateLimit): Standing | Promise<Standing>
  /** Where a subject stands, without counting. */
  peek(limit: RateLimit): Standing
  /** Takes one back that was counted here, because it was not of the kind that the limit is for. */
  giveBack(limit: RateLimit): void
  /** Counts one request in the database: exact over all nodes, for what is worth a round trip. */
  takeExactly(limit: RateLimit): Promise<Standing>
}

interface Window {
  readonly subject: string
  readonly end: number
  /** how many requests this node may let through, and how many it has */
  granted: number
  used: number
  /** how much all nodes were granted, as last heard */
  grantedEverywhere: number
  leasing: Promise<void> | undefined
}

/** A node takes this part of a limit at a time; it is also what one node may let through too many. */
const leaseParts = 20
/** of one length: what ends at midnight is not pushed out by what ends with the minute */
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
 * Limits that hold over all nodes without a database round trip per request. A node leases a twentieth of a limit at
 * a time, in the background, and starts each window on credit; within the last twentieth it asks for each request.
 * On one node the limit is exact; with several, at most one lease a node goes over it.
 *
 * A node remembers a hundred thousand windows. When more are open at once, the oldest is forgotten, and its subject begins
 * on credit once more, until the database has said what it was granted before. So whoever is forgotten gains one
 * lease, a twentieth of its limit, and for that a hundred thousand others have to come first; what it had leased and not
 * used is lost to it. To forget those that asked least, or longest ago, would cost every request a little; to turn
 * newcomers away would let whoever fills the list shut out everybody else.
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

  /** Books `amount` for this node; `promised` of it was not yet given out here. What goes over the limit is taken back. */
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

  const standing = (limit: RateLimit, window: Window, allowed: boolean, now: number): Standing => {
    const unspentHere = Math.max(0, window.granted - window.used)
    return {
      allowed,
      limit: limit.perWindow,
      remaining: Math.max(0, Math.min(limit.perWindow - window.used, left(limit, window) + unspentHere)),
      resetSeconds: secondsUntil(window.end, now),
    }
  }

  function take(limit: RateLimit): Standing | Promise<Standing> {
    const now = nowMs()
    const window = windowOf(limit, now)
    if (window.used >= window.granted) return takeAfterLease(limit, window)
    window.used++
    const size = leaseSize(limit)
    const plenty = left(limit, window) > size
    if (plenty && !window.leasing && window.granted - window.used <= size / 2) {
      void lease(limit, window, size, size).catch(() => {})
    }
    return standing(limit, window, true, now)
  }

  async function takeAfterLease(limit: RateLimit, window: Window): Promise<Standing> {
    while (window.used >= window.granted) {
      if (window.leasing) await window.leasing
      else if (left(limit, window) <= 0) return standing(limit, window, false, nowMs())
      else {
        const amount = left(limit, window) > leaseSize(limit) ? leaseSize(limit) : 1
        await lease(limit, window, amount, amount)
      }
    }
    window.used++
    return standing(limit, window, true, nowMs())
  }

  async function takeExactly(limit: RateLimit): Promise<Standing> {
    const end = endOfWindow(limit, nowMs())
    const used = await addToWindow(db, keyOf(limit), new Date(end), 1)
    return {
      allowed: used <= limit.perWindow,
      limit: limit.perWindow,
      remaining: Math.max(0, limit.perWindow - used),
      resetSeconds: secondsUntil(end, nowMs()),
    }
  }

  function peek(limit: RateLimit): Standing {
    const now = nowMs()
    const end = endOfWindow(limit, now)
    const window = shelves.get(limit.windowSeconds)?.find(limit.subject)
    return standing(limit, window?.end === end ? window : fresh(limit, end, 0), true, now)
  }

  function giveBack(limit: RateLimit): void {
    const window = shelves.get(limit.windowSeconds)?.find(limit.subject)
    if (window && window.used > 0) window.used--
  }

  return { take, takeExactly, peek, giveBack }
}
