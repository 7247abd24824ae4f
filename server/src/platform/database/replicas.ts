import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from '../logger.ts'
import { metricsText } from '../metrics.ts'
import { startRounds } from '../rounds.ts'
import { DeadlinePassed, withinDeadline } from '../within-deadline.ts'
import { createBatcher } from './batcher.ts'
import {
  type Database,
  type DatabaseOptions,
  gotNoConnection,
  isConnectionFailure,
  isSerializationFailure,
  openDatabase,
  type Queryable,
  tookTooLong,
} from './database.ts'
import {
  type LogState,
  type ReplayState,
  readFlushed,
  readReplayed,
  readServerFacts,
  type ServerFacts,
  type ServerIdentity,
  type WalPosition,
} from './replicas.store.ts'

export interface Replicas {
  /**
   * The database for a read that arrives now: a replica that has replayed every commit that anybody may have seen by now, otherwise the
   * primary. A statement that the replica cannot answer goes to the primary.
   */
  forRead(): Promise<Queryable>
  /** how many replicas there are, and how many of them reads use now */
  counts(): { readonly all: number; readonly used: number }
  metrics(): Promise<string>
  close(): Promise<void>
}

export interface ReplicaOptions {
  /** how long a read waits for the position of the primary, and then for a replica to reach it; longer than streaming takes, and shorter than a person notices */
  readonly catchUpMs?: number
  /** how often each replica is checked */
  readonly checkMs?: number
}

type Access = Pick<DatabaseOptions, 'connection' | 'prepares' | 'tracer'>

/** The connections to one replica, all to the same server. */
interface Link {
  readonly reads: Database
  /** asks on a connection of its own, so that it does not wait behind reads */
  readonly askReplayed: () => Promise<ReplayState>
  readonly askFacts: () => Promise<ServerFacts>
  /** the newest known position; it never falls, because a server that was restored to an earlier position was restarted */
  replayed: WalPosition
  /** as of the last check; 0 before */
  timeline: number
  /** it was as far as the primary once, after it was opened */
  isChecked: boolean
  close(): Promise<unknown>
}

interface Replica {
  /** without a password */
  readonly name: string
  isUsed(): boolean
  /** Waits a moment for the replica to reach what the primary has flushed. If it does not, it is left out until it has caught up. */
  hasReplayed(flushed: LogState): Promise<boolean>
  /** the database for one read, which this replica serves from now on */
  openRead(): Queryable
  close(): Promise<void>
}

/** The reason why a replica is not used, in words. */
class LeftOut extends Error {
  override readonly name = 'LeftOut'
}

const pollMs = 2
const checkWithinMs = 1_000

export function openReplicas(
  primary: Database,
  access: Access,
  urls: readonly string[],
  log: Logger,
  { catchUpMs = 100, checkMs = 1_000 }: ReplicaOptions = {},
): Replicas {
  const counts = { replica: 0, primary: 0 }
  // A connection of its own: positions must not wait behind requests.
  const primaryPositions = openDatabase({ ...access, poolSize: 1 })
  /** Reads that arrive while the position is being read share the next look, never the running one: it may be too old for them. */
  const flushed = createBatcher<undefined, LogState>(() => readFlushed(primaryPositions))
  const parts = { primary, primaryPositions, askFlushed: () => flushed.add(undefined), access, log }
  const replicas = urls.map((url) => openReplica(url, parts, { catchUpMs, checkMs }))
  let turn = 0

  async function findCurrent(): Promise<Queryable | undefined> {
    const used = replicas.filter((replica) => replica.isUsed())
    const replica = used[turn++ % used.length]
    if (!replica) return undefined
    // If the primary does not tell its position, the read fails there, with the right error.
    const asked = withinDeadline('the position of the primary', catchUpMs, parts.askFlushed())
    const state = await asked.catch(() => undefined)
    return state && (await replica.hasReplayed(state)) ? replica.openRead() : undefined
  }

  return {
    async forRead() {
      const replica = await findCurrent()
      counts[replica ? 'replica' : 'primary']++
      return replica ?? primary
    },
    counts: () => ({ all: replicas.length, used: replicas.filter((replica) => replica.isUsed()).length }),
    metrics: () =>
      metricsText([
        {
          name: 'risiti_replica_used',
          help: '1 if reads go to this replica, 0 while it is away or behind.',
          values: replicas.map((replica) => [{ replica: replica.name }, Number(replica.isUsed())]),
        },
        {
          name: 'risiti_replica_reads_total',
          help: 'Read operations by the server that they were sent to.',
          type: 'counter',
          values: Object.entries(counts).map(([server, count]) => [{ server }, count]),
        },
      ]),
    async close() {
      await Promise.all(replicas.map((replica) => replica.close()))
      await primaryPositions.end()
    },
  }
}

