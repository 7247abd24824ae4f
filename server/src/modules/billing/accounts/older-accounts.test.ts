import { randomBytes, randomUUID } from 'node:crypto'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { systemRole } from '../../../kernel/roles.ts'
import { migrate } from '../../../platform/database/migrations.store.ts'
import { silentLogger } from '../../../platform/logger.ts'

const migrations = join(import.meta.dirname, '../../../../../db/migrations')

/** A folder with the migrations before free credits were claimed. */
async function olderMigrations(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'risiti-older-'))
  const names = (await readdir(migrations)).sort()
  const first = names.findIndex((name) => name.endsWith('_free_credits.sql'))
  for (const name of names.slice(0, first)) await cp(join(migrations, name), join(folder, name))
  return folder
}

test('organisations from before free credits were claimed have had theirs, and so have founders and numbers', async () => {
  const server = inject('postgres')
  const database = `t_${randomBytes(8).toString('hex')}`
  const admin = new pg.Client({ ...server, database: 'postgres' })
  await admin.connect()
  await admin.query(`create database ${database}`)
  await admin.end()
  const older = await olderMigrations()
  const client = new pg.Client({ ...server, database })
  const ids = { ada: randomUUID(), bayo: randomUUID(), first: randomUUID(), second: randomUUID(), bare: randomUUID() }
  try {
    await migrate({ ...server, database }, silentLogger, older)
    await client.connect()
    const insert = (table: string, row: Record<string, unknown>) => {
      const names = Object.keys(row)
      return client.query(
        `insert into ${table} (${names.join(', ')}) values (${names.map((_, at) => `$${at + 1}`).join(', ')})`,
        Object.values(row),
      )
    }
    const day = (number: number) => new Date(Date.UTC(2026, 0, number))
    for (const id of [ids.ada, ids.bayo])
      await insert('users', {
        id,
        email: `${id}@example.test`,
        password_hash: '',
        first_name: 'A',
        last_name: 'B',
        created_at: day(1),
        updated_at: day(1),
      })
    const join = (organisation_id: string, user_id: string, at: number) =>
      insert('memberships', { organisation_id, user_id, role_id: systemRole('OWNER').id, joined_at: day(at) })
    for (const [at, id] of [ids.first, ids.second, ids.bare].entries())
      await insert('organisations', { id, name: 'N', country: 'NG', created_at: day(at + 1), updated_at: day(at + 1) })
    await join(ids.first, ids.ada, 1)
    await join(ids.second, ids.ada, 2)
    // Whoever came later did not make it.
    await join(ids.second, ids.bayo, 9)
    await join(ids.bare, ids.bayo, 9)
    for (const [at, organisation_id] of [ids.first, ids.second, ids.bare].entries())
      await insert('billing_accounts', { organisation_id, id: randomUUID(), opened_at: day(at + 1) })
    const seller = randomUUID()
    await insert('sellers', {
      organisation_id: ids.second,
      id: seller,
      is_primary: true,
      name: 'N',
      party_type: 'company',
      search: '',
      created_at: day(2),
      updated_at: day(2),
    })
    for (const [mode, status, number] of [
      ['live', 'verified', '100000000001'],
      ['live', 'not_found', '200000000001'],
      ['sandbox', 'verified', '300000000001'],
    ])
      await insert('tax_number_checks', {
        organisation_id: ids.second,
        mode,
        id: randomUUID(),
        party: 'seller',
        party_id: seller,
        tax_id: number,
        tax_id_normal: number,
        tax_id_type: 'tin',
        party_name: 'N',
        status,
        started_at: day(3),
        ended_at: day(3),
      })
    await migrate({ ...server, database }, silentLogger)
    const founders = await client.query('select id, founded_by from organisations order by created_at')
    expect(founders.rows).toEqual([
      { id: ids.first, founded_by: ids.ada },
      { id: ids.second, founded_by: ids.ada },
      { id: ids.bare, founded_by: null },
    ])
    const claims = await client.query('select claim, organisation_id from free_credit_claims order by claim')
    expect(claims.rows).toEqual([
      { claim: `person:${ids.ada}`, organisation_id: ids.first },
      { claim: 'tax-number:NG:100000000001', organisation_id: ids.second },
    ])
  } finally {
    await client.end()
    await rm(older, { recursive: true, force: true })
  }
})
