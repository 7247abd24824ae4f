import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal, type Reply } from '../../../../../test/harness/client.ts'
import { tracesOf } from '../../../../../test/harness/drafts.ts'
import { type Issuer, invoiceBody, issuer } from '../../../../../test/harness/invoices.ts'
import { expectBooksInOrder } from '../../../../../test/harness/ledger-faults.ts'
import { testOnOneServer } from '../../../../../test/harness/one-server.ts'
import { newId } from '../../../kernel/ids.ts'
import { sql } from '../../../platform/database/sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ now: '2026-11-15T09:00:00Z' })
})
afterAll(() => app.close())

const path = '/i/v1/invoices'
const create = (own: Issuer, more: object = {}): Promise<Reply> =>
  app.a.post(path, { token: own.token, body: invoiceBody.A(own, more) })
const createNamed = (own: Issuer, invoiceNumber: string): Promise<Reply> =>
  app.b.post(path, { token: own.token, body: invoiceBody.B(own, { invoiceNumber }) })
const numberOf = async (own: Issuer, more: object = {}): Promise<string> => {
  const made = await create(own, more)
  expect(made.status, made.text).toBe(201)
  return made.data.invoiceNumber
}
const remove = (own: Issuer, { data }: Reply) => app.a.delete(`${path}/${data.id}`, { token: own.token })
const series = (count: number, from = 1) =>
  Array.from({ length: count }, (_, at) => `INV${String(from + at).padStart(6, '0')}`)
const madeIn = (replies: readonly Reply[]) => replies.filter(({ status }) => status === 201)
const numbersIn = (replies: readonly Reply[]) => madeIn(replies).map(({ data }) => data.invoiceNumber as string)

test('concurrent requests get consecutive numbers from the series', async () => {
  const own = await issuer(app)
  const replies = await Promise.all(Array.from({ length: 60 }, () => create(own)))
  expect(numbersIn(replies).toSorted()).toEqual(series(60))
  expect(await tracesOf(app, own)).toMatchObject({ invoices: 60, numbers: 60, series: { 'sandbox INV': 61 } })
})

test('the series has no gaps if a fifth of the requests fails', async () => {
  const own = await issuer(app)
  const bad = [{ buyerId: newId() }, { sellerId: newId() }, { dueDate: '2026-11-01' }, { invoiceNumber: 'INV000003' }]
  await numberOf(own, { invoiceNumber: 'INV000003' })
  const asked = Array.from({ length: 80 }, (_, at) => (at % 5 === 0 ? (bad[(at / 5) % bad.length] as object) : {}))
  const replies = await Promise.all(asked.map((more) => create(own, more)))
  replies.forEach(({ status, text }, at) => {
    if (at % 5 === 0) expect([400, 404, 409], text).toContain(status)
    else expect(status, text).toBe(201)
  })
  const expected = series(65).filter((number) => number !== 'INV000003')
  expect(numbersIn(replies).toSorted()).toEqual(expected)
  expect(await numberOf(own)).toBe('INV000066')
  await expectBooksInOrder(app)
})

testOnOneServer('a refused create uses up no number of the event log', async () => {
  const own = await issuer(app)
  await numberOf(own, { invoiceNumber: 'TAKEN1' })
  const lastSeq = async () =>
    (await app.owner.one<{ last: bigint }>(sql`select last_value as last from events_seq`)).last
  const before = await lastSeq()
  for (let attempt = 0; attempt < 3; attempt++)
    expectRefusal(await create(own, { invoiceNumber: 'TAKEN1' }), 'invoice.number_taken')
  expect(await lastSeq()).toBe(before)
  await numberOf(own)
  expect(await lastSeq()).toBe(before + 1n)
})

test('a number that was used ahead of the series is skipped when the series reaches it', async () => {
  const own = await issuer(app)
  expect(await numberOf(own, { invoiceNumber: 'INV000003' })).toBe('INV000003')
  expect((await createNamed(own, 'inv-00000.5')).data.invoiceNumber).toBe('inv-00000.5')
  const given = []
  for (let round = 0; round < 4; round++) given.push(await numberOf(own))
  expect(given).toEqual(['INV000001', 'INV000002', 'INV000004', 'INV000006'])
})

test('the number of a deleted draft is never used again, by the series or by request', async () => {
  const own = await issuer(app)
  const first = await create(own)
  const named = await create(own, { invoiceNumber: 'MINE1' })
  for (const draft of [first, named]) expect((await remove(own, draft)).status).toBe(200)
  expect(await numberOf(own)).toBe('INV000002')
  for (const invoiceNumber of ['INV000001', 'MINE1', 'mine1'])
    expectRefusal(await create(own, { invoiceNumber }), 'invoice.number_taken')
})

test('numbers continue beyond six digits', async () => {
  const own = await issuer(app)
  await numberOf(own)
  await app.runtime.db.run(sql`
    update number_series set next_number = 999999 where organisation_id = ${own.organisationId} and series = 'INV'`)
  expect(await numberOf(own)).toBe('INV999999')
  expect(await numberOf(own)).toBe('INV1000000')
  expect(await numberOf(own)).toBe('INV1000001')
})

/** Numbers of deleted documents: `count` of them, starting with `from`. */
const take = (own: Issuer, from: number, count: number, step = 1) =>
  app.runtime.db.run(sql`
    insert into invoice_numbers (organisation_id, mode, reading, invoice_id)
    select ${own.organisationId}, 'sandbox', 'INV' || lpad(n::text, greatest(6, length(n::text)), '0'), gen_random_uuid()
      from generate_series(${from}::bigint, ${from + (count - 1) * step}::bigint, ${step}::bigint) as n`)

