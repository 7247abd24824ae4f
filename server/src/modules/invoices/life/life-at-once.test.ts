import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal, type Reply } from '../../../../../test/harness/client.ts'
import { createTestDatabase } from '../../../../../test/harness/database.ts'
import { type Issuer, issuer } from '../../../../../test/harness/invoices.ts'
import { type Life, lifeOf, ok, invoicesPath as path, payableMinor } from '../../../../../test/harness/issued.ts'
import { expectBooksInOrder } from '../../../../../test/harness/ledger-faults.ts'
import { openDatabase } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

let app: TestApp
let own: Issuer
let life: Life
beforeAll(async () => {
  const database = await createTestDatabase()
  const db = openDatabase({ connection: database.owner.url })
  // The server would detect a deadlock only after the test has failed.
  await db.run(
    sql`do $$ begin execute format('alter database %I set deadlock_timeout = 300000', current_database()); end $$`,
  )
  await db.end()
  app = await startTestApp({ now: '2026-11-15T09:00:00Z', database })
  own = await issuer(app)
  life = lifeOf(app, own)
})
afterAll(() => app.close())

const reasonOf = ({ headers }: Reply) => headers.get('risiti-reason')
const remove = (id: string) => app.a.delete(`${path}/${id}`, { token: own.token })

test('concurrent finalise, change and delete of a draft end in one way, and each caller gets the right reply', async () => {
  for (let round = 0; round < 6; round++) {
    const { id } = await life.draft()
    const change = (notes: string) => app.a.patch(`${path}/${id}`, { token: own.token, body: { notes } })
    const [first, finalised, deleted, second, again] = await Promise.all([
      change('one'),
      life.act(id, 'finalise'),
      remove(id),
      change('two'),
      life.act(id, 'finalise'),
    ])
    const issued = [finalised, again].filter(({ status }) => status === 200)
    if (deleted.status === 200) {
      expect(issued).toEqual([])
      expectRefusal(await app.a.get(`${path}/${id}`, { token: own.token }), 'resource.not_found')
      for (const reply of [finalised, again]) expectRefusal(reply, 'resource.not_found')
    } else {
      expectRefusal(deleted, 'invoice.delete.not_draft')
      expect(issued).toHaveLength(1)
      const kept = await life.get(id)
      expect(kept.status).toBe('finalised')
      expect(kept.notes).toBe(issued[0]?.data.notes)
    }
    const refusals = [first, second].map(reasonOf).filter((reason) => reason !== null)
    for (const reason of refusals) expect(['invoice.edit.not_draft', 'resource.not_found']).toContain(reason)
    const changes = [first, second].filter(({ status }) => status === 200)
    expect((await life.told(id)).toSorted()).toEqual(
      [
        'invoice.created',
        ...changes.map(() => 'invoice.updated'),
        issued.length > 0 ? 'invoice.finalised' : 'invoice.deleted',
      ].toSorted(),
    )
  }
})

test('twenty concurrent credit notes never credit more than was invoiced', async () => {
  const { id } = await life.issued()
  const before = await life.balance()
  // Each request is for a tenth. Nine fit beside one that takes the rest, or ten.
  const replies = await Promise.all(Array.from({ length: 20 }, () => life.credit(id, { amount: '1451.41' })))
  const made = replies.filter(({ status }) => status === 201)
  expect(made).toHaveLength(10)
  for (const reply of replies)
    if (reply.status !== 201) expect(['invoice.note.too_much', 'invoice.note.nothing_left']).toContain(reasonOf(reply))
  expect(made.reduce((sum, { data }) => sum + data.payableMinor, 0)).toBe(1_451_410)
  expect(await life.balance()).toBe(before - 10)
  const numbers = made.map(({ data }) => Number(data.invoiceNumber.slice(2))).toSorted((a, b) => a - b)
  expect(numbers).toEqual(Array.from({ length: 10 }, (_, at) => (numbers[0] ?? 0) + at))
  const rest = await Promise.all(Array.from({ length: 5 }, () => life.credit(id)))
  expect(rest.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409])
})

test('concurrent issuing, reopening and creating of notes and payments of their original do not deadlock', async () => {
  const { id } = await life.issued()
  const notes = await Promise.all(Array.from({ length: 8 }, () => life.credit(id, { amount: '100.00' })))
  const ids = notes.map((reply) => ok(reply, 201).id as string)
  const replies = await Promise.all([
    ...ids.map((note) => life.act(note, 'finalise')),
    ...ids.map((note) => life.act(note, 'reopen')),
    ...ids.map(() => life.pay(id, '10.00')),
    ...ids.map(() => life.credit(id, { amount: '1.00' })),
    ...ids.slice(4).map((note) => remove(note)),
    life.act(id, 'reopen'),
    life.act(id, 'share'),
  ])
  expect(replies.filter(({ status }) => status >= 500).map(({ text }) => text)).toEqual([])
  const kept = (await Promise.all(ids.map((note) => app.a.get(`${path}/${note}`, { token: own.token })))).filter(
    ({ status }) => status === 200,
  )
  const issued = kept.filter(({ data }) => data.status === 'finalised')
  expect(await life.get(id)).toMatchObject({
    status: 'finalised',
    creditedMinor: issued.length * 10_000,
    paidMinor: 8_000,
    dueMinor: payableMinor - 8_000 - issued.length * 10_000,
  })
})

test('issuing a note and deleting its buyer do not block each other', async () => {
  for (let round = 0; round < 6; round++) {
    const buyerId = await life.buyer()
    const { id } = await life.issued({ buyerId })
    const note = ok(await life.credit(id, { amount: 1 }), 201)
    const [finalised, removed] = await Promise.all([
      life.act(note.id, 'finalise'),
      app.a.delete(`/i/v1/buyers/${buyerId}`, { token: own.token }),
    ])
    expect(ok(finalised).status).toBe('finalised')
    expect(ok(removed).outcome).toBe('archived')
  }
})

test('a concurrent payment and full credit leave nothing due twice', async () => {
  const { id } = await life.issued()
  const note = ok(await life.credit(id), 201)
  const [paid, credited] = await Promise.all([life.pay(id, '14514.11'), life.act(note.id, 'finalise')])
  ok(credited)
  const after = await life.get(id)
  expect(after).toMatchObject({ creditedMinor: payableMinor, dueMinor: 0 })
  expect(after.refundOwedMinor).toBe(paid.status === 201 ? payableMinor : 0)
})

test('the ledger is consistent', () => expectBooksInOrder(app))
