import { afterAll, expect } from 'vitest'
import { nextDueDate } from '../../server/src/modules/invoices/listing/listing-columns.store.ts'
import { type Database, openDatabase } from '../../server/src/platform/database/database.ts'
import { sql } from '../../server/src/platform/database/sql.ts'
import { loadKeyRing } from '../../server/src/platform/secrets/key-file.ts'
import { createVault } from '../../server/src/platform/secrets/secrets.ts'
import { startTestApp } from './app.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { unfollowed } from './follow-lists.ts'
import { type Issuer, issuer } from './invoices.ts'
import { invoicesPath } from './issued.ts'
import { makeKeyFile, type ServerNode, until, withoutDemo } from './processes.ts'

/** A database with organisations that issue invoices, for servers in processes of their own. */
export interface Installation {
  readonly db: Database
  readonly database: TestDatabase
  /** start options of every server of this installation */
  readonly env: Record<string, string>
  readonly owners: readonly Issuer[]
}

const opened: Database[] = []
afterAll(() => Promise.all(opened.splice(0).map((db) => db.end())))

export async function install({ organisations }: { organisations: number }): Promise<Installation> {
  const database = await createTestDatabase()
  const SECRETS_FILE = await makeKeyFile()
  const vault = createVault(await loadKeyRing(SECRETS_FILE, { createIfMissing: false }))
  const app = await startTestApp({ database, vault })
  const owners = await Promise.all(Array.from({ length: organisations }, () => issuer(app)))
  await app.close()
  const db = openDatabase({ connection: database.url, applicationName: 'test' })
  opened.push(db)
  return { db, database, env: { DATABASE_URL: database.url, SECRETS_FILE, ...withoutDemo }, owners }
}

export const followed = (db: Database): Promise<void> =>
  until(async () => (await unfollowed(db)) === 0, 'lists that have followed')

/** Lists must show the exact number of all invoices and of filtered ones. */
export async function expectListed(
  db: Database,
  { a }: Pick<ServerNode, 'a'>,
  { token, organisationId }: Issuer,
): Promise<void> {
  const total = async (filter: string) => {
    const { status, body, text } = await a.get(`${invoicesPath}?limit=1${filter}`, { token })
    expect(status, text).toBe(200)
    return body.meta.pagination.total as number
  }
  const counted = await db.one<object>(sql`
    select count(*)::int as all, count(*) filter (where currency = 'NGN')::int as naira, count(*) filter (where status = 'draft')::int as drafts,
           count(*) filter (where currency = 'USD' and next_due_date >= '2026-03-01')::int as dollars
      from (select i.*, (${nextDueDate}) as next_due_date from invoices i) as i where organisation_id = ${organisationId}`)
  const listed = {
    all: await total(''),
    naira: await total('&currency=NGN'),
    drafts: await total('&status=draft'),
    dollars: await total('&currency=USD&dueDateFrom=2026-03-01'),
  }
  expect(listed).toEqual(counted)
}
