import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts'
import { eventually } from '../../../../test/harness/eventually.ts'

interface RunningTransaction {
  readonly client: pg.Client
  readonly xid: string
}

const clients: pg.Client[] = []
let ours: TestDatabase
let theirs: TestDatabase

beforeAll(async () => {
  ;[ours, theirs] = [await createTestDatabase(), await createTestDatabase()]
})
afterAll(() => Promise.all(clients.map((client) => client.end())))

async function connect({ host, port, user, database }: TestDatabase): Promise<pg.Client> {
  const client = new pg.Client({ host, port, user, database })
  clients.push(client)
  await client.connect()
  return client
}

const numberOf = async (client: pg.Client, what: string): Promise<string> =>
  (await client.query<{ xid: string }>(`select ${what}::text as xid`)).rows[0]?.xid as string

/** A transaction that stays under way. */
async function begin(database: TestDatabase): Promise<RunningTransaction> {
  const client = await connect(database)
  await client.query('begin')
  return { client, xid: await numberOf(client, 'pg_current_xact_id()') }
}

/** What the planner may be kept from: of running transactions and locks it knows nothing, and guesses. */
const plans = [[], ['nestloop'], ['nestloop', 'hashjoin'], ['hashjoin', 'mergejoin'], ['nestloop', 'mergejoin', 'sort']]

test('settled events end at the oldest running transaction of this database, whatever runs in other databases and with any query plan', async () => {
  const [asking, other] = [await connect(ours), await connect(theirs)]
  const running: RunningTransaction[] = []
  // So many that a table of them has its own order, with others among them.
  for (let nth = 0; nth < 14; nth++) {
    const one = await begin(nth < 2 || nth % 4 === 3 ? theirs : ours)
    if (!(nth < 2 || nth % 4 === 3)) running.push(one)
  }
  // What is running counts up to the last transaction that has ended.
  await numberOf(other, 'pg_current_xact_id()')
  const settled = async (): Promise<string[]> => {
    const said: string[] = []
    for (const without of plans) {
      await asking.query(['begin', ...without.map((way) => `set local enable_${way} = off`)].join(';'))
      said.push(await numberOf(asking, 'settled_before()'))
      await asking.query('commit')
    }
    return said
  }
  for (const { client, xid } of running) {
    // The server's own upkeep may be at work here for a moment.
    await eventually(async () => expect(await settled()).toEqual(plans.map(() => xid)))
    await client.query('rollback')
  }
  const last = BigInt((running.at(-1) as RunningTransaction).xid)
  for (const xid of await settled()) expect(BigInt(xid)).toBeGreaterThan(last)
})

test('settled events also wait for a prepared transaction, which no process runs', async () => {
  const [asking, other] = [await connect(ours), await connect(theirs)]
  const { client, xid } = await begin(ours)
  const name = `prepared ${xid}`
  await client.query(`prepare transaction '${name}'`)
  await numberOf(other, 'pg_current_xact_id()')
  try {
    // The server's own upkeep may be at work here for a moment.
    await eventually(async () => expect(await numberOf(asking, 'settled_before()')).toBe(xid))
  } finally {
    await client.query(`rollback prepared '${name}'`)
  }
})
