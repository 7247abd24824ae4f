import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp, testVault } from '../../../../../test/harness/app.ts'
import { expectRefusal, type Reply } from '../../../../../test/harness/client.ts'
import { createTestDatabase } from '../../../../../test/harness/database.ts'
import { archivedBuyer, tracesOf } from '../../../../../test/harness/drafts.ts'
import { eventually } from '../../../../../test/harness/eventually.ts'
import { buyerDetails, type Issuer, invoiceBody, issuer } from '../../../../../test/harness/invoices.ts'
import { ok } from '../../../../../test/harness/issued.ts'
import { expectBooksInOrder } from '../../../../../test/harness/ledger-faults.ts'
import { listLockWaits } from '../../../../../test/harness/lock-waits.ts'
import { newId } from '../../../kernel/ids.ts'
import { sql } from '../../../platform/database/sql.ts'

let app: TestApp
let other: TestApp
let own: Issuer
beforeAll(async () => {
  const shared = { database: await createTestDatabase(), vault: testVault(), now: '2026-11-15T09:00:00Z' }
  app = await startTestApp(shared)
  other = await startTestApp(shared)
  own = await issuer(app)
  ok(await app.a.post(path, { token: own.token, body: invoiceBody.A(own) }), 201)
})
afterAll(() => Promise.all([app.close(), other.close()]))

const path = '/i/v1/invoices'
let given = 0
const newNumber = () => `ONCE${++given}`
const isReplay = ({ headers }: Reply) => headers.get('idempotent-replayed') === 'true'
const send = (key: string | undefined, body: object, { token } = own, node = app, form: 'A' | 'B' = 'A') =>
  node.client(form).post(path, { token, body, headers: key === undefined ? {} : { 'idempotency-key': key } })
const keyRow = (key: string) =>
  app.runtime.db.one<{ sealedBody: string | null; bodyMac: string; answer: Buffer; said: object }>(sql`
    select sealed_body, body_mac, answer, said from idempotency_keys where key = ${key}`)

describe.each(['A', 'B'] as const)('Form %s', (form) => {
  const bodies: Record<string, () => Promise<object>> = {
    'one that says all': async () =>
      invoiceBody[form](own, { notes: 'A “note”\nof <secret> 1', invoiceNumber: newNumber() }),
    'one for a buyer without a number': async () => {
      const body = { name: 'Ọlá "Quoted" \\ Sons' }
      const { id } = ok(await app.a.post('/i/v1/buyers', { token: own.token, body }), 201)
      return invoiceBody[form]({ ...own, buyerId: id })
    },
    ...(form === 'A' && {
      'one without a buyer': async () => invoiceBody.A(own, { buyerId: null, invoiceKind: 'B2C' }),
    }),
  }

  test.each(Object.keys(bodies))('%s: a reply with a key equals one without', async (name) => {
    const body = (await bodies[name]?.()) as { invoiceNumber?: string }
    const key = newId()
    const keyed = await send(key, body, own, app, form)
    const plain = await send(
      undefined,
      { ...body, ...(body.invoiceNumber && { invoiceNumber: newNumber() }) },
      own,
      app,
      form,
    )
    const { id, invoiceNumber, ...said } = ok(keyed, 201)
    const { id: _, invoiceNumber: __, ...expected } = ok(plain, 201)
    expect(said).toEqual(expected)
    const { data: read } = await app.client(form).get(`${path}/${id}`, { token: own.token })
    expect({ id, invoiceNumber, ...said }).toEqual(read)
    expect(keyed.headers.get('location')).toBe(`${keyed.form.prefix}${path}/${id}`)
    expect(keyed.headers.get('etag')).toBe(plain.headers.get('etag'))
    expect((await keyRow(key)).answer).toEqual(expect.any(Buffer))
  })
})

test('a repeated request gets the first reply byte for byte, even if draft and buyer changed', async () => {
  const { token } = own
  const buyer = ok(await app.a.post('/i/v1/buyers', { token, body: { ...buyerDetails, taxId: '87654321-0001' } }), 201)
  const body = invoiceBody.A({ buyerId: buyer.id }, { notes: 'as it was' })
  const key = newId()
  const first = await send(key, body)
  ok(await app.a.patch(`${path}/${ok(first, 201).id}`, { token, body: { notes: 'as it is' } }))
  ok(await app.a.patch(`/i/v1/buyers/${buyer.id}`, { token, body: { name: 'Renamed' } }))
  for (const node of [app, other]) {
    const again = await send(key, body, own, node)
    expect([again.status, again.text, isReplay(again)]).toEqual([201, first.text, true])
    for (const header of ['content-type', 'location', 'etag'])
      expect(again.headers.get(header)).toBe(first.headers.get(header))
  }
  expectRefusal(await send(key, { ...body, notes: 'another' }), 'idempotency.body_differs')
})

