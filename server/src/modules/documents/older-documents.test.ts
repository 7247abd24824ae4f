import { hash, randomBytes, randomUUID } from 'node:crypto'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { pngLogo } from '../../../../test/harness/pictures.ts'
import { migrate } from '../../platform/database/migrations.store.ts'
import { silentLogger } from '../../platform/logger.ts'

const migrations = join(import.meta.dirname, '../../../../db/migrations')

/** A folder with the migrations before documents kept their letterhead. */
async function olderMigrations(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'risiti-older-'))
  const names = (await readdir(migrations)).sort()
  const since = names.findIndex((name) => name.endsWith('_frozen_letterheads.sql'))
  for (const name of names.slice(0, since)) await cp(join(migrations, name), join(folder, name))
  return folder
}

const bank = { bankName: 'Harmattan Bank', accountName: 'Eze Stores', accountNumber: '0123456789' }
const logo = pngLogo()
const logoHash = hash('sha256', Buffer.from(logo.base64, 'base64'))

test('what was issued before documents kept their letterhead keeps that of the day of the update', async () => {
  const server = inject('postgres')
  const database = `t_${randomBytes(8).toString('hex')}`
  const admin = new pg.Client({ ...server, database: 'postgres' })
  await admin.connect()
  await admin.query(`create database ${database}`)
  await admin.end()
  const older = await olderMigrations()
  const client = new pg.Client({ ...server, database })
  try {
    await migrate({ ...server, database }, silentLogger, older)
    await client.connect()
    const [dressed, plain] = [randomUUID(), randomUUID()]
    for (const id of [dressed, plain]) {
      await client.query(
        `insert into organisations (id, name, country, created_at, updated_at) values ($1, 'Eze', 'NG', now(), now())`,
        [id],
      )
      for (const status of ['draft', 'finalised', 'accepted']) {
        const invoice = randomUUID()
        await client.query(
          `insert into invoices (organisation_id, mode, id, number, type, kind, status, issue_date, currency, lines, tax_groups, net_minor,
                                 allowance_minor, charge_minor, tax_minor, payable_minor, finalised_at, created_by_type, created_at, updated_at)
           values ($1, 'live', $2, $2::uuid::text, 'standard', 'B2C', $3::text, '2026-11-02', 'NGN', '[]', '[]', 0, 0, 0, 0, 0,
                   case when $3 = 'draft' then null else now() end, 'system', now(), now())`,
          [id, invoice, status],
        )
        if (status !== 'draft')
          await client.query(`insert into issued_parties (organisation_id, mode, invoice_id) values ($1, 'live', $2)`, [
            id,
            invoice,
          ])
      }
    }
    await client.query('insert into letterheads (organisation_id, logo, bank, updated_at) values ($1, $2, $3, now())', [
      dressed,
      logo,
      bank,
    ])
    await migrate({ ...server, database }, silentLogger)
    const { rows } = await client.query(
      `select i.status, i.letterhead_copy, p.logo_hash from invoices i left join issued_parties p on p.invoice_id = i.id
        order by i.organisation_id = $1 desc, i.finalised_at is not null, i.status`,
      [dressed],
    )
    const [own, none] = [
      { letterhead_copy: { bank, logo: logoHash }, logo_hash: logoHash },
      { letterhead_copy: { bank: null, logo: null }, logo_hash: null },
    ]
    const draft = { status: 'draft', letterhead_copy: null, logo_hash: null }
    expect(rows).toEqual([
      draft,
      { status: 'accepted', ...own },
      { status: 'finalised', ...own },
      draft,
      { status: 'accepted', ...none },
      { status: 'finalised', ...none },
    ])
    const kept = await client.query('select organisation_id, hash, content_type, bytes from logos')
    expect(kept.rows).toEqual([
      {
        organisation_id: dressed,
        hash: logoHash,
        content_type: 'image/png',
        bytes: Buffer.from(logo.base64, 'base64'),
      },
    ])
    expect((await client.query('select logo_hash, bank from letterheads')).rows).toEqual([
      { logo_hash: logoHash, bank },
    ])
  } finally {
    await client.end()
    await rm(older, { recursive: true, force: true })
  }
})
