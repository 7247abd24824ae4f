import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from '../logger.ts'
import { acceptsWrites } from './connections.store.ts'
import { asQueryable } from './database.ts'

/** One line in the log every half minute, at one look a second. */
const looksBetweenWarnings = 30

/** Waits until the server accepts writes. A standby does so once it is promoted. */
export async function untilWritable(connection: string, log: Logger, pauseMs = 1_000): Promise<void> {
  for (let looks = 0; !(await canWrite(connection)); looks++) {
    if (looks % looksBetweenWarnings === 0)
      log.warn('database.read_only', { reason: 'The database accepts no writes. The start waits until it does.' })
    await wait(pauseMs)
  }
}

/** Each look has a connection of its own, which may lead to another server by now. */
async function canWrite(connection: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: connection, application_name: 'risiti start' })
  client.on('error', () => {}) // the running statement fails too
  await client.connect()
  try {
    return await acceptsWrites(asQueryable(client))
  } finally {
    await client.end()
  }
}