test('a reply made of table data is stored unencrypted, and the request is not stored', async () => {
  const key = newId()
  const body = invoiceBody.A(own, { notes: 'between us' })
  const lineItems = body.lineItems.flatMap((line) => Array.from({ length: 5 }, () => line))
  const { data } = await send(key, { ...body, lineItems })
  const { answer, bodyMac, said, sealedBody } = await keyRow(key)
  expect(answer.toString()).toContain('between us')
  expect(bodyMac).toMatch(/^\w+\.[\w-]{43}\.F$/)
  expect(sealedBody).toBeNull()
  expect(said).toEqual({
    number: data.invoiceNumber,
    kind: 'B2B',
    sellerId: own.sellerId,
    buyerName: buyerDetails.name,
    buyerTaxId: buyerDetails.taxId,
  })
})

test('of many concurrent requests, some with used keys, each gets its own correct reply', async () => {
  const person = await issuer(app)
  const archived = await archivedBuyer(app, person)
  const body = (at: number, more: object = {}) => invoiceBody.A(person, { notes: `draft ${at}`, ...more })
  const keys = Array.from({ length: 60 }, () => newId())
  // Used before: the tenth for the same request, the twentieth for another.
  const taken = await send(keys[10], body(10), person)
  await send(keys[20], body(99), person)
  const before = await tracesOf(app, person)
  const replies = await Promise.all(
    keys.map((key, at) =>
      send(at % 3 === 1 && at !== 10 ? undefined : key, body(at, at === 30 ? { buyerId: archived } : {}), person),
    ),
  )
  for (const [at, reply] of replies.entries()) {
    if (at === 20) expectRefusal(reply, 'idempotency.body_differs')
    else if (at === 30) expectRefusal(reply, 'invoice.buyer_archived')
    else expect([reply.status, reply.data.notes, isReplay(reply)]).toEqual([201, `draft ${at}`, at === 10])
  }
  expect(replies[10]?.text).toBe(taken.text)
  const after = await tracesOf(app, person)
  expect([after.invoices, after.credits]).toEqual([(before.invoices as number) + 57, (before.credits as number) - 57])
  // Every third request has no key, and refused requests store nothing.
  expect(after.keys).toBe((before.keys as number) + replies.filter((r, at) => r.status === 201 && at % 3 !== 1).length)
  await expectBooksInOrder(app)
})

test('equal concurrent requests on two nodes have one effect and one reply', async () => {
  const before = await tracesOf(app, own)
  const keys = Array.from({ length: 4 }, () => newId())
  const replies = await Promise.all(
    Array.from({ length: 48 }, (_, at) =>
      send(
        at % 4 === 0 ? undefined : keys[at % 4],
        invoiceBody.A(own, { notes: `equal ${at % 4}` }),
        own,
        at % 8 < 4 ? app : other,
      ),
    ),
  )
  expect(replies.map(({ status }) => status)).toEqual(Array(48).fill(201))
  for (const nth of [1, 2, 3]) {
    const equal = replies.filter((_, at) => at % 4 === nth)
    expect(new Set(equal.map(({ text }) => text)).size).toBe(1)
    expect(equal.filter(isReplay)).toHaveLength(11)
  }
  const after = await tracesOf(app, own)
  expect([after.invoices, after.keys]).toEqual([(before.invoices as number) + 12 + 3, (before.keys as number) + 3])
})

test('an expired key is free again, even if its row still exists', async () => {
  const key = newId()
  const first = await send(key, invoiceBody.A(own))
  await app.runtime.db.run(sql`update idempotency_keys set expires_at = ${app.clock.now()} where key = ${key}`)
  const second = await send(key, invoiceBody.A(own, { notes: 'a day later' }))
  expect([second.status, isReplay(second), second.data.id === first.data.id]).toEqual([201, false, false])
  const again = await send(key, invoiceBody.A(own, { notes: 'a day later' }))
  expect([again.text, isReplay(again)]).toEqual([second.text, true])
})

test('after a connection that broke before the write, the same key tries again', async () => {
  const key = newId()
  const body = invoiceBody.A(own, { notes: 'broken' })
  const before = await tracesOf(app, own)
  const first = await app.runtime.db.transaction(async (tx) => {
    await tx.run(sql`select 1 from credit_balances where organisation_id = ${own.organisationId} for update`)
    const waiting = send(key, body)
    const stuck = await eventually(async () => {
      const [one] = await listLockWaits(app.owner)
      if (!one) throw new Error('no request waits for the lock')
      return one
    })
    await tx.run(sql`select pg_terminate_backend(${stuck.pid}::int)`)
    return await waiting
  })
  expectRefusal(first, 'dependency.unavailable')
  const again = await send(key, body)
  expect([again.status, isReplay(again)]).toEqual([201, false])
  expect((await tracesOf(app, own)).invoices).toBe((before.invoices as number) + 1)
})
