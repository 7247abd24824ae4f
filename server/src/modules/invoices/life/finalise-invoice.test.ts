import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal, faultPaths } from '../../../../../test/harness/client.ts'
import { type Issuer, issuer } from '../../../../../test/harness/invoices.ts'
import { type Life, lifeOf, ok, invoicesPath as path } from '../../../../../test/harness/issued.ts'
import { eventsAbout } from '../../../../../test/harness/purchases.ts'
import { type Sql, sql } from '../../../platform/database/sql.ts'

let app: TestApp
let own: Issuer
let life: Life
beforeAll(async () => {
  app = await startTestApp({ now: '2026-11-15T09:00:00Z' })
  own = await issuer(app)
  life = lifeOf(app, own)
})
afterAll(() => app.close())

const copiesOf = (id: string) =>
  app.runtime.db.one<{ sellerCopy: object | null; buyerCopy: object | null }>(
    sql`select seller_copy, buyer_copy from invoices where id = ${id}`,
  )

describe.each(['A', 'B'] as const)('through form %s', (form) => {
  const finalise = (id: string) => app.client(form).post(`${path}/${id}/finalise`, { token: own.token })

  test('a draft is finalised without a connection to the authority, at no further cost', async () => {
    const draft = await life.draft({}, form)
    const before = await life.balance()
    const reply = await finalise(draft.id)
    expect(ok(reply)).toMatchObject({
      id: draft.id,
      invoiceNumber: draft.invoiceNumber,
      status: 'finalised',
      simpleStatus: 'issued',
      reporting: { status: 'not_reported', delivery: 'none', irn: null },
      finalisedAt: '2026-11-15T09:00:00.000Z',
      payableMinor: draft.payableMinor,
      lineItems: draft.lineItems,
    })
    expect(reply.headers.get('etag')).toBe('"2"')
    const { warnings, ...issued } = reply.data
    expect(warnings).toEqual([])
    expect((await app.client(form).get(`${path}/${draft.id}`, { token: own.token })).data).toEqual(issued)
    expect(await life.balance()).toBe(before)
    expect(await life.told(draft.id)).toEqual(['invoice.created', 'invoice.finalised'])
  })

  test('a document of the last day that there is can be issued', async () => {
    const { id } = await life.draft({ invoiceDate: '9999-12-31', dueDate: '9999-12-31' }, form)
    expect(ok(await finalise(id))).toMatchObject({ status: 'finalised', invoiceDate: '9999-12-31' })
  })

  test('an issued document cannot be finalised, changed or deleted', async () => {
    const { id } = await life.issued({}, form)
    const again = await finalise(id)
    expectRefusal(again, 'invoice.finalise.not_draft')
    const expected = { A: [409, 'BIZ201'], B: [400, 'INV003'] }[form]
    expect([again.status, again.body.error.code]).toEqual(expected)
    const client = app.client(form)
    const edited = await client.patch(`${path}/${id}`, { token: own.token, body: { notes: 'New' } })
    expectRefusal(edited, 'invoice.edit.not_draft')
    expectRefusal(await client.delete(`${path}/${id}`, { token: own.token }), 'invoice.delete.not_draft')
    expect(await life.told(id)).toEqual(['invoice.created', 'invoice.finalised'])
  })

  test('a draft without buyer and seller is refused, and each is named', async () => {
    const [buyerId, sellerId] = [await life.buyer(), await life.seller()]
    const draft = await life.draft({ buyerId, sellerId }, 'B')
    ok(await app.a.delete(`/i/v1/buyers/${buyerId}`, { token: own.token }))
    ok(await app.b.delete(`/i/v1/sellers/${sellerId}`, { token: own.token }))
    const reply = await finalise(draft.id)
    expectRefusal(reply, 'invoice.finalise.incomplete')
    expect([reply.status, reply.body.error.code]).toEqual([{ A: 409, B: 400 }[form], 'BIZ004'])
    expect(faultPaths(reply)).toEqual(['buyerId', 'sellerId'])
    expect((await life.get(draft.id)).status).toBe('draft')
  })

  test('finalising names the letters that the PDF cannot draw', async () => {
    const buyerId = await life.buyer({ name: 'Amina 中文 𐎠 Stores' })
    const draft = await life.draft({ buyerId, notes: 'ꦏ and ꦏ, شركة' }, form)
    expect(ok(await finalise(draft.id)).warnings).toEqual([
      {
        path: 'buyer.name',
        rule: 'document.letters',
        message: 'has characters that the PDF shows as boxes: 𐎠 (U+103A0)',
      },
      { path: 'notes', rule: 'document.letters', message: 'has characters that the PDF shows as boxes: ꦏ (U+A98F)' },
    ])
    // A note is finalised by the fallback, together with its original.
    const note = ok(
      await app.a.post(`${path}/${draft.id}/credit-notes`, { token: own.token, body: { reason: 'Wet bags' } }),
      201,
    )
    const payload = ok(await finalise(note.id)).warnings.map((warning: { path: string }) => warning.path)
    expect(payload).toContain('buyer.name')
  })

  test('an unknown invoice cannot be finalised', async () => {
    expectRefusal(await finalise(randomUUID()), 'resource.not_found')
  })
})

