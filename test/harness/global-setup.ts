import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../../server/src/platform/database/embedded-postgres.ts'
import { migrate } from '../../server/src/platform/database/migrations.store.ts'
import { silentLogger } from '../../server/src/platform/logger.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: { host: string; user: string; port: number }
  }
}

export const templateName = 'risiti_template'

/** One PostgreSQL for the whole run, and one migrated database that every test file copies. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const home = await mkdtemp(join(tmpdir(), 'risiti-test-'))
  const postgres = await startEmbeddedPostgres({
    dataDir: join(home, 'postgres'),
    durable: false,
    settings: { max_connections: '300' },
  })
  const { host, user, port } = postgres.connection
  const admin = new pg.Client(postgres.connection)
  await admin.connect()
  await admin.query(`create database ${templateName}`)
  await admin.end()
  await migrate({ host, user, port, database: templateName }, silentLogger)
  project.provide('postgres', { host, user, port })
  return async () => {
    await postgres.stop()
    await rm(home, { recursive: true, force: true })
  }
}
