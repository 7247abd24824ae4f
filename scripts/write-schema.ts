import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../server/src/platform/database/database.ts'
import { startEmbeddedPostgres } from '../server/src/platform/database/embedded-postgres.ts'
import { migrate } from '../server/src/platform/database/migrations.store.ts'
import { silentLogger } from '../server/src/platform/logger.ts'
import { hashFile, withNewHashes } from '../test/structure/migrations.ts'
import { readTree } from '../test/structure/source-tree.ts'
import { renderSchema } from './schema-text.ts'

/** Applies the migrations to an empty temporary PostgreSQL and prints its schema. */
async function schemaOfMigrations(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'risiti-schema-'))
  try {
    const postgres = await startEmbeddedPostgres({ dataDir: join(home, 'postgres'), durable: false })
    try {
      await migrate(postgres.url, silentLogger)
      const db = openDatabase({ connection: postgres.url })
      try {
        return await renderSchema(db)
      } finally {
        await db.end()
      }
    } finally {
      await postgres.stop()
    }
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

await writeFile(new URL('../db/schema.sql', import.meta.url), await schemaOfMigrations())

const hashes = new URL(`../${hashFile}`, import.meta.url)
await writeFile(hashes, withNewHashes(readTree(), await readFile(hashes, 'utf8')))
