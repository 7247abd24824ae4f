import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { explain } from '../../server/src/bin/explain.ts'
import { openRuntime } from '../../server/src/bin/runtime.ts'
import { readServiceConfig } from '../../server/src/bin/service-config.ts'
import { bringUpToDate } from '../../server/src/platform/database/bring-up-to-date.ts'
import { silentLogger } from '../../server/src/platform/logger.ts'
import { createVault } from '../../server/src/platform/secrets/secrets.ts'
import { distribute, NotDistributable } from '../../server/src/platform/sharding/distribution.store.ts'
import { distributedTables, referenceTables } from '../../server/src/platform/sharding/table-places.ts'
import { password, startTestApp } from '../harness/app.ts'
import { createEmptyClusterDatabase, createTestDatabase, type TestDatabase } from '../harness/database.ts'
import { invoicesPath, ok } from '../harness/issued.ts'
import { launch, makeHome, makeKeyFile, until } from '../harness/processes.ts'
import { insertData, listTables, migrateTo, readData, type StoredRow } from '../upgrades/data-of-100.ts'

/** The last migration before the first distribution. All later ones run on distributed tables. */
const before = '0017'

const clients: pg.Client[] = []
afterAll(() => Promise.all(clients.map((client) => client.end())))
async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  await client.connect()
  clients.push(client)
  return client
}

let database: TestDatabase
let owner: pg.Client
let rows: readonly StoredRow[]
const rowsOf = (table: string) => rows.filter(([name]) => name === table).map(([, row]) => row)

beforeAll(async () => {
  // The events of 1.0.0 are not held to the schemas of today.
  rows = (await readData()).map(([table, row]) => [table, table === 'events' ? { ...row, request_id: 'test' } : row])
  database = await createEmptyClusterDatabase()
  owner = await connect(database.owner.url)
  await migrateTo(database.owner.url, '0001')
  await insertData(owner, rows)
  await migrateTo(database.owner.url, before)
})

const lines = (client: pg.Client, query: string): Promise<string[]> =>
  client.query<{ line: string }>(query).then((found) => found.rows.map(({ line }) => line))

/** The coordinator keeps the shards of some tables beside them. */
const isShard = `conrelid::regclass::text ~ '_[0-9]{6,}$'`

/** Places of tables, foreign keys, triggers, and settings of the database. */
const readState = async () => ({
  places: await lines(
    owner,
    `select format('%s %s%s', logicalrelid, partmethod, repmodel) as line from pg_dist_partition order by 1`,
  ),
  keys: await lines(
    owner,
    `select format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as line
       from pg_constraint
      where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace and not ${isShard} order by 1`,
  ),
  triggers: await lines(
    owner,
    `select pg_get_triggerdef(oid) as line from (select *, tgrelid as conrelid from pg_trigger) as t
      where not tgisinternal and tgparentid = 0 and tgname not in ('in_two_phases', 'truncate_trigger') and not ${isShard} order by 1`,
  ),
  settings: await lines(
    owner,
    `select unnest(setconfig) as line from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase
      where d.datname = current_database() order by 1`,
  ),
})

async function readRows(tables: readonly string[]): Promise<Record<string, string[]>> {
  const stored: Record<string, string[]> = {}
  for (const table of tables) {
    const { rows: found } = await owner.query(`select * from ${table}`)
    stored[table] = found.map((row) => JSON.stringify(row)).toSorted()
  }
  return stored
}

/** What the operator reads of a start that fails. */
async function refusedStart(): Promise<string> {
  const env = { DATABASE_URL: database.url, SECRETS_FILE: await makeKeyFile(), DATA_DIR: await makeHome() }
  return await openRuntime(readServiceConfig(env, []), silentLogger).then(async ({ close }) => {
    await close()
    expect.fail('the start was not refused')
  }, explain)
}

const progress =
  /^(\d+ foreign keys are taken away until the tables have moved|(copying \w+ to every server|distributing \w+|checking \w+) \(\d+ of \d+\))$/

test('a run that is killed changes nothing', async () => {
  const [state, tables] = [await readState(), await listTables(owner)]
  const stored = await readRows(tables)
  expect(state.places).toEqual([])
  const env = { DATABASE_URL: database.owner.url, SECRETS_FILE: await makeKeyFile() }
  const run = await launch({ command: 'citus-distribute', env })
  await run.said(/^checking /m)
  await run.kill()
  await until(async () => {
    const { rowCount } = await owner.query(
      `select from pg_stat_activity where application_name = 'risiti distribute' and datname = current_database()`,
    )
    return rowCount === 0
  }, 'the end of the transaction')
  expect(await readState()).toEqual(state)
  expect(await listTables(owner)).toEqual(tables)
  expect(await readRows(tables)).toEqual(stored)
})