/** Runs a statement whenever the organisation's series advances, until it is stopped. */
async function wheneverSeriesMoves(own: Issuer, does: string): Promise<() => Promise<void>> {
  const run = (...statements: string[]) =>
    app.owner.transaction(async (tx) => {
      for (const text of statements) await tx.run({ text, values: [], name: undefined })
    })
  await run(
    `create function series_moved() returns trigger language plpgsql security definer as $$ begin ${does}; return new; end $$`,
    `create trigger series_moved after update on number_series for each row
       when (new.organisation_id = '${own.organisationId}') execute function series_moved()`,
  )
  return () => run('drop trigger series_moved on number_series', 'drop function series_moved')
}

testOnOneServer('twenty thousand taken numbers are skipped in a few steps', async () => {
  const own = await issuer(app)
  await numberOf(own)
  await take(own, 2, 20_000)
  await app.owner.run(sql`create sequence series_moves`)
  const stop = await wheneverSeriesMoves(own, `perform nextval('series_moves')`)
  expect(await numberOf(own)).toBe('INV020002')
  // The next number, which is taken, and then jumps of growing width.
  expect(await app.owner.one(sql`select last_value::int as moves from series_moves`)).toEqual({ moves: 3 })
  await stop()
  expect(await numberOf(own)).toBe('INV020003')
  expect(await tracesOf(app, own)).toMatchObject({ series: { 'sandbox INV': 20_004 } })
})

test('only the run of taken numbers is skipped, whatever else is taken', async () => {
  const own = await issuer(app)
  await take(own, 1, 3)
  await take(own, 5, 1)
  await take(own, 7, 2)
  // Numbers with more digits, and numbers that only begin alike, do not count.
  await take(own, 1_000_000, 3)
  for (const other of ['INV000004A', 'INV00004', 'INV0000004', 'INV000', 'INVOICE4'])
    expect((await createNamed(own, other)).status, other).toBe(201)
  const given = []
  for (let round = 0; round < 3; round++) given.push(await numberOf(own))
  expect(given).toEqual(['INV000004', 'INV000006', 'INV000009'])
})

test('a run is skipped where it gains a digit', async () => {
  const own = await issuer(app)
  await numberOf(own)
  await app.runtime.db.run(sql`
    update number_series set next_number = 999998 where organisation_id = ${own.organisationId} and series = 'INV'`)
  await take(own, 999_998, 4)
  expect(await numberOf(own)).toBe('INV1000002')
})

testOnOneServer('if others take each number first, the request is refused and nothing is charged', async () => {
  const own = await issuer(app)
  const { token } = own
  const { data: issued } = await create(own)
  await app.a.post(`${path}/${issued.id}/finalise`, { token })
  const note = () => app.a.post(`${path}/${issued.id}/credit-notes`, { token, body: { reason: 'Returned', amount: 1 } })
  expect((await note()).data).toMatchObject({ invoiceNumber: 'CN000001' })
  const before = await tracesOf(app, own)
  const stop = await wheneverSeriesMoves(
    own,
    `insert into invoice_numbers (organisation_id, mode, reading, invoice_id)
     values (new.organisation_id, new.mode, new.series || lpad((new.next_number - 1)::text, 6, '0'), gen_random_uuid())`,
  )
  expectRefusal(await create(own), 'state.changed')
  expectRefusal(await note(), 'state.changed')
  await stop()
  expect(await tracesOf(app, own)).toEqual(before)
  expect(await numberOf(own)).toBe('INV000002')
})

describe.each(['A', 'B'] as const)('through form %s', (form) => {
  const named = (own: Issuer, invoiceNumber: string) =>
    app.client(form).post(path, { token: own.token, body: invoiceBody[form](own, { invoiceNumber }) })

  test('numbers that read alike are one number, in either form', async () => {
    const own = await issuer(app)
    expect((await createNamed(own, 'Inv-7')).status).toBe(201)
    const before = await tracesOf(app, own)
    for (const again of form === 'A' ? ['INV7', 'inv7', 'iNv7'] : ['INV-7', 'inv7', 'I.N.V/7', ' inv 7 ', 'Inv–7'])
      expectRefusal(await named(own, again), 'invoice.number_taken')
    expect(await tracesOf(app, own)).toEqual(before)
    for (const other of ['INV07', 'INV70', 'INVO7']) expect((await named(own, other)).status, other).toBe(201)
  })

  test('of concurrent requests for one number, exactly one gets it', async () => {
    const own = await issuer(app)
    const replies = await Promise.all(Array.from({ length: 12 }, () => named(own, 'ONCE')))
    expect(madeIn(replies)).toHaveLength(1)
    for (const reply of replies) if (reply.status !== 201) expectRefusal(reply, 'invoice.number_taken')
    expect(await tracesOf(app, own)).toMatchObject({ invoices: 1, numbers: 1, credits: 100_000 + 50 - 2 })
  })

  test('the longest number is accepted, and one more letter is not', async () => {
    const own = await issuer(app)
    const most = form === 'A' ? 50 : 100
    expect((await named(own, 'X'.repeat(most))).data.invoiceNumber).toBe('X'.repeat(most))
    for (const wrong of ['X'.repeat(most + 1), '', form === 'A' ? 'A-1' : '   ', '№…']) {
      const refused = await named(own, wrong)
      expectRefusal(refused, 'request.invalid')
      expect(refused.body.error.details[0]).toMatchObject({ path: 'invoiceNumber' })
    }
  })

  test('the numbers of one organisation do not affect another', async () => {
    const [one, other] = [await issuer(app), await issuer(app)]
    for (const own of [one, other]) expect((await named(own, 'SAME1')).status).toBe(201)
  })
})
