import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { settingsOf } from '../../server/src/platform/sharding/distribution.store.ts'
import { createClusterDatabase, runOnEach } from './citus-cluster.ts'

export interface DatabaseLogin {
  readonly host: string
  readonly user: string
  readonly port: number
  readonly database: string
  /** for other processes */
  readonly url: string
}

/** A database with the rights that the service has in production. */
export interface TestDatabase extends DatabaseLogin {
  /** for tests that change tables or insert rows that the service may not write */
  readonly owner: DatabaseLogin
}

const loginTo = (database: string, { user, host, port }: Pick<DatabaseLogin, 'user' | 'host' | 'port'>) => ({
  host,
  port,
  user,
  database,
  url: `postgresql://${user}@${encodeURIComponent(host)}:${port}/${database}`,
})

const newName = () => `t_${randomBytes(8).toString('hex')}`

/** Creates a database on every server of the cluster. Its coordinator knows the workers, and it has no tables. */
export async function createEmptyClusterDatabase(): Promise<TestDatabase> {
  const server = inject('postgres')
  const database = newName()
  await createClusterDatabase([server, ...inject('workers')], server.user, database)
  return { ...loginTo(database, { ...server, user: inject('serviceRole') }), owner: loginTo(database, server) }
}

/** Creates a database for one test file: a copy of the migrated template, or an empty one. */
export async function createTestDatabase({ isEmpty = false } = {}): Promise<TestDatabase> {
  const server = inject('postgres')
  const database = newName()
  // Copying files takes a third of the time of the default, which logs every page.
  const template = isEmpty ? 'template0' : 'risiti_template'
  const workers = isEmpty ? [] : inject('workers')
  await runOnEach([server, ...workers], server.user, 'postgres', [
    `create database ${database} template ${template} strategy file_copy`,
    ...(workers.length > 0 ? settingsOf(database) : []),
  ])
  return { ...loginTo(database, { ...server, user: inject('serviceRole') }), owner: loginTo(database, server) }
}
