import { copyFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { migrate, migrationsDir } from '../../server/src/platform/database/migrations.store.ts'
import { grantRights } from '../../server/src/platform/database/service-rights.store.ts'
import { silentLogger } from '../../server/src/platform/logger.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'

/** A database as it was before a migration, such as `0017`, with the rights that the service had then. */
export async function createOlderDatabase(before: string): Promise<TestDatabase> {
  const database = await createTestDatabase({ isEmpty: true })
  const folder = await mkdtemp(join(tmpdir(), 'risiti-older-'))
  const owner = new pg.Client(database.owner.url)
  try {
    for (const name of await readdir(migrationsDir))
      if (name < before) await copyFile(join(migrationsDir, name), join(folder, name))
    await migrate(database.owner.url, silentLogger, folder)
    await owner.connect()
    await grantRights(owner, inject('serviceRole'))
  } finally {
    await owner.end()
    await rm(folder, { recursive: true })
  }
  return database
}

/** Runs the one migration whose name ends like this, such as `_what_counts.sql`, on a database that has it already. */
export async function runMigrationAgain(ownerUrl: string, ending: string): Promise<void> {
  const name = (await readdir(migrationsDir)).find((one) => one.endsWith(ending))
  if (!name) throw new Error(`there is no migration ${ending}`)
  const owner = new pg.Client(ownerUrl)
  try {
    await owner.connect()
    await owner.query(`begin; ${await readFile(join(migrationsDir, name), 'utf8')}; commit`)
  } finally {
    await owner.end()
  }
}
