import { afterAll, beforeAll, expect, test } from 'vitest'
import { origin, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal, faultPaths, type Reply } from '../../../../../test/harness/client.ts'
import { issuerBeside } from '../../../../../test/harness/cluster.ts'
import { archivedBuyer, tracesOf } from '../../../../../test/harness/drafts.ts'
import { type Issuer, invoiceBody, issuer } from '../../../../../test/harness/invoices.ts'
import { expectBooksInOrder } from '../../../../../test/harness/ledger-faults.ts'
import { newId } from '../../../kernel/ids.ts'
import { sql } from '../../../platform/database/sql.ts'
import { createInvoice } from './create-invoice.ts'
import { createSharedInvoices } from './create-invoices.store.ts'
import type { DraftInput } from './draft.ts'
import { planInvoice } from './plan-invoice.ts'

let app: TestApp
let own: Issuer
/** Statements about invoices, numbers and buyers of one tenant. Background work runs for all tenants together. */
const statements: string[] = []
beforeAll(async () => {
  app = await startTestApp({ now: '2026-11-15T09:00:00Z' })
  const heard = new WeakSet<object>()
  app.runtime.db.pool.on('acquire', (client) => {
    if (heard.has(client)) return
    heard.add(client)
    const query = client.query.bind(client) as (...given: unknown[]) => unknown
    const heardQuery = (statement: string | { text: string; values?: unknown[] }, ...rest: unknown[]) => {
      if (typeof statement !== 'string' && statement.values?.includes(own?.organisationId)) {
        // On Citus the text is a value of the call that runs it on the server of the organisation.
        const text = /run_on_shard/.test(statement.text) ? String(statement.values[3]) : statement.text
        if (/invoice|number_series|buyers|idempotency_keys/.test(text)) statements.push(text)
      }
      return query(statement, ...rest)
    }
    client.query = heardQuery as typeof client.query
  })
  own = await issuer(app)
})
afterAll(() => app.close())

const path = '/i/v1/invoices'
const one = { units: 1n, scale: 0 }
const post = (body: object, headers: Record<string, string> = {}): Promise<Reply> =>
  app.a.post(path, { token: own.token, body, headers })
async function sentBy(body: () => Promise<unknown>): Promise<readonly string[]> {
  const before = statements.length
  await body()
  return statements.slice(before)
}

test('a plain draft is one statement, which writes everything', async () => {
  for (const make of [
    // The first request begins the series.
    () => post(invoiceBody.A(own)),
    () => post(invoiceBody.A(own)),
    () => post(invoiceBody.A(own, { sellerId: own.sellerId, invoiceNumber: 'PLAIN1' })),
    () => app.b.post(path, { token: own.token, body: invoiceBody.B(own) }),
  ]) {
    const sent = await sentBy(make)
    expect(sent).toHaveLength(1)
    for (const table of ['invoices', 'invoice_numbers', 'credit_balances', 'credit_moves', 'events'])
      expect(sent[0]).toMatch(new RegExp(`(insert into|update) ${table}\\b`))
  }
  const keyed = await sentBy(() => post(invoiceBody.A(own), { 'idempotency-key': 'in-the-statement' }))
  expect(keyed).toHaveLength(1)
  expect(keyed[0], 'takes the key and keeps the answer').toMatch(/insert into idempotency_keys/)
})

test('concurrent drafts of one tenant are written together', async () => {
  const { caller } = await app.runtime.authentication.authenticate(own.token)
  const line = { description: 'Sand', unitCode: 'EA', quantity: one, unitPrice: one, taxCategory: 'standard' }
  const input = { type: 'standard', kind: 'B2C', issueDate: '2026-11-02', currency: 'NGN', lines: [line] } as const
  const sent = await sentBy(() =>
    Promise.all(Array.from({ length: 60 }, () => app.runner.run(createInvoice, { caller, origin, input }))),
  )
  expect(sent).toHaveLength(1)
})

test('of a hundred concurrent requests, each gets its own correct reply', async () => {
  const person = await issuer(app)
  const make = (more: object) => app.a.post(path, { token: person.token, body: invoiceBody.A(person, more) })
  await make({})
  const archived = await archivedBuyer(app, person)
  const right = (reply: Reply, at: number) => {
    expect(reply.status, reply.text).toBe(201)
    expect(reply.data.notes).toBe(`draft ${at}`)
  }
  const cases: [more: object, check: (reply: Reply, at: number) => void][] = [
    [{}, right],
    [{ allowanceAmount: '1' }, right],
    [{ buyerId: newId() }, (reply) => expectRefusal(reply, 'invoice.buyer_unknown')],
    [{}, right],
    [{ sellerId: newId() }, (reply) => expectRefusal(reply, 'invoice.seller_unknown')],
    [{ buyerId: null }, right],
    [{ currency: 'XXX' }, (reply) => expect(faultPaths(reply)).toEqual(['currency'])],
    [{ invoiceNumber: 'INV000001' }, (reply) => expectRefusal(reply, 'invoice.number_taken')],
    [{ currency: 'USD' }, right],
    [{ buyerId: archived }, (reply) => expectRefusal(reply, 'invoice.buyer_archived')],
  ]
  const before = await tracesOf(app, person)
  const replies = await Promise.all(
    Array.from({ length: 100 }, (_, at) => make({ ...cases[at % cases.length]?.[0], notes: `draft ${at}` })),
  )
  for (const [at, reply] of replies.entries()) cases[at % cases.length]?.[1](reply, at)
  const numbers = replies.flatMap(({ status, data }) => (status === 201 ? [data.invoiceNumber as string] : []))
  expect(numbers.toSorted()).toEqual(Array.from({ length: 50 }, (_, at) => `INV${String(at + 3).padStart(6, '0')}`))
  expect(await tracesOf(app, person)).toMatchObject({
    invoices: 52,
    numbers: 52,
    events: (before.events as number) + 50,
    moves: (before.moves as number) + 50,
    credits: (before.credits as number) - 50,
  })
  await expectBooksInOrder(app)
})

