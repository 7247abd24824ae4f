import pg from 'pg'
import type { Logger } from '../logger.ts'
import { findPending, migrate } from './migrations.store.ts'
import { findClosedTables, findRole, grantRights, makeServiceRole } from './service-rights.store.ts'

/** The connections to the database. With a single one, its role owns the tables and also runs the service. */
export interface DatabaseAccess {
  readonly service: string
  /** the owner of the tables, if that is another role than the service's */
  readonly owner?: string | undefined
  /** a role to create for the service, if the owner is a superuser */
  readonly serviceRole?: string
}

/** A reason not to start, worded for the person who starts the service. */
export class MigrationsPending extends Error {
  override readonly name = 'MigrationsPending'
}

async function connected<Result>(connection: string, ask: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: connection, application_name: 'risiti migrate' })
  client.on('error', () => {}) // the running statement fails too
  await client.connect()
  try {
    return await ask(client)
  } finally {
    await client.end()
  }
}

/**
 * Applies missing migrations as the owner, and gives the service its rights. Without an owner's connection it only checks, and refuses to
 * start on a database that does not fit.
 */
export async function bringUpToDate({ service, owner, serviceRole }: DatabaseAccess, log: Logger): Promise<void> {
  if (owner !== undefined) {
    await migrate(owner, log)
    if (serviceRole !== undefined) await connected(owner, (client) => makeServiceRole(client, serviceRole))
    const role = serviceRole ?? (await connected(service, findRole))
    await connected(owner, async (client) => {
      if ((await findRole(client)) !== role) await grantRights(client, role)
    })
    return
  }
  const { pending, mayMigrate, closed } = await connected(service, async (client) => {
    const closed = await findClosedTables(client)
    // Without rights, the role cannot read which migrations were applied either.
    if (closed.length > 0) return { pending: [], mayMigrate: false, closed }
    const found = await findPending(client)
    return { ...found, closed }
  })
  const remedy = "Set MIGRATION_DATABASE_URL to the owner's connection and run: npm run migrate"
  if (closed.length > 0)
    throw new MigrationsPending(
      `The role of DATABASE_URL was given no rights to ${closed.length === 1 ? closed[0] : `${closed.length} tables, from ${closed[0]} on`}.\n${remedy}`,
    )
  if (pending.length === 0) return
  if (!mayMigrate)
    throw new MigrationsPending(
      `The database lacks ${pending.length === 1 ? pending[0] : `${pending.length} migrations, from ${pending[0]} on`}, and the role of DATABASE_URL may not make them.\n${remedy}`,
    )
  await migrate(service, log)
}
