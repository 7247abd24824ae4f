import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase } from '../../../../test/harness/database.ts'
import type { OrganisationId } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { type Database, openDatabase } from './database.ts'
import { joined, type Sql, sql } from './sql.ts'
import { matchesTenantText, matchesText } from './text-search.store.ts'

let db: Database
const one = { organisationId: '01900000-0000-7000-8000-000000000001' as OrganisationId, mode: 'sandbox' } as const
const other = { ...one, organisationId: '01900000-0000-7000-8000-000000000002' as OrganisationId }
const live = { ...one, mode: 'live' } as const
const rowsOfEach = 8_000

/** Texts of three words that look like names, and a number; the same in every tenant. */
const textAt = sql`
  (array['ade', 'olu', 'chi', 'nna', 'umo'])[n % 5 + 1] || (array['bayo', 'wale', 'nedu', 'emeka'])[n % 4 + 1] || ' '
  || (array['stores', 'ventures', 'farms'])[n % 3 + 1] || ' & ' || 'kx' || substr(md5(n::text), 1, 6) || chr(10) || (20000000 + n) || '-0001'`

beforeAll(async () => {
  db = openDatabase({ connection: (await createTestDatabase()).owner })
  await db.run(sql`create table plain_texts (n integer primary key, search text not null)`)
  await db.run(sql`insert into plain_texts select n, ${textAt} from generate_series(1, ${rowsOfEach}) as n`)
  await db.run(
    sql`create index plain_texts_search on plain_texts using gin (search gin_trgm_ops) with (fastupdate = off)`,
  )
  await db.run(sql`
    create table tenant_texts (organisation_id uuid not null, mode text not null, n integer not null, search text not null,
      search_keys integer[] not null generated always as (search_keys(organisation_id, mode, search_pieces(search))) stored,
      primary key (organisation_id, mode, n))`)
  for (const { organisationId, mode } of [one, other, live])
    await db.run(sql`
      insert into tenant_texts (organisation_id, mode, n, search)
      select ${organisationId}, ${mode}, n, ${textAt} from generate_series(1, ${rowsOfEach / 2}) as n`)
  await db.run(sql`create index tenant_texts_search on tenant_texts using gin (search_keys) with (fastupdate = off)`)
  await db.run(sql`analyze plain_texts`)
  await db.run(sql`analyze tenant_texts`)
})
afterAll(() => db.end())

const planOf = async (statement: Sql): Promise<string> => {
  const rows = await db.rows<Record<string, string>>(sql`explain ${statement}`)
  return rows.map((row) => Object.values(row)[0]).join('\n')
}
const allOf = sql`select n from plain_texts`
const inPlain = (words: string): Sql => sql`${allOf} where ${matchesText(sql`search`, words)}`
const inTenant = (tenant: Tenant, words: string): Sql =>
  sql`select n from tenant_texts where ${joined(
    [sql`organisation_id = ${tenant.organisationId}`, sql`mode = ${tenant.mode}`, matchesTenantText(tenant, words)],
    ' and ',
  )}`
const found = async (statement: Sql): Promise<number[]> =>
  (await db.rows<{ n: number }>(statement)).map(({ n }) => n).sort((a, b) => a - b)

describe('the search uses an index', () => {
  test.each(['kx1f', 'x1f', '20001234', '1234-0001', 'adebayo stores & kx1'])('for the words %j', async (words) => {
    for (const [statement, index] of [
      [inPlain(words), 'plain_texts_search'],
      [inTenant(one, words), 'tenant_texts_search'],
    ] as const) {
      const plan = await planOf(statement)
      expect(plan).toContain(`Bitmap Index Scan on ${index}`)
      expect(plan).not.toContain('Seq Scan')
    }
  })

  test.each(['qz', 'kx', '20'])('within a tenant for words that begin with %s', async (letters) => {
    const plan = await planOf(inTenant(one, letters))
    expect(plan).toContain('Bitmap Index Scan on tenant_texts_search')
    expect(plan).not.toContain('Seq Scan')
  })
})

/** What is found without any index, by the plainest means. */
async function byHand(words: string, most: number): Promise<number[]> {
  const rows = await db.rows<{ n: number; search: string }>(sql`select n, search from plain_texts where n <= ${most}`)
  const isWord = (letter: string | undefined) => letter !== undefined && /[\p{L}\p{N}_]/u.test(letter)
  const begins = (search: string) =>
    [...search].some((_, at) => search.startsWith(words, at) && !isWord(search[at - 1]))
  const asWord = words.length < 3 && isWord(words[0])
  return rows
    .filter(({ search }) => (asWord ? begins(search) : search.includes(words)))
    .map(({ n }) => n)
    .sort((a, b) => a - b)
}

test.each([
  'adebayo',
  'bayo st',
  'tores',
  'kx1',
  'x1',
  'kx',
  'st',
  'to',
  'a',
  '&',
  ' &',
  '& ',
  '-0',
  '%',
  '_',
  '___',
  '%s%',
  '.*',
  's\\',
  '0-0001',
  '20000007-0001',
  'stores\n2',
  'nobody at all',
])('the words %j find the same with and without an index', async (words) => {
  expect(await found(inPlain(words))).toEqual(await byHand(words, rowsOfEach))
  const expected = await byHand(words, rowsOfEach / 2)
  for (const tenant of [one, other, live]) expect(await found(inTenant(tenant, words))).toEqual(expected)
})

test('the search keys of a text differ between organisations and modes', async () => {
  const rows = await db.rows<{ organisationId: string; mode: string; searchKeys: number[] }>(
    sql`select organisation_id, mode, search_keys from tenant_texts where n = 7`,
  )
  const keys = rows.flatMap(({ searchKeys }) => searchKeys)
  expect(rows).toHaveLength(3)
  expect(new Set(keys).size, 'a chance meeting of one or two of them is no harm').toBeGreaterThan(keys.length - 3)
})

test('short texts, and letters beyond the basic plane, have search keys too', async () => {
  const keysOf = async (search: string) =>
    (
      await db.one<{ keys: number[] }>(
        sql`select search_keys(${one.organisationId}, 'live', search_pieces(${search})) as keys`,
      )
    ).keys
  expect(await keysOf('')).toEqual([])
  expect(await keysOf('x')).toEqual([])
  expect(await keysOf('xy')).toHaveLength(1)
  expect(await keysOf('🎉🎉🎉')).toHaveLength(1)
})
