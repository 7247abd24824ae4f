import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from '../logger.ts'
import { acceptsWrites } from './connections.store.ts'
import { asQueryable, isConnectionFailure, refusalCodeOf } from './database.ts'

/** One line in the log every half minute, at one look a second. */
const looksBetweenWarnings = 30
const connectWithinMs = 5_000
/** Some poolers refuse a login with this code, and waiting would not help. */
const refusedByPooler = '08P01'

const reasons = {
  'database.read_only': 'The database accepts no writes. The start waits until it does.',
  'database.unreachable': 'The database accepts no connections. The start waits a minute for it.',
}
type Obstacle = keyof typeof reasons

/**
 * Waits until the server accepts writes. A standby does so once it is promoted. During a failover connections may also
 * be refused: then the start waits too, but fails in the end, so that a wrong address does not stay unnoticed.
 */
export async function untilWritable(
  connection: string,
  log: Logger,
  { pauseMs = 1_000, mostMsWithoutConnection = 60_000 } = {},
): Promise<void> {
  let connectedMs = performance.now()
  const findObstacle = async (): Promise<Obstacle | undefined> => {
    try {
      const isWritable = await canWrite(connection)
      connectedMs = performance.now()
      return isWritable ? undefined : 'database.read_only'
    } catch (error) {
      const isAway = isConnectionFailure(error) && refusalCodeOf(error) !== refusedByPooler
      if (!isAway || performance.now() - connectedMs >= mostMsWithoutConnection) throw error
      return 'database.unreachable'
    }
  }
  let warned: Obstacle | undefined
  for (let looks = 0, obstacle = await findObstacle(); obstacle !== undefined; obstacle = await findObstacle()) {
    if (obstacle !== warned || looks % looksBetweenWarnings === 0) log.warn(obstacle, { reason: reasons[obstacle] })
    warned = obstacle
    looks++
    await wait(pauseMs)
  }
}

/** Each look has a connection of its own, which may lead to another server by now. */
async function canWrite(connection: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString: connection,
    application_name: 'risiti start',
    connectionTimeoutMillis: connectWithinMs,
  })
  client.on('error', () => {}) // the running statement fails too
  try {
    await client.connect()
    return await acceptsWrites(asQueryable(client))
  } finally {
    await client.end().catch(() => {})
  }
}
