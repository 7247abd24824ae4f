import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { expectRefusal } from '../../../../test/harness/client.ts'
import { expectBooksInOrder } from '../../../../test/harness/ledger-faults.ts'
import { eventsAbout, buyer as liveOwner, movesOf, spend } from '../../../../test/harness/purchases.ts'
import { sql } from '../../platform/database/sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())
afterEach(() => expectBooksInOrder(app))

const path = '/i/v1/buyers'
const postalAddress = { line1: '1 Marina', city: 'Lagos', country: 'NG' }
const bodies = {
  A: (name: string, more: object = {}) => ({ name, ...more }),
  B: (partyName: string, more: object = {}) => ({
    partyName,
    email: 'b@example.test',
    phoneNumber: '0801',
    postalAddress,
    ...more,
  }),
}
const charges = (count: number) => Array.from({ length: count }, () => ['charge', 1])
const buyersOf = async ({ organisationId }: Person) =>
  (
    await app.runtime.db.one<{ n: number }>(
      sql`select count(*)::int as n from buyers where organisation_id = ${organisationId}`,
    )
  ).n

describe.each(['A', 'B'] as const)('through form %s', (form) => {
  const nameField = { A: 'name', B: 'partyName' }[form]
  const number = { A: 'taxId', B: 'taxNumber' }[form]
  const make = ({ token }: Person, body: object = bodies[form]('Ade'), headers = {}) =>
    app.client(form).post(path, { token, body, headers })
  const change = ({ token }: Person, id: string, body: object, headers = {}) =>
    app.client(form).patch(`${path}/${id}`, { token, body, headers })

  test('creating and changing cost one credit each, and refused requests nothing', async () => {
    const person = await liveOwner(app)
    const moves = () => movesOf(app, person.organisationId)
    const made = await make(person, bodies[form]('Ade', { [number]: '20198222-0002' }))
    expect(await moves()).toEqual(charges(1))
    const { id } = made.data
    const same = await change(person, id, bodies[form]('Ade', { [number]: '20198222-0002' }))
    expect(same.data).toEqual(made.data)
    expect((await change(person, id, {})).data).toEqual(made.data)
    expect(await moves()).toEqual(charges(1))

    app.clock.advance({ seconds: 1 })
    const changed = await change(person, id, { [nameField]: 'Adé' })
    expect(changed.data).toEqual({ ...made.data, [nameField]: 'Adé', updatedAt: app.clock.now().toISOString() })
    expect(await moves()).toEqual(charges(2))

    expectRefusal(await make(person, bodies[form]('Two', { [number]: '201982220002' })), 'buyer.tax_id_taken')
    expectRefusal(await make(person, bodies[form]('')), 'request.invalid')
    expectRefusal(await make(person, bodies[form]('x', { [number]: 'no' })), 'request.invalid')
    expectRefusal(await change(person, id, { [number]: 'no' }), 'request.invalid')
    expectRefusal(await change(person, randomUUID(), { [nameField]: 'x' }), 'resource.not_found')
    expect((await app.client(form).delete(`${path}/${id}`, { token: person.token })).status).toBe(200)
    expect(await moves()).toEqual(charges(2))
  })

  test('without credits nothing is saved', async () => {
    const person = await liveOwner(app)
    const { id } = (await make(person)).data
    await spend(app, person.organisationId, 40)
    for (let left = 9; left > 0; left--) expect((await make(person)).status).toBe(201)
    const before = await app.client(form).get(`${path}/${id}`, { token: person.token })
    const key = randomUUID()
    for (const refused of [
      await make(person),
      await make(person, bodies[form]('Ade'), { 'idempotency-key': key }),
      await change(person, id, { [nameField]: 'Changed' }),
    ]) {
      expectRefusal(refused, 'credits.insufficient')
      expect([refused.status, refused.body.error.code]).toEqual([{ A: 402, B: 400 }[form], 'BIZ001'])
    }
    expect(await buyersOf(person)).toBe(10)
    expect((await app.client(form).get(`${path}/${id}`, { token: person.token })).data).toEqual(before.data)
    expect((await eventsAbout(app, id)).map(({ type }) => type)).toEqual(['buyer.created'])
    // A request without a change is free and is not refused.
    expect((await change(person, id, { [nameField]: 'Ade' })).status).toBe(200)
  })

  test('an Idempotency-Key repeats the same bytes and charges once', async () => {
    const person = await liveOwner(app)
    const key = { 'idempotency-key': randomUUID() }
    const body = bodies[form]('Ade', { [number]: '20198222-0007' })
    const first = await make(person, body, key)
    const again = await Promise.all([make(person, body, key), make(person, body, key)])
    for (const reply of again) expect([reply.status, reply.text]).toEqual([201, first.text])
    expect(await movesOf(app, person.organisationId)).toEqual(charges(1))

    const { id } = first.data
    const editing = { 'idempotency-key': randomUUID() }
    const edited = await change(person, id, { [nameField]: 'Bayo' }, editing)
    await change(person, id, { [nameField]: 'Later' })
    const repeated = await change(person, id, { [nameField]: 'Bayo' }, editing)
    expect([repeated.status, repeated.text]).toEqual([200, edited.text])
    expect((await app.client(form).get(`${path}/${id}`, { token: person.token })).data[nameField]).toBe('Later')
    expect(await movesOf(app, person.organisationId)).toEqual(charges(3))
    expectRefusal(await make(person, bodies[form]('Other'), key), 'idempotency.body_differs')
    const bad = await make(person, body, { 'idempotency-key': 'short' })
    expectRefusal(bad, 'request.invalid')
  })

  test('every change emits one event with its data', async () => {
    const person = await liveOwner(app)
    const { id } = (await make(person, bodies[form]('Ade', { [number]: '20198222-0008' }))).data
    await change(person, id, { [nameField]: 'Bayo', email: 'new@example.test' })
    await change(person, id, { [nameField]: 'Bayo' })
    await app.client(form).delete(`${path}/${id}`, { token: person.token })
    const about = { buyerId: id, taxId: '20198222-0008', taxIdType: 'national', taxIdStatus: 'unverified' }
    const where = { mode: 'live', organisationId: person.organisationId }
    const told = await eventsAbout(app, id)
    expect(told).toEqual([
      { type: 'buyer.created', ...where, data: { ...about, name: 'Ade' } },
      { type: 'buyer.updated', ...where, data: { ...about, name: 'Bayo', changed: expect.any(Array) } },
      { type: 'buyer.deleted', ...where, data: { ...about, name: 'Bayo' } },
    ])
    expect(new Set(told[1]?.data.changed as string[])).toEqual(new Set(['email', 'name']))
  })
})

test('twenty concurrent edits of a buyer are each charged once, or not if nothing changes', async () => {
  const person = await liveOwner(app)
  const { token } = person
  const { id } = (await app.a.post(path, { token, body: { name: 'Ade' } })).data
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => app.a.patch(`${path}/${id}`, { token, body: { name: 'Same' } })),
  )
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await movesOf(app, person.organisationId)).toEqual(charges(2))
})
