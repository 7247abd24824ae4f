import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../server/src/platform/database/database.ts'
import { sql } from '../../server/src/platform/database/sql.ts'
import { createTestDatabase } from '../harness/database.ts'
import { expectBooksInOrder } from '../harness/ledger-faults.ts'
import { demo, makeHome, makeKeyFile, type ServerNode, startNode, until } from '../harness/processes.ts'
import { medium, purchasePath, small } from '../harness/purchases.ts'
import { casesToTry } from '../harness/runs.ts'

let db: Database
/** start options of every node of this installation */
let installation: { home: string; env: Record<string, string> }
beforeAll(async () => {
  const { url } = await createTestDatabase()
  db = openDatabase({ connection: url })
  installation = { home: await makeHome(), env: { DATABASE_URL: url, SECRETS_FILE: await makeKeyFile() } }
})
afterAll(() => db.end())

const press = (node: ServerNode, paymentId: string, body: unknown = { outcome: 'paid' }): Promise<Response> =>
  fetch(`${node.url}/dev/checkouts/${paymentId}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

async function signInLive({ a }: ServerNode): Promise<string> {
  const { data } = await a.post('/a/v1/auth/login', { body: demo })
  const live = await a.post('/a/v1/auth/mode', { token: data.accessToken, body: { mode: 'live' } })
  return live.data.accessToken
}

async function order({ a }: ServerNode, token: string, currency = 'NGN', packageId = small): Promise<string> {
  const { status, data, text } = await a.post(purchasePath, { token, body: { packageId, currency } })
  expect(status, text).toBe(201)
  return data.payment.id
}

const statusOf = async (id: string): Promise<string> =>
  (await db.one<{ status: string }>(sql`select status from payments where id = ${id}`)).status
const becomes = (id: string, status: string): Promise<void> =>
  until(async () => (await statusOf(id)) === status, `a payment that is ${status}`)

/** Exactly one ledger move granted the credits, and all ledgers are consistent. */
async function expectGrantedOnce(id: string, credits: bigint): Promise<void> {
  const moves = sql`select type, amount from credit_moves where starts_with(cause, 'payment:' || ${id})`
  expect(await db.rows(moves)).toEqual([{ type: 'purchase', amount: credits }])
  await expectBooksInOrder({ owner: db })
}

/** Runs the scheduled sweep now, as if these payments were due. */
async function sweepNow(...ids: string[]): Promise<void> {
  for (const id of ids) await db.run(sql`update payments set look_at = now() where id = ${id}`)
  await db.run(sql`update schedule set due_at = now() where job = 'sweep-payments'`)
}

describe('a newcomer', () => {
  let node: ServerNode
  let token: string
  beforeAll(async () => {
    node = await startNode(installation)
    token = await signInLive(node)
  })
  afterAll(() => node.stop())

  test.each(['NGN', 'USD'])('buys credits in %s and pays on the simulated page', async (currency) => {
    const balance = async () => (await node.a.get('/b/v1/billing-accounts/me', { token })).data.creditBalance
    const id = await order(node, token, currency)
    const before = await balance()
    expect(await (await press(node, id, { outcome: 'abandoned' })).json()).toEqual({
      paymentId: id,
      outcome: 'abandoned',
    })
    expect((await press(node, id, { outcome: 'failed' })).status).toBe(200)
    await becomes(id, 'failed')
    expect((await press(node, id)).status).toBe(200)
    await becomes(id, 'succeeded')
    expect(await balance()).toBe(before + 100)
    await expectGrantedOnce(id, 100n)
    const again = await press(node, id)
    expect([again.status, again.headers.get('risiti-reason')]).toEqual([409, 'state.changed'])
  })

  test('gets an error for an invalid action on the simulated page', async () => {
    const id = await order(node, token, 'NGN', medium)
    for (const body of [
      {},
      { outcome: 'won' },
      { outcome: 'paid', card: 'gold' },
      { outcome: 'paid', more: 1 },
      [],
      'paid',
      null,
    ])
      expect([body, (await press(node, id, body)).status]).toEqual([body, 400])
    for (const unknown of [randomUUID(), 'me', '..%2f..', `${id}x`])
      expect([unknown, (await press(node, unknown)).status]).toEqual([unknown, 404])
    const wrong = await fetch(`${node.url}/dev/checkouts/${id}`, { method: 'POST', body: 'outcome=paid' })
    expect(wrong.status).toBe(415)
    const none = await fetch(`${node.url}/dev/checkouts/${id}`, { method: 'POST' })
    expect(none.status).toBe(400)
    expect((await fetch(`${node.url}/dev/checkouts/${id}`)).status).toBe(405)
    expect(await statusOf(id)).toBe('pending')
  })
})

describe('a server that is killed after the buyer paid the provider', () => {
  test('before it processed the notification: the next server processes it, once', async () => {
    // No worker runs, so the notification stays unprocessed.
    const first = await startNode({ ...installation, args: ['--role=api'] })
    const token = await signInLive(first)
    const ids = [await order(first, token, 'NGN'), await order(first, token, 'USD')]
    for (const id of ids) expect((await press(first, id)).status).toBe(200)
    const told = sql`select count(*)::int as n from provider_notifications where outcome is null`
    await until(async () => (await db.one<{ n: number }>(told)).n >= 3, 'a notification')
    await first.kill()
    expect(await Promise.all(ids.map(statusOf))).toEqual(['pending', 'pending'])
    const second = await startNode(installation)
    for (const id of ids) {
      await becomes(id, 'succeeded')
      await expectGrantedOnce(id, 100n)
    }
    expect((await press(second, ids[0] as string)).status).toBe(409)
    await second.stop()
  })

  test('at any moment: the next server finds the payment, once', { timeout: 180_000 }, async () => {
    let node = await startNode(installation)
    for (let round = 0; round < casesToTry(1, 6); round++) {
      const token = await signInLive(node)
      const currency = round % 2 === 0 ? 'USD' : 'NGN'
      const id = await order(node, token, currency)
      // The reply may be lost. The buyer has pressed the button before it is sent.
      expect((await press(node, id)).status).toBe(200)
      await node.kill()
      node = await startNode(installation)
      await sweepNow(id)
      await becomes(id, 'succeeded')
      await expectGrantedOnce(id, 100n)
      await sweepNow(id)
      const looked = sql`select look_at > now() as done from payments where id = ${id}`
      await until(async () => (await db.one<{ done: boolean }>(looked)).done, 'another look')
      await expectGrantedOnce(id, 100n)
    }
    expect((await node.stop()).code).toBe(0)
    await expectBooksInOrder({ owner: db })
  })
})
