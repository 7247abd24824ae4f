import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

export interface DatabaseLogin {
  readonly host: string
  readonly user: string
  readonly port: number
  readonly database: string
  /** for other processes */
  readonly url: string
}

/** As the service sees it, with the rights that it has in production. */
export interface TestDatabase extends DatabaseLogin {
  /** for tests that change tables, or plant what the service itself may not write */
  readonly owner: DatabaseLogin
}

const loginTo = (database: string, { user, host, port }: Pick<DatabaseLogin, 'user' | 'host' | 'port'>) => ({
  host,
  port,
  user,
  database,
  url: `postgresql://${user}@${encodeURIComponent(host)}:${port}/${database}`,
})

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
  return { ...loginTo(database, { ...server, user: inject('serviceRole') }), owner: loginTo(database, server) }
}