interface ReplicaParts {
  readonly primary: Database
  readonly primaryPositions: Database
  askFlushed(): Promise<LogState>
  readonly access: Access
  readonly log: Logger
}

function openReplica(
  url: string,
  { primary, primaryPositions, askFlushed, access, log }: ReplicaParts,
  { catchUpMs, checkMs }: Required<ReplicaOptions>,
): Replica {
  const name = decodeURIComponent(new URL(url).host)
  let link: Link | undefined
  let isUsed = false
  /** undefined until the first check */
  let lastReason: string | undefined
  /** Statements under way. They move to the primary at once if the replica is lost, although their connections may still hang. */
  const underWay = new Set<(error: LeftOut) => void>()

  function openLink(): Link {
    let startedAt: string | undefined
    // Behind a pooler, the server can change without a new connection. So every answer is compared.
    const requireSame = <Answer extends ServerIdentity>(server: Answer): Answer => {
      if (!server.isStandby) throw new LeftOut('The server is not a standby.')
      startedAt ??= server.startedAt
      if (server.startedAt !== startedAt)
        throw new LeftOut('The address leads to several servers, or the server was restarted.')
      return server
    }
    const onConnect = async (db: Queryable) => {
      const [server, own] = await Promise.all([readServerFacts(db), readServerFacts(primaryPositions)])
      if (server.systemId !== own.systemId) throw new LeftOut('The server is not a standby of the primary.')
      requireSame(server)
    }
    const options = { ...access, connection: url, connectWithinMs: checkWithinMs, isReadOnly: true, onConnect }
    const reads = openDatabase(options)
    const positions = openDatabase({ ...options, poolSize: 1 })
    const polls = createBatcher<undefined, ReplayState>(() => readReplayed(positions))
    return {
      reads,
      askReplayed: async () => requireSame(await polls.add(undefined)),
      askFacts: async () => requireSame(await readServerFacts(positions)),
      replayed: 0n,
      timeline: 0,
      isChecked: false,
      close: () => Promise.all([reads.end(), positions.end()]),
    }
  }

  function leaveOut(reason: string, error?: unknown): void {
    isUsed = false
    if (reason !== lastReason) log.warn('database.replica_left_out', { url: name, reason, error })
    lastReason = reason
  }

  /** The server is away, or another one: all its connections end. */
  function lose(error: unknown): void {
    const isAway = isConnectionFailure(error) || error instanceof DeadlinePassed
    const lost =
      error instanceof LeftOut
        ? error
        : new LeftOut(isAway ? 'The server cannot be reached.' : 'A statement failed on it.')
    leaveOut(lost.message, error instanceof LeftOut ? undefined : error)
    for (const reject of underWay) reject(lost)
    closeLink().catch(() => {})
  }

  async function closeLink(): Promise<void> {
    const closed = link
    link = undefined
    await closed?.close()
  }

  async function catchUp(on: Link, position: WalPosition): Promise<void> {
    for (const until = performance.now() + catchUpMs; on.replayed < position && performance.now() < until; ) {
      const replayed = (await on.askReplayed()).position
      if (replayed > on.replayed) on.replayed = replayed
      if (on.replayed < position) await wait(pollMs)
    }
  }

  /** Why the link cannot serve what the primary has flushed; `undefined` if it can. */
  function reasonAgainst(on: Link, { position, timeline }: LogState): string | undefined {
    if (on.timeline !== timeline)
      return `It is known to be on timeline ${on.timeline} of the write-ahead log, and the primary is on ${timeline}.`
    return on.replayed < position ? `It is more than ${catchUpMs} ms behind the primary.` : undefined
  }

  async function check(): Promise<boolean> {
    link ??= openLink()
    const checked = link
    const flushed = await askFlushed()
    // The replica is always asked: while nothing is written, only its silence tells that it is away.
    const ask = async () => {
      checked.timeline = (await checked.askFacts()).timeline
      await catchUp(checked, flushed.position)
    }
    try {
      await withinDeadline('a check of a replica', checkWithinMs, ask())
    } catch (error) {
      if (link === checked) lose(error)
      return false
    }
    const reason = reasonAgainst(checked, flushed)
    if (reason !== undefined) leaveOut(reason)
    else if (!isUsed && link === checked) {
      checked.isChecked = true
      isUsed = true
      lastReason = undefined
      log.info('database.replica_used', { url: name })
    }
    return false
  }
  const checks = startRounds(check, { restMs: checkMs, idleMs: 0 }, () => {
    // The primary did not tell its position. The replica stays as it is.
  })

  function orLost<Result>(answer: Promise<Result>): Promise<Result> {
    const { promise: lost, reject } = Promise.withResolvers<never>()
    underWay.add(reject)
    return Promise.race([answer, lost]).finally(() => underWay.delete(reject))
  }

  /**
   * What fails on the replica for any reason is asked of the primary: a replica may have full disks, damaged files or an old password of
   * its own. A statement that was too slow for the replica is too slow for the primary.
   *
   * From then on the whole read stays on the primary. A later statement on the replica could see less than an earlier one. And
   * rendered files are cached under a version that an earlier statement read: older contents must not follow it.
   */
  function openRead(): Queryable {
    const own = link
    let isOnPrimary = false
    const ask = async <Result>(statement: (db: Queryable) => Promise<Result>): Promise<Result> => {
      if (isOnPrimary || !own?.isChecked || link !== own) {
        isOnPrimary = true
        return await statement(primary)
      }
      try {
        return await orLost(statement(own.reads))
      } catch (error) {
        if (tookTooLong(error)) throw error
        isOnPrimary = true
        const isLost = error instanceof LeftOut || (isConnectionFailure(error) && !gotNoConnection(error))
        if (isLost && link === own) lose(error)
        const answer = await statement(primary)
        // Only the replica had a reason to fail. Cancelled statements are usual, and waiting for a connection is the check's to judge.
        if (!isSerializationFailure(error) && !gotNoConnection(error) && link === own) lose(error)
        return answer
      }
    }
    return {
      rows: (statement) => ask((db) => db.rows(statement)),
      maybe: (statement) => ask((db) => db.maybe(statement)),
      one: (statement) => ask((db) => db.one(statement)),
      run: (statement) => ask((db) => db.run(statement)),
    }
  }

  return {
    name,
    isUsed: () => isUsed,
    openRead,
    async hasReplayed(flushed) {
      const asked = link
      if (!asked) return false
      try {
        await withinDeadline('the position of a replica', catchUpMs, catchUp(asked, flushed.position))
      } catch {
        // too slow, or away: the next check tells which
      }
      const reason = reasonAgainst(asked, flushed)
      if (reason !== undefined && link === asked) leaveOut(reason)
      return reason === undefined
    },
    async close() {
      await checks.stop()
      await closeLink()
    },
  }
}