test('an installation with data is distributed without loss, and a second run moves nothing', async () => {
  const tables = await listTables(owner)
  const [stored, { keys, triggers }] = [await readRows(tables), await readState()]
  expect(stored.invoices).toHaveLength(rowsOf('invoices').length)
  const said: string[] = []
  const { moved, alreadyThere } = await distribute(database.owner.url, (line) => said.push(line))
  const wanted = [...referenceTables, ...distributedTables].filter((table) => tables.includes(table))
  expect(moved.map(({ table }) => table)).toEqual(wanted)
  expect(alreadyThere).toBe(0)
  expect(said.filter((line) => !progress.test(line))).toEqual([])
  for (const { table, place } of moved)
    expect(
      said.filter((line) => line.startsWith(`${place === 'reference' ? 'copying' : 'distributing'} ${table} `)),
    ).toHaveLength(1)

  const state = await readState()
  expect(state).toMatchObject({ keys, triggers })
  expect(await readRows(tables)).toEqual(stored)
  const again = await distribute(database.owner.url, () => {})
  expect(again).toEqual({ moved: [], alreadyThere: wanted.length })
  expect(await readState()).toEqual(state)
  expect(await readRows(tables)).toEqual(stored)
})

test('later migrations run on distributed tables, and no node starts before their tables are distributed', async () => {
  const tables = await listTables(owner)
  const access = { owner: database.owner.url, service: database.url, serviceRole: inject('serviceRole') }
  await bringUpToDate(access, silentLogger)
  const added = (await listTables(owner)).filter((table) => !tables.includes(table))
  const wanted = [...referenceTables, ...distributedTables].filter((table) => added.includes(table))
  expect(wanted).not.toEqual([])
  const why = await refusedStart()
  expect(why).toMatch(/^\d+ tables \(such as \w+\) are not set up for the Citus cluster\.\n/)
  expect(why).toContain('npm run citus:distribute')

  const { moved } = await distribute(database.owner.url, () => {})
  expect(moved.map(({ table }) => table)).toEqual(wanted)
  // The key file is a new one, and the start would accept it.
  const env = { DATABASE_URL: database.url, SECRETS_FILE: await makeKeyFile(), DATA_DIR: await makeHome() }
  const { close } = await openRuntime(readServiceConfig(env, []), silentLogger)
  await close()
})

test('a node does not start while a local table commits on its own', async () => {
  await owner.query('drop trigger in_two_phases on jobs')
  expect(await refusedStart()).toContain('The table jobs is not set up for the Citus cluster')
  await distribute(database.owner.url, () => {})
})

test('the installation works on its distributed tables', async () => {
  const vault = createVault({ active: 'k1', keys: new Map([['k1', Buffer.alloc(32, 1)]]) })
  const { a, quiet, close } = await startTestApp({ database, vault, now: '2026-11-18T09:00:00Z' })
  try {
    const [user] = rowsOf('users')
    const { accessToken: token } = ok(await a.post('/a/v1/auth/login', { body: { email: user?.email, password } }))
    for (const { id, status } of rowsOf('invoices'))
      expect(ok(await a.get(`${invoicesPath}/${id}`, { token }))).toMatchObject({ id, status })
    const [buyer] = rowsOf('buyers')
    const line = { description: 'Rent', hsnCode: '2523.29', unitCode: 'XBG', quantity: 1, unitPrice: 5 }
    const facts = { invoiceKind: 'B2B', invoiceDate: '2026-11-18' }
    const body = { ...facts, buyerId: buyer?.id, currency: 'NGN', lineItems: [{ ...line, taxCategory: 'standard' }] }
    const { id } = ok(await a.post(invoicesPath, { token, body }), 201)
    expect(ok(await a.post(`${invoicesPath}/${id}/finalise`, { token }))).toMatchObject({ id, status: 'finalised' })
    await quiet()
    const listed = ok(await a.get(`${invoicesPath}?status=finalised`, { token }))
    expect(listed.map((invoice: { id: string }) => invoice.id)).toContain(id)
  } finally {
    await close()
  }
})

test('each reason not to distribute is given, in the order in which an operator meets them', async () => {
  const refusal = async ({ owner: { url } }: TestDatabase): Promise<string> => {
    const error = await distribute(url, () => {}).then(
      () => expect.fail('the tables were distributed'),
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(NotDistributable)
    expect(explain(error)).toBe((error as Error).message)
    return (error as Error).message
  }
  const plain = await createTestDatabase({ isEmpty: true })
  expect(await refusal(plain)).toContain('This database has no Citus.')
  const alone = await connect(plain.owner.url)
  await alone.query('create extension citus')
  expect(await refusal(plain)).toContain('call citus_set_coordinator_host()')
  await alone.query(`select citus_set_coordinator_host('${plain.host}', ${plain.port})`)
  expect(await refusal(plain)).toContain('The coordinator has no workers')

  const empty = await createEmptyClusterDatabase()
  expect(await refusal(empty)).toContain('run npm run migrate first')
  await migrateTo(empty.owner.url, before)
  const client = await connect(empty.owner.url)
  await client.query('create table pets (id uuid primary key)')
  expect(await refusal(empty)).toContain('does not know the place of pets')
  await client.query('drop table pets')
  for (const table of ['invoice_counts', 'rate_windows']) {
    await client.query(`select create_reference_table('${table}')`)
    expect(await refusal(empty)).toContain(`Citus has ${table} as the wrong kind of table.`)
    await client.query(`select undistribute_table('${table}')`)
  }
})