test('only invoices to consumers need no buyer', async () => {
  const drafted = (invoiceKind: string) => life.draft({ buyerId: null, invoiceKind })
  const refused = await life.act((await drafted('B2B')).id, 'finalise')
  expectRefusal(refused, 'invoice.finalise.incomplete')
  expect(faultPaths(refused)).toEqual(['buyerId'])
  const consumer = ok(await life.act((await drafted('B2C')).id, 'finalise'))
  expect(consumer).toMatchObject({ status: 'finalised', buyerId: null, buyer: null })
  expect((await copiesOf(consumer.id)).buyerCopy).toBeNull()
})

test('a draft for an archived buyer is refused', async () => {
  const buyerId = await life.buyer()
  const draft = await life.draft({ buyerId })
  await life.issued({ buyerId })
  expect(ok(await app.a.delete(`/i/v1/buyers/${buyerId}`, { token: own.token })).outcome).toBe('archived')
  const refused = await life.act(draft.id, 'finalise')
  expectRefusal(refused, 'invoice.finalise.incomplete')
  expect(faultPaths(refused)).toEqual(['buyerId'])
})

test('an issued document keeps copies of its parties, whatever happens to them', async () => {
  const buyerId = await life.buyer({ name: 'First Name', taxId: '20198222-0002' })
  const { warnings: _, ...before } = await life.issued({ buyerId })
  const { token } = own
  ok(await app.a.patch(`/i/v1/buyers/${buyerId}`, { token, body: { name: 'Second Name', taxId: '87654321-0001' } }))
  await app.runtime.db.run(sql`update sellers set name = 'Renamed Seller' where id = ${own.sellerId}`)
  const copies = await copiesOf(before.id)
  expect(copies).toMatchObject({
    sellerCopy: { name: 'Eze Stores' },
    buyerCopy: { name: 'First Name', taxId: '20198222-0002', address: { city: 'Lagos' }, email: 'accounts@chidi.test' },
  })
  expect((await life.get(before.id)).buyer).toEqual({ name: 'First Name', taxId: '20198222-0002' })
  ok(await app.a.delete(`/i/v1/buyers/${buyerId}`, { token }))
  expect(await life.get(before.id)).toEqual(before)
  expect(await copiesOf(before.id)).toEqual(copies)
  await app.runtime.db.run(sql`update sellers set name = 'Eze Stores' where id = ${own.sellerId}`)
})

describe('the database itself', () => {
  const contents: [string, Sql][] = [
    ['number', sql`number = 'X1'`],
    ['kind', sql`kind = 'B2C'`],
    ['type', sql`type = 'prepayment'`],
    ['buyer', sql`buyer_id = null`],
    ['seller', sql`seller_id = null`],
    ['day', sql`issue_date = issue_date - 1`],
    ['due day', sql`due_date = due_date + 1`],
    ['currency', sql`currency = 'USD'`],
    ['lines', sql`lines = '[]'`],
    ['taxes', sql`tax_groups = '[]'`],
    ['net and allowance', sql`net_minor = net_minor + 1, allowance_minor = allowance_minor + 1`],
    ['tax and rounding', sql`tax_minor = tax_minor + 1, rounding_minor = rounding_minor - 1`],
    ['charge and rounding', sql`charge_minor = charge_minor + 1, rounding_minor = rounding_minor - 1`],
    ['sum', sql`payable_minor = payable_minor + 1, rounding_minor = rounding_minor + 1`],
    ['copy of the seller', sql`seller_copy = null`],
    ['copy of the buyer', sql`buyer_copy = null`],
    ['copy of the letterhead', sql`letterhead_copy = '{"bank": null, "logo": "x"}'`],
    ['terms', sql`payment_terms = 'now'`],
    ['notes', sql`notes = 'other'`],
    ['references', sql`purchase_order_reference = 'PO-2'`],
    ['reason', sql`reason = 'none'`],
    ['moment of issue', sql`finalised_at = now() + interval '1 second'`],
  ]
  test.each(contents)('refuses to change the %s of what was issued', async (_, change) => {
    const { id } = await issuedOnce()
    await expect(app.runtime.db.run(sql`update invoices set ${change} where id = ${id}`)).rejects.toThrow(
      'an issued document cannot be changed',
    )
  })

  test('refuses to delete an issued document, and lets its status change', async () => {
    const { id } = await issuedOnce()
    await expect(app.runtime.db.run(sql`delete from invoices where id = ${id}`)).rejects.toThrow(
      'an issued document cannot be changed',
    )
    expect(await app.runtime.db.run(sql`update invoices set paid_minor = 1, status = 'queued' where id = ${id}`)).toBe(
      1,
    )
  })

  let once: ReturnType<Life['issued']> | undefined
  const issuedOnce = () => {
    once ??= life.issued()
    return once
  }
})

test('the event describes the issued document', async () => {
  const { id, invoiceNumber, payableMinor, taxMinor } = await life.issued()
  expect((await eventsAbout(app, id)).at(-1)).toMatchObject({
    type: 'invoice.finalised',
    mode: 'sandbox',
    organisationId: own.organisationId,
    data: {
      invoiceId: id,
      invoiceNumber,
      invoiceType: 'standard',
      invoiceKind: 'B2B',
      status: 'finalised',
      buyerId: own.buyerId,
      currency: 'NGN',
      payableMinor,
      taxMinor,
      jurisdiction: 'NG',
      authorityReference: null,
      submittedAt: null,
    },
  })
})
