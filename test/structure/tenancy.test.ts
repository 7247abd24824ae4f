import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../server/src/platform/database/database.ts'
import { createTestDatabase } from '../harness/database.ts'
import { readCatalogue, type TableFacts } from './catalogue.ts'
import { file, readTree } from './source-tree.ts'
import { storeFunctionsIn } from './store-functions.ts'
import { checkStores, checkTables, scopesOf, unscopedFunctions } from './tenancy.ts'
import { whatIf } from './what-if.ts'

let db: Database
let tables: TableFacts[]
beforeAll(async () => {
  db = openDatabase({ connection: (await createTestDatabase()).owner })
  tables = await readCatalogue(db)
})
afterAll(() => db.end())

const catalogueWith = (statements: string) => whatIf(db, statements, readCatalogue)

/** A table as it should be, for others to point at. */
const sound = `
  create table shops (organisation_id uuid not null, id uuid not null, tin text, primary key (organisation_id, id),
    unique (organisation_id, tin));
  comment on table shops is 'organisation: shops';
  create table planted (organisation_id uuid not null, mode text not null, id uuid not null, seller_id uuid not null,
    number text not null, primary key (organisation_id, mode, id), unique (organisation_id, mode, number),
    foreign key (organisation_id, seller_id) references shops (organisation_id, id));
  comment on table planted is 'tenant: planted';`

test.each([
  ['no comment', 'create table bad (id uuid primary key);', 'bad: its comment does not begin with'],
  [
    'a comment without a scope',
    `create table bad (id uuid primary key); comment on table bad is 'tenants: all';`,
    'bad: its comment does not begin with',
  ],
  [
    'a tenant table without its mode in front',
    `create table bad (organisation_id uuid, mode text not null, id uuid, primary key (organisation_id, id));
     comment on table bad is 'tenant: bad';`,
    'bad: its primary key does not begin with organisation_id, mode',
  ],
  [
    'an organisation table that leads with its id',
    `create table bad (organisation_id uuid, id uuid, primary key (id, organisation_id));
     comment on table bad is 'organisation: bad';`,
    'bad: its primary key does not begin with organisation_id',
  ],
  [
    'a reference by id alone',
    `alter table planted add unique (id);
     create table bad (organisation_id uuid, mode text, id uuid, invoice_id uuid references planted (id), primary key (organisation_id, mode, id));
     comment on table bad is 'tenant: bad';`,
    'bad: bad_invoice_id_fkey points at planted without organisation_id',
  ],
  [
    'a reference without the mode',
    `alter table planted add unique (organisation_id, id);
     create table bad (organisation_id uuid, id uuid, invoice_id uuid, primary key (organisation_id, id),
       constraint to_invoice foreign key (organisation_id, invoice_id) references planted (organisation_id, id));
     comment on table bad is 'organisation: bad';`,
    'bad: to_invoice points at planted without mode',
  ],
  [
    'a reference from another column',
    `create table bad (organisation_id uuid, mode text, parent_id uuid, seller_id uuid, primary key (organisation_id, mode, seller_id),
       constraint to_seller foreign key (parent_id, seller_id) references shops (organisation_id, id));
     comment on table bad is 'tenant: bad';`,
    'bad: to_seller points at shops without organisation_id',
  ],
  [
    'a number unique over all tenants',
    'create unique index planted_numbers on planted (number);',
    'planted.planted_numbers is unique over all organisations',
  ],
  [
    'an id unique over all tenants',
    'create unique index planted_ids on planted (id);',
    'planted.planted_ids is unique over all organisations',
  ],
  [
    'a number unique over both modes',
    'create unique index planted_numbers on planted (organisation_id, lower(number), mode);',
    'planted.planted_numbers is unique over all organisations',
  ],
])('the check of tables finds %s', async (_, statements, complaint) => {
  expect(checkTables(await catalogueWith(sound))).toEqual([])
  const complaints = checkTables(await catalogueWith(sound + statements))
  expect(complaints).toContainEqual(expect.stringContaining(complaint))
})

const scopes = new Map([
  ['users', 'global'],
  ['memberships', 'organisation'],
  ['shops', 'organisation'],
  ['invoices', 'tenant'],
] as const)
const complaintsAbout = (text: string, exceptions = {}) =>
  checkStores(storeFunctionsIn([file('server/src/modules/a/a.store.ts', text)]), scopes, exceptions)

test.each([
  ['no scope', 'export function find(db: Queryable, id: string) { return db.maybe(sql`select 1 from invoices`) }'],
  ['a function in a constant', 'export const find = (db: Queryable) => db.maybe(sql`select 1 from shops`)'],
  [
    'a join',
    'export function find(db: Queryable) { return db.maybe(sql`select 1 from users u join shops s on true`) }',
  ],
  ['no mode', 'export function find(db: Queryable, id: OrganisationId) { return db.run(sql`delete from invoices`) }'],
  ['a person', 'export function find(db: Queryable, id: UserId) { return db.run(sql`delete from shops`) }'],
  [
    'a piece',
    `const all = sql\`from invoices\`\nexport function find(db: Queryable) { return db.rows(sql\`select 1 \${all}\`) }`,
  ],
  [
    'a function behind it',
    'const all = (db: Queryable) => db.rows(sql`select 1 from shops`)\nexport const find = () => all()',
  ],
  ['an export by list', 'function find(db: Queryable) { return db.rows(sql`select 1 from shops`) }\nexport { find }'],
])('the check of stores finds %s', (_, text) => {
  expect(complaintsAbout(text)).toEqual([
    expect.stringMatching(/a\.store\.ts:\d a\.find reaches \w+ without being told/),
  ])
  expect(complaintsAbout(text, { 'a.find': 'a reason' })).toEqual([])
})

test('the check of stores finds exceptions that are not needed', () => {
  expect(complaintsAbout('', { gone: 'a reason' })).toEqual(['the exception for gone is not needed'])
})

test('the check of stores allows declared exceptions', () => {
  const body = (table: string) => `{ return db.rows(sql\`select 1 from ${table}\`) }`
  expect(
    complaintsAbout(`
      export function a(db: Queryable, tenant: Tenant) ${body('invoices')}
      export function b(db: Queryable, organisationId: OrganisationId, mode: Mode) ${body('invoices')}
      export function c(db: Queryable, organisationId: OrganisationId) ${body('shops')}
      export function d(db: Queryable, userId: UserId) ${body('memberships')}
      export function e(db: Queryable) ${body('users')}
      function inside(db: Queryable) ${body('shops')}`),
  ).toEqual([])
})

test('every table keeps to its scope', () => {
  expect(checkTables(tables)).toEqual([])
})

test('every store function gets the tenant whose rows it may touch', () => {
  expect(checkStores(storeFunctionsIn(readTree()), scopesOf(tables), unscopedFunctions)).toEqual([])
})
