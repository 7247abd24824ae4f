import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal, faultPaths } from '../../../../../test/harness/client.ts'
import { type Issuer, issuer } from '../../../../../test/harness/invoices.ts'
import { type Life, lifeOf, ok, invoicesPath as path } from '../../../../../test/harness/issued.ts'
import { sql } from '../../../platform/database/sql.ts'

let app: TestApp
let own: Issuer
let life: Life
beforeAll(async () => {
  app = await startTestApp({ now: '2026-11-15T09:00:00Z' })
  own = await issuer(app)
  life = lifeOf(app, own)
})
afterAll(() => app.close())

const reopen = (id: string) => life.act(id, 'reopen')

test('an issued invoice that nobody has seen becomes a draft again, under its number', async () => {
  const issued = await life.issued()
  const { token, buyerId } = own
  ok(await app.a.patch(`/i/v1/buyers/${buyerId}`, { token, body: { name: 'Chidi and Daughters' } }))
  const reply = await reopen(issued.id)
  expect(ok(reply)).toMatchObject({
    id: issued.id,
    invoiceNumber: issued.invoiceNumber,
    status: 'draft',
    simpleStatus: 'draft',
    finalisedAt: null,
    payableMinor: issued.payableMinor,
    buyer: { name: 'Chidi and Daughters' },
  })
  expect(reply.headers.get('etag')).toBe('"3"')
  expect(await life.get(issued.id)).toEqual(reply.data)
  const [row] = await app.runtime.db.rows(
    sql`select seller_copy, buyer_copy, letterhead_copy from invoices where id = ${issued.id}`,
  )
  expect(row).toEqual({ sellerCopy: null, buyerCopy: null, letterheadCopy: null })
  const edited = await app.a.patch(`${path}/${issued.id}`, { token, body: { notes: 'Mended' } })
  expect(ok(edited)).toMatchObject({ notes: 'Mended', invoiceNumber: issued.invoiceNumber })
  expect(ok(await life.act(issued.id, 'finalise'))).toMatchObject({
    status: 'finalised',
    buyer: { name: 'Chidi and Daughters' },
  })
  expect(await life.told(issued.id)).toEqual([
    'invoice.created',
    'invoice.finalised',
    'invoice.reopened',
    'invoice.updated',
    'invoice.finalised',
  ])
})

test('an invoice that the authority rejected before signing becomes a draft again', async () => {
  const { id } = await life.issued()
  await life.become(id, 'rejected')
  expect(ok(await reopen(id)).status).toBe('draft')
})

describe('refused', () => {
  const obstacles: [string, (id: string) => Promise<unknown>, string[]][] = [
    ['sent', (id) => life.act(id, 'send'), ['sentAt']],
    ['shared', (id) => life.act(id, 'share'), ['sharedAt']],
    [
      'shared once, although the link has ended',
      async (id) => {
        await life.act(id, 'share')
        await app.a.delete(`${path}/${id}/share`, { token: own.token })
      },
      ['sharedAt'],
    ],
    ['paid in part', (id) => life.pay(id, 1), ['paidMinor']],
    ['corrected by the draft of a note', (id) => life.credit(id, { amount: '1.00' }), ['creditedMinor']],
    ['queued for the authority', (id) => life.become(id, 'queued'), ['status']],
    ['accepted', (id) => life.become(id, 'accepted'), ['status']],
    ['cancelled', (id) => life.become(id, 'cancelled'), ['status']],
    [
      'all of it at once',
      async (id) => {
        await life.act(id, 'send')
        await life.act(id, 'share')
        await life.pay(id, 1)
        await life.credit(id, { amount: '1.00' })
        await life.become(id, 'signed')
      },
      ['creditedMinor', 'paidMinor', 'sentAt', 'sharedAt', 'status'],
    ],
  ]
  test.each(obstacles)('once it was %s', async (_, happens, paths) => {
    const { id } = await life.issued()
    await happens(id)
    const before = await life.get(id)
    const refused = await reopen(id)
    expectRefusal(refused, 'invoice.reopen.not_possible')
    expect([refused.status, refused.body.error.code]).toEqual([409, 'BIZ004'])
    expect(faultPaths(refused)).toEqual(paths)
    expect(await life.get(id)).toEqual(before)
  })

  test('for a draft', async () => {
    const refused = await reopen((await life.draft()).id)
    expectRefusal(refused, 'invoice.reopen.not_possible')
    expect(faultPaths(refused)).toEqual(['status'])
  })

  test('for an unknown id', async () => {
    expectRefusal(await reopen(randomUUID()), 'resource.not_found')
  })
})

test('after its payments are reversed and its draft notes deleted, it can be reopened and deleted', async () => {
  const { id } = await life.issued()
  const { payment } = ok(await life.pay(id, 1), 201)
  const note = ok(await life.credit(id, { amount: '1.00' }), 201)
  ok(await app.a.delete(`${path}/${id}/payments/${payment.id}`, { token: own.token }))
  ok(await app.a.delete(`${path}/${note.id}`, { token: own.token }))
  expect(ok(await reopen(id)).status).toBe('draft')
  ok(await app.a.delete(`${path}/${id}`, { token: own.token }))
  expectRefusal(await app.a.get(`${path}/${id}`, { token: own.token }), 'resource.not_found')
})

test('the other form has the route, and refuses with its own codes', async () => {
  const { id } = await life.issued()
  const reply = await app.b.post(`${path}/${id}/reopen`, { token: own.token })
  expect(ok(reply)).toMatchObject({ id, status: 'draft' })
  const refused = await app.b.post(`${path}/${id}/reopen`, { token: own.token })
  expectRefusal(refused, 'invoice.reopen.not_possible')
  expect([refused.status, refused.body.error.code]).toEqual([400, 'BIZ004'])
})
