import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from '../logger.ts'
import { metricsText } from '../metrics.ts'
import { startRounds } from '../rounds.ts'
import { withinDeadline } from '../within-deadline.ts'
import { createBatcher } from './batcher.ts'
import {
  type Database,
  type DatabaseOptions,
  isConnectionFailure,
  isPassingFailure,
  isSerializationFailure,
  openDatabase,
  type Queryable,
  tookTooLong,
} from './database.ts'
import { readFlushedPosition, readReplayedPosition, readServerFacts, type WalPosition } from './replicas.store.ts'

export interface Replicas {
  /**
   * The database for a read that arrives now: a replica that has replayed every commit that anybody may have seen by now, otherwise the
   * primary. A statement that the replica cannot answer goes to the primary.
   */
  forRead(): Promise<Queryable>
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
  /** asks for the position on a connection of its own, so that it does not wait behind reads */
  readonly askReplayed: () => Promise<WalPosition>
  /** the newest known position; it never falls, because a server that was restored to an earlier position was restarted */
  replayed: WalPosition
  /** it was as far as the primary once, after it was opened */
  isChecked: boolean
  close(): Promise<unknown>
}

interface Replica {
  /** without a password */
  readonly name: string
  readonly db: Queryable
  isUsed(): boolean
  /** Waits a moment for the replica to reach the position. If it does not, the replica is left out until it has caught up. */
  hasReplayed(position: WalPosition): Promise<boolean>
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
  const flushed = createBatcher<undefined, WalPosition>(() => readFlushedPosition(primaryPositions))
  const parts = { primary, primaryPositions, flushedPosition: () => flushed.add(undefined), access, log }
  const replicas = urls.map((url) => openReplica(url, parts, { catchUpMs, checkMs }))
  let turn = 0

  async function findCurrent(): Promise<Queryable | undefined> {
    const used = replicas.filter((replica) => replica.isUsed())
    const replica = used[turn++ % used.length]
    if (!replica) return undefined
    // If the primary does not tell its position, the read fails there, with the right error.
    const asked = withinDeadline('the position of the primary', catchUpMs, parts.flushedPosition())
    const position = await asked.catch(() => undefined)
    return position !== undefined && (await replica.hasReplayed(position)) ? replica.db : undefined
  }

  return {
    async forRead() {
      const replica = await findCurrent()
      counts[replica ? 'replica' : 'primary']++
      return replica ?? primary
    },
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
  flushedPosition(): Promise<WalPosition>
  readonly access: Access
  readonly log: Logger
}

function openReplica(
  url: string,
  { primary, primaryPositions, flushedPosition, access, log }: ReplicaParts,
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
    const onConnect = async (db: Queryable) => {
      const [server, own] = await Promise.all([readServerFacts(db), readServerFacts(primaryPositions)])
      if (!server.isStandby) throw new LeftOut('The server is not a standby.')
      if (server.systemId !== own.systemId) throw new LeftOut('The server is not a standby of the primary.')
      startedAt ??= server.startedAt
      if (server.startedAt !== startedAt)
        throw new LeftOut('The address leads to several servers, or the server was restarted.')
    }
    const options = { ...access, connection: url, connectWithinMs: checkWithinMs, isReadOnly: true, onConnect }
    const reads = openDatabase(options)
    const positions = openDatabase({ ...options, poolSize: 1 })
    const polls = createBatcher<undefined, WalPosition>(() => readReplayedPosition(positions))
    return {
      reads,
      askReplayed: () => polls.add(undefined),
      replayed: 0n,
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
    const lost = error instanceof LeftOut ? error : new LeftOut('The server cannot be reached.')
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
      const replayed = await on.askReplayed()
      if (replayed > on.replayed) on.replayed = replayed
      if (on.replayed < position) await wait(pollMs)
    }
  }

  async function check(): Promise<boolean> {
    link ??= openLink()
    const checked = link
    const position = await flushedPosition()
    try {
      await withinDeadline('a check of a replica', checkWithinMs, catchUp(checked, position))
    } catch (error) {
      if (link === checked) lose(error)
      return false
    }
    if (checked.replayed < position) leaveOut(`It is more than ${catchUpMs} ms behind the primary.`)
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

  /** A statement that was too slow for the replica is too slow for the primary. */
  const isReplicasFault = (error: unknown): boolean =>
    error instanceof LeftOut || isSerializationFailure(error) || (isPassingFailure(error) && !tookTooLong(error))

  async function ask<Result>(statement: (db: Queryable) => Promise<Result>): Promise<Result> {
    const asked = link
    if (!asked?.isChecked) return await statement(primary)
    try {
      return await orLost(statement(asked.reads))
    } catch (error) {
      if (!isReplicasFault(error)) throw error
      if ((error instanceof LeftOut || isConnectionFailure(error)) && link === asked) lose(error)
      return await statement(primary)
    }
  }

  return {
    name,
    isUsed: () => isUsed,
    db: {
      rows: (statement) => ask((db) => db.rows(statement)),
      maybe: (statement) => ask((db) => db.maybe(statement)),
      one: (statement) => ask((db) => db.one(statement)),
      run: (statement) => ask((db) => db.run(statement)),
    },
    async hasReplayed(position) {
      const asked = link
      if (!asked) return false
      try {
        await withinDeadline('the position of a replica', catchUpMs, catchUp(asked, position))
      } catch {
        // too slow, or away: the next check tells which
      }
      if (asked.replayed >= position) return true
      leaveOut(`It is more than ${catchUpMs} ms behind the primary.`)
      return false
    },
    async close() {
      await checks.stop()
      await closeLink()
    },
  }
}
