import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../server/src/platform/database/database.ts'
import { distributedTables, localTables, referenceTables } from '../../server/src/platform/sharding/table-places.ts'
import { createTestDatabase } from '../harness/database.ts'
import { readCatalogue } from './catalogue.ts'
import {
  checkCopies,
  checkPlaces,
  checkReasons,
  checkStatements,
  decision,
  distributionIn,
  locksAcross,
} from './distribution.ts'
import { file, readCommitted, readTree } from './source-tree.ts'
import { whatIf } from './what-if.ts'

let db: Database
beforeAll(async () => {
  db = openDatabase({ connection: (await createTestDatabase()).owner })
})
afterAll(() => db.end())

const text = readCommitted(decision)
const complaintsWith = async (statements: string, markdown = text) =>
  checkPlaces(await whatIf(db, statements, readCatalogue), distributionIn(markdown))

test('the check of tables finds planted violations', async () => {
  const ofPets = `create table pets (id uuid primary key); comment on table pets is 'global: pets'`
  expect(await complaintsWith(ofPets)).toEqual([`pets: say in ${decision} where it stands`])
  expect(await complaintsWith(ofPets, `${text}\n| local | \`pets\` | why |`)).toEqual([])
  expect(await complaintsWith(ofPets, `${text}\n| distributed | \`pets\` | why |`)).toEqual([
    'pets belongs to nobody by whom to distribute it',
  ])
  expect(await complaintsWith('select 1', `${text}\n| local | \`items\` | why |`)).toEqual([
    'items stands in more than one place',
  ])
  expect(await complaintsWith('select 1', `${text.replace('`items`, ', '')}\n| local | \`items\` | why |`)).toEqual([
    'items goes with its organisation',
  ])
  for (const column of ['id', 'name'])
    expect(await complaintsWith(`create unique index items_once on items (${column})`)).toEqual([
      'items_once is unique beyond one organisation, which no shard can hold',
    ])
  expect(await complaintsWith('drop table network_lookups')).toEqual(['network_lookups is no table'])
})

const distribution = distributionIn('| distributed | `pets`, `owners` | |\n| local | `queue` | |')
const store = (body: string) => file('server/src/modules/pets/pets.store.ts', body)
/** `<one>` is a value that is put in. */
const locking = (statement: string) =>
  store(`const within = (one) => sql\`organisation_id = \${one.id}\`
export const take = () => sql\`${statement.replaceAll(/<([\w()]+)>/g, (_, put) => `\${${put}}`)}\``)
const complaintsAbout = (statement: string, known = {}) => checkStatements([locking(statement)], distribution, known)

test.each([
  'select id from pets for update skip locked',
  'select id from pets where id = <id> for update',
  'select id from pets where id = any (<ids>) for no key update',
  'select id from pets order by id for share',
  'select id from pets for\n  key share',
  'select p.id from asked a join pets p on p.organisation_id = a.organisation_id for no key update of p',
  'select from owners o join pets p using (id) where o.organisation_id = <one> for update of p',
  'select from queue q join pets p using (id) where q.organisation_id = <one> for update',
  'update pets set id = 1 from (select id from pets for update) as p where organisation_id = <one>',
  'select from pets where id in (select id from owners where organisation_id = <one>) for update',
  'select from queue cross join lateral (select from pets p where p.organisation_id = queue.organisation_id for share) as p',
])('the check of statements finds a lock across organisations: %s', (statement) => {
  expect(complaintsAbout(statement)).toEqual([
    'server/src/modules/pets/pets.store.ts:2 pets.take locks rows across organisations',
  ])
  expect(complaintsAbout(statement, { 'pets.take': 'why' })).toEqual([])
})

test.each([
  'select id from pets where organisation_id = <one> and id = <id> for update',
  'select id from pets where <within(tenant)> and id = <id> for update',
  'select p.id from asked a join pets p on p.organisation_id = <one> for no key update of p',
  'with p as (select id from pets where organisation_id = <one> for share) select from p join owners using (id)',
  'select id from queue where due_at <= now() for update skip locked',
  'select id from pets',
])('the check of statements lets pass: %s', (statement) => {
  expect(complaintsAbout(statement)).toEqual([])
  expect(complaintsAbout(statement, { 'pets.take': 'why' })).toEqual(['pets.take locks nothing across organisations'])
})

test('the check of statements finds row positions, and locks that it cannot parse', () => {
  expect(checkStatements([store('select ctid from pets')], distribution, {})).toEqual([
    'server/src/modules/pets/pets.store.ts names ctid',
  ])
  expect(complaintsAbout('select id from <elsewhere> where organisation_id = <one> for update')).toEqual([
    'server/src/modules/pets/pets.store.ts:2 pets.take locks rows of a table that is not named there',
  ])
})

test('the check of reasons finds a lock without one', () => {
  const statement = 'export const take = () => sql`select from pets for update`'
  const complaint = expect.stringContaining('pets.take: say above it why `for update`')
  expect(checkReasons([store(statement)])).toEqual([complaint])
  expect(checkReasons([store(`/** Takes a pet. */\n${statement}`)])).toEqual([complaint])
  expect(checkReasons([store(`/** \`for update\`, because it goes. */\n${statement}`)])).toEqual([])
  expect(checkReasons([store(statement.replace('for', 'for no key'))])).toEqual([])
})

test('the program and the decision name the same places', () => {
  const inProgram = Object.entries({
    distributed: distributedTables,
    reference: referenceTables,
    local: localTables,
  }).flatMap(([place, names]) => names.map((name) => ({ name, place })))
  expect(distributionIn(text)).toEqual(inProgram)
})

test('every table states its distribution key, and every statement can be distributed', async () => {
  expect(await complaintsWith('select 1')).toEqual([])
  expect(checkStatements(readTree(), distributionIn(text), locksAcross)).toEqual([])
})

test('every lock that blocks foreign keys states its reason', () => {
  expect(checkReasons(readTree())).toEqual([])
})

test('a statement that writes a reference table names no local table', () => {
  const said = distributionIn('| reference | `people` | |\n| local | `codes` | |\n| distributed | `pets` | |')
  const complaintsAbout = (statement: string) => checkCopies([store(`const take = () => sql\`${statement}\``)], said)
  const both = 'with gone as (delete from codes where id = 1) update people set code = null where id = 1'
  expect(complaintsAbout(both)).toEqual([
    'server/src/modules/pets/pets.store.ts:1 writes people and names codes: use two statements',
  ])
  expect(complaintsAbout(both.replace('codes', 'pets'))).toEqual([])
  expect(complaintsAbout('insert into codes select id from people')).toEqual([])
  expect(checkCopies(readTree(), distributionIn(text))).toEqual([])
})
