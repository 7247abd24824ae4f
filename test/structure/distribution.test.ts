import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../server/src/platform/database/database.ts'
import { createTestDatabase } from '../harness/database.ts'
import { readCatalogue } from './catalogue.ts'
import { checkPlaces, checkStatements, locksAcross, lookUpsToCome, placesOfTables } from './distribution.ts'
import { file, readTree } from './source-tree.ts'
import { whatIf } from './what-if.ts'

let db: Database
beforeAll(async () => {
  db = openDatabase({ connection: (await createTestDatabase()).owner })
})
afterAll(() => db.end())

const complaintsWith = async (statements: string) =>
  checkPlaces(await whatIf(db, statements, readCatalogue), placesOfTables, lookUpsToCome)

test('the check of tables finds planted violations', async () => {
  expect(
    await complaintsWith(`create table pets (id uuid primary key); comment on table pets is 'global: pets'`),
  ).toEqual(['pets: say where it stands, as reference or local'])
  expect(await complaintsWith('create unique index items_named_once on items (name)')).toEqual([
    'items_named_once is unique beyond one organisation, which no shard can hold',
  ])
  expect(await complaintsWith('drop table network_lookups')).toEqual([
    'network_lookups goes with its organisation, or is no table',
  ])
})

test('the check of statements finds planted violations', () => {
  const store = (text: string) => file('server/src/modules/pets/pets.store.ts', text)
  expect(checkStatements([store('select ctid from pets')], {})).toEqual([
    'server/src/modules/pets/pets.store.ts names ctid',
  ])
  const locking = store('select id from pets for update skip locked')
  expect(checkStatements([locking], {})).toEqual([
    'server/src/modules/pets/pets.store.ts locks rows across organisations',
  ])
  expect(checkStatements([locking], { [locking.path]: 'why' })).toEqual([])
  expect(checkStatements([], { [locking.path]: 'why' })).toHaveLength(1)
})

test('every table says where it would stand, and no statement does what cannot be distributed', async () => {
  expect(await complaintsWith('select 1')).toEqual([])
  expect(checkStatements(readTree(), locksAcross)).toEqual([])
})
