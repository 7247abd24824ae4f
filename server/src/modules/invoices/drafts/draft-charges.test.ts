import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal, type Reply } from '../../../../../test/harness/client.ts'
import { leaveCredits, tracesOf } from '../../../../../test/harness/drafts.ts'
import { type Issuer, invoiceBody, issuer } from '../../../../../test/harness/invoices.ts'
import { expectBooksInOrder } from '../../../../../test/harness/ledger-faults.ts'
import { sql } from '../../../platform/database/sql.ts'
import { nextSandboxTopUp } from '../../catalogue/index.ts'
import { saveLowBalanceThreshold } from '../../credits/index.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ now: '2026-11-15T09:00:00Z' })
})
afterAll(() => app.close())

const path = '/i/v1/invoices'
const post = (form: 'A' | 'B', own: Issuer, more: object = {}, headers: Record<string, string> = {}): Promise<Reply> =>
  app.client(form).post(path, { token: own.token, body: invoiceBody[form](own, more), headers })
const sandbox = ({ organisationId }: Issuer) => ({ organisationId, mode: 'sandbox' as const })
const lowEvents = (own: Issuer) =>
  app.runtime.db.rows<{ data: object }>(sql`
    select data from events where organisation_id = ${own.organisationId} and type = 'billing.balance.low' order by position`)
const drawLine = (own: Issuer, line: bigint) =>
  app.runtime.db.transaction((tx) => saveLowBalanceThreshold(tx, sandbox(own), line))

describe.each(['A', 'B'] as const)('through form %s', (form) => {
  test('without credits nothing is saved', async () => {
    const own = await issuer(app)
    await leaveCredits(app, own, 1)
    expect((await post(form, own)).status).toBe(201)
    const before = await tracesOf(app, own)
    const next = nextSandboxTopUp(app.clock.now())
    for (const headers of [{}, { 'idempotency-key': 'no-credits-left' }]) {
      const refused = await post(form, own, {}, headers)
      expectRefusal(refused, 'credits.insufficient')
      expect(refused.status).toBe(form === 'A' ? 402 : 400)
      expect(refused.body.error.message).toContain(
        `Not enough credits: this costs 1 and 0 are left. The sandbox is refilled to 100,000 at ${next.toISOString()}.`,
      )
      expect(refused.body.error.details.map(({ rule }: { rule: string }) => rule)).toEqual([
        'price',
        'balance',
        'next_top_up',
      ])
      const waitMs = next.getTime() - app.clock.now().getTime()
      expect(Number(refused.headers.get('retry-after'))).toBe(Math.ceil(waitMs / 1000))
    }
    expect(await tracesOf(app, own)).toEqual(before)
    await leaveCredits(app, own, 1)
    const made = await post(form, own, {}, { 'idempotency-key': 'no-credits-left' })
    expect(made.status, 'a refusal is not kept under its key').toBe(201)
  })

  test('a key repeats the first reply byte for byte and charges once', async () => {
    const own = await issuer(app)
    const body = invoiceBody[form](own)
    const send = (more: object = {}) =>
      app.client(form).post(path, {
        token: own.token,
        body: { ...body, ...more },
        headers: { 'idempotency-key': `draft-${form}-0001` },
      })
    const first = await send()
    expect(first.status, first.text).toBe(201)
    const kept = await tracesOf(app, own)
    const again = await send()
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([201, first.text, '"1"'])
    expect([first, again].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true'])
    expectRefusal(await send({ notes: 'another body' }), 'idempotency.body_differs')
    // Later obstacles do not matter: the first request was carried out.
    expect((await app.a.delete(`/i/v1/buyers/${own.buyerId}`, { token: own.token })).status).toBe(200)
    expect((await send()).text).toBe(first.text)
    expect(await tracesOf(app, own)).toMatchObject({ invoices: 1, moves: kept.moves, credits: kept.credits })
  })

  test('concurrent requests with one key make one draft', async () => {
    const own = await issuer(app)
    const body = invoiceBody[form](own)
    const headers = { 'idempotency-key': 'all-at-once' }
    const replies = await Promise.all(
      Array.from({ length: 12 }, () => app.client(form).post(path, { token: own.token, body, headers })),
    )
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
    expect(replies.filter((reply) => reply.headers.get('idempotent-replayed') === null)).toHaveLength(1)
    expect(await tracesOf(app, own)).toMatchObject({ invoices: 1, credits: 100_000 + 50 - 2 })
  })
})

test('concurrent drafts are saved as far as the credits suffice, and not one more', async () => {
  const own = await issuer(app)
  await post('A', own)
  await leaveCredits(app, own, 7)
  const replies = await Promise.all(Array.from({ length: 30 }, () => post('A', own)))
  const made = replies.filter(({ status }) => status === 201)
  for (const reply of replies) if (reply.status !== 201) expectRefusal(reply, 'credits.insufficient')
  expect(made.map(({ data }) => data.invoiceNumber).toSorted()).toEqual(
    Array.from({ length: 7 }, (_, at) => `INV00000${at + 2}`),
  )
  expect(await tracesOf(app, own)).toMatchObject({ invoices: 8, numbers: 8, series: { 'sandbox INV': 9 }, credits: 50 })
  await expectBooksInOrder(app)
})

test('the low-credit event is emitted once, by the draft that crosses the limit', async () => {
  const own = await issuer(app)
  await post('A', own)
  await drawLine(own, 99_985n)
  const replies = await Promise.all(Array.from({ length: 40 }, () => post('A', own)))
  expect(replies.map(({ status }) => status)).toEqual(Array(40).fill(201))
  expect(await tracesOf(app, own)).toMatchObject({ invoices: 41, series: { 'sandbox INV': 42 } })
  expect(await lowEvents(own)).toEqual([{ data: { creditBalance: 99_984, threshold: 99_985 } }])
  await drawLine(own, 99_957n)
  await post('A', own)
  expect(await lowEvents(own), 'on the line is not below it').toHaveLength(1)
  await post('A', own)
  expect(await lowEvents(own)).toHaveLength(2)
  await expectBooksInOrder(app)
})

test('a parent pays for the drafts of a child without credits', async () => {
  const parent = await app.person()
  await app.openAccount(parent.organisationId)
  const config = '/a/v1/organizations/me/credit-pool-config'
  await app.b.patch(config, { token: parent.token, body: { primaryCoversSecondary: true } })
  const branch = { businessName: 'Branch', email: 'branch@eze.ng', asChild: true }
  const { data } = await app.b.post('/a/v1/organizations', { token: parent.token, body: branch })
  const child = await app.member(data.id, 'OWNER')
  await app.openAccount(child.organisationId)
  await app.b.patch(config, { token: child.token, body: { fallbackToPrimary: true } })
  await leaveCredits(app, child, 2)
  const body = invoiceBody.A({ buyerId: '' }, { buyerId: null, invoiceKind: 'B2C' })
  const replies = await Promise.all(Array.from({ length: 6 }, () => app.a.post(path, { token: child.token, body })))
  expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(201))
  // A person's second organisation has no free credits in live mode.
  expect(await tracesOf(app, child)).toMatchObject({ invoices: 6, credits: 0 })
  expect(await tracesOf(app, parent)).toMatchObject({ invoices: 0, credits: 100_050 - 4 })
  await expectBooksInOrder(app)
})
