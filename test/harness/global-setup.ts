import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { prepareDashboard } from '../../server/src/bin/dashboard.ts'
import { bringUpToDate } from '../../server/src/platform/database/bring-up-to-date.ts'
import { startEmbeddedPostgres } from '../../server/src/platform/database/embedded-postgres.ts'
import { silentLogger } from '../../server/src/platform/logger.ts'
import { homePrefix, placeForDatabases } from './place-for-databases.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: { host: string; user: string; port: number }
    /** the role of the service, which owns no tables */
    serviceRole: string
  }
}

export const templateName = 'risiti_template'
const serviceRole = 'risiti_app'

async function asAdmin(connection: pg.ClientConfig, statement: string): Promise<void> {
  const admin = new pg.Client(connection)
  await admin.connect()
  await admin.query(statement)
  await admin.end()
}

/**
 * Starts one PostgreSQL for the run, creates the template database that every test file copies, and builds the
 * dashboard once for all processes.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await prepareDashboard(() => {})
  const home = await mkdtemp(join(await placeForDatabases(), homePrefix))
  const postgres = await startEmbeddedPostgres({
    dataDir: join(home, 'postgres'),
    durable: false,
    // Hundreds of databases live only for seconds, so autovacuum would be wasted.
    settings: { max_connections: '300', autovacuum: 'off', max_prepared_transactions: '2' },
  })
  const { host, user, port } = postgres.connection
  const urlOf = (as: string) => `postgresql://${as}@${encodeURIComponent(host)}:${port}/${templateName}`
  await asAdmin(postgres.connection, `create database ${templateName}`)
  await bringUpToDate({ owner: urlOf(user), service: urlOf(serviceRole), serviceRole }, silentLogger)
  // Tables that a test creates as owner must be usable by the service's role.
  await asAdmin(
    { ...postgres.connection, database: templateName },
    `alter default privileges grant select, insert, update, delete on tables to ${serviceRole}`,
  )
  project.provide('postgres', { host, user, port })
  project.provide('serviceRole', serviceRole)
  return async () => {
    await postgres.stop()
    await rm(home, { recursive: true, force: true })
  }
}
