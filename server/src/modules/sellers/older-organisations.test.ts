import { randomBytes, randomUUID } from 'node:crypto'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { migrate } from '../../platform/database/migrations.store.ts'
import { silentLogger } from '../../platform/logger.ts'

const migrations = join(import.meta.dirname, '../../../../db/migrations')

/** A folder with the migrations before the one named. */
async function migrationsBefore(first: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'risiti-older-'))
  for (const name of await readdir(migrations)) if (name < first) await cp(join(migrations, name), join(folder, name))
  return folder
}

test.each([
  ['are older than sellers', '0009'],
  ['were left without one', '0071'],
])('organisations that %s get theirs, with the tax number where it is one', async (_, before) => {
  const server = inject('postgres')
  const database = `t_${randomBytes(8).toString('hex')}`
  const admin = new pg.Client({ ...server, database: 'postgres' })
  await admin.connect()
  await admin.query(`create database ${database}`)
  await admin.end()
  const older = await migrationsBefore(before)
  const client = new pg.Client({ ...server, database })
  try {
    await migrate({ ...server, database }, silentLogger, older)
    await client.connect()
    for (const [name, taxNumber] of [
      ['Bello Foods', '20411873-0001'],
      ['Olúmídé', null],
      ['Odd Ltd', 'none yet'],
    ])
      await client.query(
        `insert into organisations (id, name, country, tax_number, created_at, updated_at) values ($1, $2, 'NG', $3, now(), now())`,
        [randomUUID(), name, taxNumber],
      )
    await migrate({ ...server, database }, silentLogger)
    const { rows } = await client.query(
      'select name, is_primary, tax_id, tax_id_normal, search from sellers order by name',
    )
    expect(rows).toEqual([
      {
        name: 'Bello Foods',
        is_primary: true,
        tax_id: '20411873-0001',
        tax_id_normal: '204118730001',
        search: 'bello foods\n20411873-0001\n204118730001',
      },
      { name: 'Odd Ltd', is_primary: true, tax_id: null, tax_id_normal: null, search: 'odd ltd' },
      { name: 'Olúmídé', is_primary: true, tax_id: null, tax_id_normal: null, search: 'olumide' },
    ])
  } finally {
    await client.end()
    await rm(older, { recursive: true, force: true })
  }
})
