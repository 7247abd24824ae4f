import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { prepareDashboard } from '../../server/src/bin/dashboard.ts'
import { bringUpToDate } from '../../server/src/platform/database/bring-up-to-date.ts'
import { startEmbeddedPostgres } from '../../server/src/platform/database/embedded-postgres.ts'
import { silentLogger } from '../../server/src/platform/logger.ts'
import { distribute } from '../../server/src/platform/sharding/distribution.store.ts'
import {
  type ClusterNode,
  closeTemplate,
  createClusterDatabase,
  dropDatabases,
  findCluster,
  runOnEach,
} from './citus-cluster.ts'
import { homePrefix, placeForDatabases } from './place-for-databases.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: { host: string; user: string; port: number }
    /** the workers of the Citus cluster on which the tests run; none on one PostgreSQL */
    workers: readonly ClusterNode[]
    /** the role of the service, which owns no tables */
    serviceRole: string
  }
}

export const templateName = 'risiti_template'
const serviceRole = 'risiti_app'
const defaultPrivileges = `alter default privileges grant select, insert, update, delete on tables to ${serviceRole}`

async function asAdmin(connection: pg.ClientConfig, statement: string): Promise<void> {
  const admin = new pg.Client(connection)
  await admin.connect()
  await admin.query(statement)
  await admin.end()
}

/** Makes the template on a Citus cluster, with distributed tables. Copies of a template on each server are databases of that cluster. */
async function setUpCluster(project: TestProject, cluster: string): Promise<() => Promise<void>> {
  const { user, nodes } = await findCluster(cluster)
  const [{ host, port }, ...workers] = nodes as [ClusterNode, ...ClusterNode[]]
  const urlOf = (as: string) => `postgresql://${as}@${host}:${port}/${templateName}`
  await runOnEach(nodes, user, 'postgres', [
    `do $$ begin if exists (select from pg_database where datname = '${templateName}') then alter database ${templateName} allow_connections true; end if; end $$`,
  ])
  await createClusterDatabase(nodes, user, templateName)
  await bringUpToDate({ owner: urlOf(user), service: urlOf(serviceRole), serviceRole }, silentLogger)
  await distribute(urlOf(user), () => {})
  await asAdmin({ host, port, user, database: templateName }, defaultPrivileges)
  await closeTemplate(nodes, user, templateName)
  project.provide('postgres', { host, user, port })
  project.provide('workers', workers)
  project.provide('serviceRole', serviceRole)
  return () => dropDatabases(nodes, user).then(() => {})
}

/**
 * Starts one PostgreSQL for the run, creates the template database that every test file copies, and builds the
 * dashboard once for all processes.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await prepareDashboard(() => {})
  const { CITUS_URL: cluster } = process.env
  if (cluster) return await setUpCluster(project, cluster)
  const home = await mkdtemp(join(await placeForDatabases(), homePrefix))
  const postgres = await startEmbeddedPostgres({
    dataDir: join(home, 'postgres'),
    durable: false,
    // Hundreds of databases live only for seconds, so autovacuum would be wasted. Their files are in memory: handing a read
    // on to another process would take longer than the read.
    settings: { max_connections: '300', autovacuum: 'off', max_prepared_transactions: '2', io_method: 'sync' },
  })
  const { host, user, port } = postgres.connection
  const urlOf = (as: string) => `postgresql://${as}@${encodeURIComponent(host)}:${port}/${templateName}`
  await asAdmin(postgres.connection, `create database ${templateName}`)
  await bringUpToDate({ owner: urlOf(user), service: urlOf(serviceRole), serviceRole }, silentLogger)
  // Tables that a test creates as owner must be usable by the service's role.
  await asAdmin({ ...postgres.connection, database: templateName }, defaultPrivileges)
  project.provide('postgres', { host, user, port })
  project.provide('workers', [])
  project.provide('serviceRole', serviceRole)
  return async () => {
    await postgres.stop()
    await rm(home, { recursive: true, force: true })
  }
}