test('concurrent tenants do not mix: each has its own numbers, parties and charges', async () => {
  const people = await Promise.all(Array.from({ length: 4 }, () => issuer(app)))
  const asked = Array.from({ length: 48 }, (_, at) => people[at % people.length] as Issuer)
  const replies = await Promise.all(
    asked.map((person) => app.a.post(path, { token: person.token, body: invoiceBody.A(person) })),
  )
  for (const person of people) {
    const theirs = replies.filter((_, at) => asked[at] === person)
    expect(theirs.map(({ data }) => data.sellerId)).toEqual(Array(12).fill(person.sellerId))
    expect(theirs.map(({ data }) => data.invoiceNumber).toSorted()).toEqual(
      Array.from({ length: 12 }, (_, at) => `INV${String(at + 1).padStart(6, '0')}`),
    )
    expect(await tracesOf(app, person)).toMatchObject({ invoices: 12, credits: 100_050 - 13 })
  }
})

test('a shared statement waits for no tenant, and leaves out those that cannot be written', async () => {
  const held = await issuer(app)
  const [poor, ...fine] = await Promise.all([issuerBeside(app, held), issuerBeside(app, held), issuerBeside(app, held)])
  const { db } = app.runtime
  await db.run(sql`
    update credit_balances set spent = spent + available, available = 0 where organisation_id = ${poor.organisationId} and mode = 'sandbox'`)
  const plans = await Promise.all(
    [held, fine[0], poor, fine[1], held].map(async ({ token, buyerId }) => {
      const { caller } = await app.runtime.authentication.authenticate(token)
      const line = { description: 'Sand', unitCode: 'EA', quantity: one, unitPrice: one, taxCategory: 'standard' }
      const input = { type: 'standard', buyerId, issueDate: '2026-11-02', currency: 'NGN', lines: [line] }
      const now = app.runtime.clock.now()
      const plan = await planInvoice({ db, ports: app.runtime.ports, now, caller }, input as unknown as DraftInput)
      return { plan, caller, origin, now, realNow: now }
    }),
  )
  const write = () => createSharedInvoices(db, plans)
  const [whileHeld, before] = await db.transaction(async (tx) => {
    await tx.run(sql`select from credit_balances where organisation_id = ${held.organisationId} for no key update`)
    return [await write(), await tracesOf(app, held)] as const
  })
  const first = { number: 'INV000001' }
  expect(whileHeld).toEqual([
    undefined,
    expect.objectContaining(first),
    undefined,
    expect.objectContaining(first),
    undefined,
  ])
  expect(before).toMatchObject({ invoices: 0, numbers: 0 })
  expect(await tracesOf(app, poor)).toMatchObject({ invoices: 0, numbers: 0, credits: 50 })
  for (const person of fine) expect(await tracesOf(app, person)).toMatchObject({ invoices: 1, credits: 100_050 - 2 })
})

test('concurrent members and API keys of one tenant keep their identities', async () => {
  const tokens = [own.token, await app.key(own.organisationId), (await app.member(own.organisationId, 'MEMBER')).token]
  const replies = await Promise.all(
    Array.from({ length: 30 }, (_, at) =>
      app.a.post(path, { token: tokens[at % 3] as string, body: invoiceBody.A(own) }),
    ),
  )
  const makers = replies.map(({ data }) => `${data.createdBy.type} ${data.createdBy.id}`)
  expect(new Set(makers).size).toBe(3)
  for (const [at, maker] of makers.entries()) expect(maker).toBe(makers[at % 3])
})

test('concurrent drafts with and without a key share one series, and each number is used once', async () => {
  const person = await issuer(app)
  const replies = await Promise.all(
    Array.from({ length: 60 }, (_, at) =>
      app.a.post(path, {
        token: person.token,
        body: invoiceBody.A(person, at % 6 < 2 ? { invoiceNumber: `WANTED${Math.floor(at / 6)}` } : {}),
        headers: at % 2 === 0 ? {} : { 'idempotency-key': `together-${at}` },
      }),
    ),
  )
  const made = replies.filter(({ status }) => status === 201)
  for (const reply of replies) if (reply.status !== 201) expectRefusal(reply, 'invoice.number_taken')
  expect(made.map(({ data }) => data.invoiceNumber).toSorted()).toEqual([
    ...Array.from({ length: 40 }, (_, at) => `INV${String(at + 1).padStart(6, '0')}`),
    ...Array.from({ length: 10 }, (_, at) => `WANTED${at}`),
  ])
  expect(await tracesOf(app, person)).toMatchObject({ invoices: 50, numbers: 50, credits: 100_050 - 51 })
})
