import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { createOlderDatabase } from '../../../../test/harness/older-database.ts'
import { documentTo } from '../../../../test/harness/receivers.ts'
import { migrate, migrationsDir } from '../../platform/database/migrations.store.ts'
import { silentLogger } from '../../platform/logger.ts'

const organisationId = randomUUID()
const migrationOfClaims = async (): Promise<string> =>
  (await readdir(migrationsDir)).find((name) => name.endsWith('_input_tax_and_payment_of_received.sql')) ?? ''

interface Kept {
  readonly reference: string
  readonly type?: string
  readonly corrects?: readonly string[]
  readonly isClaimable?: boolean
  readonly repeatedAs?: readonly string[]
  readonly document: object | string
}

const taxes = (...amounts: readonly (readonly [id: string, tax: number])[]) => ({
  tax_total: [{ tax_subtotal: amounts.map(([id, tax_amount]) => ({ tax_amount, tax_category: { id } })) }],
})

const kept: readonly Kept[] = [
  { reference: 'A', document: documentTo('', taxes(['STANDARD_VAT', 75], ['TOURISM_TAX', 50])), repeatedAs: ['A2'] },
  { reference: 'B', document: documentTo('', taxes(['REDUCED_VAT', 10.5])) },
  { reference: 'F', isClaimable: false, document: documentTo('', taxes(['STANDARD_VAT', 75])) },
  { reference: 'N1', type: 'credit_note', corrects: ['A'], document: documentTo('', taxes(['STANDARD_VAT', 30])) },
  { reference: 'N2', type: 'credit_note', corrects: ['F'], document: documentTo('', taxes(['STANDARD_VAT', 75])) },
  { reference: 'N3', type: 'credit_note', corrects: ['B'], document: documentTo('', taxes(['STANDARD_VAT', 99])) },
  // What cannot be read claims nothing, and does not stop the migration.
  { reference: 'X', document: '{"tax_total":[{"tax_subtotal":[{"tax_amount":"1","tax_category":{"id":"\\u0000"}}]}]}' },
]

test('what was received before counts VAT alone, notes only against what counts, and fetches what was left out', async () => {
  const database = await createOlderDatabase(await migrationOfClaims())
  const client = new pg.Client(database.owner.url)
  try {
    await client.connect()
    await client.query(
      `insert into organisations (id, name, country, created_at, updated_at) values ($1, 'Eze Stores', 'NG', now(), now())`,
      [organisationId],
    )
    for (const { reference, type = 'standard', corrects = [], isClaimable, repeatedAs = [], document } of kept)
      await client.query(
        `insert into received_invoices (organisation_id, mode, id, reference, repeated_as, type, type_code, number, issue_date, currency,
           seller_tax_id_plain, seller_search, buyer_tax_id_normal, corrects, net_minor, tax_minor, payable_minor, payment_status, faults,
           is_claimable, claim_rule, claim_message, claim_until, document, search, received_at, acknowledge_at)
         values ($1, 'sandbox', $2, $3, $4, $5, '381', $3, '2026-11-10', 'NGN', '1', '', '2', $6, 100000, 12500, 112500, 'unpaid', '[]', $7, '',
           '', '2031-11-10', $8, '', now(), now())`,
        [
          organisationId,
          randomUUID(),
          reference,
          repeatedAs,
          type,
          corrects,
          isClaimable ?? type === 'standard',
          typeof document === 'string' ? document : JSON.stringify(document),
        ],
      )
    await client.query(
      `insert into received_references (country, mode, access, reference, is_open, due_at, seen_at)
       values ('NG', 'sandbox', 'installation', 'A2', false, now(), now()), ('NG', 'sandbox', 'installation', 'A', false, now(), now())`,
    )
    await migrate(database.owner.url, silentLogger)
    const { rows } = await client.query<{ reference: string; claimable: string; due: boolean }>(
      `select reference, claimable_minor::text as claimable, payment_check_at is not null as due from received_invoices order by reference`,
    )
    expect(Object.fromEntries(rows.map(({ reference, claimable }) => [reference, claimable]))).toEqual({
      A: '4500',
      B: '0',
      F: '0',
      N1: '0',
      N2: '0',
      N3: '0',
      X: '0',
    })
    expect(rows.every(({ due }) => due)).toBe(true)
    const figures = await client.query(
      `select sum(claimable_minor)::text as claimable, sum(count)::int as count from received_figures`,
    )
    expect(figures.rows).toEqual([{ claimable: '4500', count: kept.length }])
    const open = await client.query('select reference from received_references where is_open')
    expect(open.rows).toEqual([{ reference: 'A2' }])
  } finally {
    await client.end()
  }
})
