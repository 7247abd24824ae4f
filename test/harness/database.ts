import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

export interface TestDatabase {
  readonly host: string
  readonly user: string
  readonly port: number
  readonly database: string
  /** for other processes */
  readonly url: string
}

/** A database of one's own, copied from the migrated template; or empty, for what comes before. */
export async function createTestDatabase({ isEmpty = false } = {}): Promise<TestDatabase> {
  const server = inject('postgres')
  const database = `t_${randomBytes(8).toString('hex')}`
  const admin = new pg.Client({ ...server, database: 'postgres' })
  await admin.connect()
  try {
    await admin.query(`create database ${database} template ${isEmpty ? 'template0' : 'risiti_template'}`)
  } finally {
    await admin.end()
  }
  return {
    ...server,
    database,
    url: `postgresql://${server.user}@${encodeURIComponent(server.host)}:${server.port}/${database}`,
  }
}
