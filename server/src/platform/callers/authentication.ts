import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import type { TokenCaller } from '../../kernel/callers.ts'
import type { Clock } from '../clock.ts'
import { asQueryable, type Database, type Queryable } from '../database/database.ts'
import type { RateLimit } from '../limits/rate-limits.ts'
import type { Logger } from '../logger.ts'
import { readAuthChanges } from './auth-changes.store.ts'

/** The caller that a token stands for, and what would invalidate that. */
export interface Authenticated {
  readonly caller: TokenCaller
  readonly validUntil: Date | undefined
  /** a change of any of these makes the node read the caller again: `session:…`, `user:…`, `membership:…`, `key:…` */
  readonly subjects: readonly string[]
  readonly limits: readonly RateLimit[]
  /** called for every request that was admitted */
  readonly noteUse?: () => void
}

/** Reads a token's caller from the database, or refuses. */
export type CallerLoader = (db: Queryable, token: string, now: Date) => Promise<Authenticated>

export interface Authentication {
  /** from memory; undefined if the database must be asked */
  recall(token: string): Authenticated | undefined
  /** from memory, or from the database */
  authenticate(token: string): Authenticated | Promise<Authenticated>
  /** forgets callers at once on this node, after the commit that changed them */
  forget(subjects: readonly string[]): void
  /** false if a change may be unknown to this node: then the database must be asked */
  isConfirmed(): boolean
  /** calls back with the subjects that changed; without any if all may have changed */
  listen(listener: ChangeListener): void
  start(): Promise<void>
  stop(): Promise<void>
}

type ChangeListener = (subjects: readonly string[] | undefined) => void

const pollMs = 250
/** A cache that was not confirmed within this time is not used. */
const freshForMs = 1000
const usualMostCallers = 50_000

/** A caller, and the whole token for comparison. */
interface CachedCaller {
  readonly token: string
  readonly found: Authenticated
}

/**
 * The cache key of a token is its end, where signatures and secrets are; then the whole token is compared. Hashing all of its four hundred
 * characters cost a fortieth of a small request.
 */
const keyOf = (token: string): string => token.slice(-32)

/**
 * Caches callers by token, so that a request costs no database round trip. The node follows the log of changes on its own connection.
 * Without that connection, every request asks the database, so a broken link never keeps a revoked token valid.
 */
export function createAuthentication(
  db: Database,
  load: CallerLoader,
  clock: Clock,
  log: Logger,
  mostCallers = usualMostCallers,
): Authentication {
  const callers = new Map<string, CachedCaller>()
  const keysBySubject = new Map<string, Set<string>>()
  /** callers that are being loaded: at most as many as there are running requests */
  const loading = new Map<string, { found: Promise<Authenticated>; generation: number; sinceMs: number }>()
  /** rises whenever callers are forgotten, so that a caller that was read before is not cached afterwards */
  let generation = 0
  let confirmedAt = Number.NEGATIVE_INFINITY
  /** the same by the wall clock, which also counts the time that a machine slept */
  let confirmedOn = Date.now()
  let horizon: string | undefined
  const listeners: ChangeListener[] = []
  const announce: ChangeListener = (subjects) => {
    for (const listener of listeners) listener(subjects)
  }
  const isConfirmed = (): boolean => performance.now() - confirmedAt < freshForMs
  let stopping = new AbortController()
  let watching: Promise<void> | undefined

  function remember(token: string, found: Authenticated) {
    const key = keyOf(token)
    drop(key)
    if (callers.size >= mostCallers)
      for (const oldest of callers.keys()) {
        drop(oldest)
        break
      }
    callers.set(key, { token, found })
    for (const subject of found.subjects) {
      const keys = keysBySubject.get(subject)
      if (keys) keys.add(key)
      else keysBySubject.set(subject, new Set([key]))
    }
  }

  function drop(key: string) {
    const known = callers.get(key)
    callers.delete(key)
    for (const subject of known?.found.subjects ?? []) {
      const keys = keysBySubject.get(subject)
      keys?.delete(key)
      if (keys?.size === 0) keysBySubject.delete(subject)
    }
  }

  function forget(subjects: readonly string[]) {
    if (subjects.length === 0) return
    generation++
    announce(subjects)
    for (const subject of subjects) for (const key of [...(keysBySubject.get(subject) ?? [])]) drop(key)
  }

  /** The log of changes is purged after a time, so the cache cannot be brought up to date after a longer gap. */
  function forgetAfterGap(now: number) {
    if (Math.abs(now - confirmedOn) <= freshForMs) return
    generation++
    announce(undefined)
    callers.clear()
    keysBySubject.clear()
  }

  function recall(token: string): Authenticated | undefined {
    const key = keyOf(token)
    const known = callers.get(key)
    if (known?.token !== token || !isConfirmed()) return undefined
    const { found } = known
    if (found.validUntil === undefined || found.validUntil.getTime() > clock.now().getTime()) return found
    drop(key)
    return undefined
  }

  const authenticate = (token: string): Authenticated | Promise<Authenticated> => recall(token) ?? loadTogether(token)

  /**
   * Concurrent requests of one caller share one query, if no caller was forgotten since and the query is not older than the cache limit. So
   * a revoked token lives no longer than in the cache.
   */
  function loadTogether(token: string): Promise<Authenticated> {
    const known = loading.get(token)
    if (known && known.generation === generation && performance.now() - known.sinceMs < freshForMs) return known.found
    const found = loadAndRemember(token)
    const mine = { found, generation, sinceMs: performance.now() }
    loading.set(token, mine)
    const end = () => {
      if (loading.get(token) === mine) loading.delete(token)
    }
    found.then(end, end)
    return found
  }

  async function loadAndRemember(token: string): Promise<Authenticated> {
    const before = generation
    const found = await load(db, token, clock.now())
    if (generation === before) remember(token, found)
    return found
  }

  async function confirm(client: pg.Client) {
    const asked = performance.now()
    const askedOn = Date.now()
    const changes = await readAuthChanges(asQueryable(client), horizon)
    forgetAfterGap(askedOn)
    forget(changes.subjects)
    horizon = changes.horizon
    confirmedAt = asked
    confirmedOn = askedOn
  }

  /** One life of the connection: polls every quarter of a second, or when notified of a change. */
  async function follow(signal: AbortSignal) {
    const client = await db.dedicatedClient()
    try {
      let notified = Promise.withResolvers<void>()
      client.on('notification', () => notified.resolve())
      await client.query('listen auth_changes')
      while (!signal.aborted) {
        notified = Promise.withResolvers()
        await confirm(client)
        const idle = new AbortController()
        await Promise.race([
          notified.promise,
          wait(pollMs, undefined, { signal: AbortSignal.any([signal, idle.signal]) }).catch(() => {}),
        ])
        idle.abort()
      }
    } finally {
      // On a link that drops packets, a clean close would block here.
      await Promise.race([client.end().catch(() => {}), wait(pollMs)])
    }
  }

  async function watch(signal: AbortSignal) {
    while (!signal.aborted) {
      await follow(signal).catch((error: unknown) => log.warn('authentication.link_lost', { error }))
      if (!signal.aborted) await wait(pollMs, undefined, { signal }).catch(() => {})
    }
  }

  return {
    recall,
    authenticate,
    forget,
    isConfirmed,
    listen: (listener) => void listeners.push(listener),
    async start() {
      horizon ??= (await readAuthChanges(db, undefined)).horizon
      stopping = new AbortController()
      watching ??= watch(stopping.signal)
    },
    async stop() {
      stopping.abort()
      await watching
      watching = undefined
    },
  }
}
