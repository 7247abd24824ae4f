import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal, faultPaths } from '../../../../../test/harness/client.ts'
import { type Issuer, issuer } from '../../../../../test/harness/invoices.ts'
import { type Life, lifeOf, ok, invoicesPath as path } from '../../../../../test/harness/issued.ts'

let app: TestApp
let own: Issuer
let life: Life
beforeAll(async () => {
  app = await startTestApp({ now: '2026-11-15T09:00:00Z' })
  own = await issuer(app)
  life = lifeOf(app, own)
})
afterAll(() => app.close())

const removeBuyer = async (id: string) => ok(await app.a.delete(`/i/v1/buyers/${id}`, { token: own.token })).outcome
const removeSeller = (id: string) => app.b.delete(`/i/v1/sellers/${id}`, { token: own.token })
const removeItem = (id: string) => app.a.delete(`/i/v1/items/${id}`, { token: own.token })
const removeInvoice = (id: string) => app.a.delete(`${path}/${id}`, { token: own.token })

describe('a buyer', () => {
  test('is archived if an issued invoice names it', async () => {
    const buyerId = await life.buyer()
    await life.issued({ buyerId })
    expect(await removeBuyer(buyerId)).toBe('archived')
  })

  test('is deleted if only drafts name it; these drafts then have no buyer and cannot be issued', async () => {
    const buyerId = await life.buyer()
    const draft = await life.draft({ buyerId })
    expect(await removeBuyer(buyerId)).toBe('deleted')
    expect(await life.get(draft.id)).toEqual({ ...draft, buyerId: null, buyer: null })
    const refused = await life.act(draft.id, 'finalise')
    expectRefusal(refused, 'invoice.finalise.incomplete')
    expect(faultPaths(refused)).toEqual(['buyerId'])
    const body = { buyerId: own.buyerId }
    ok(await app.a.patch(`${path}/${draft.id}`, { token: own.token, body }))
    expect(ok(await life.act(draft.id, 'finalise')).buyerId).toBe(own.buyerId)
  })

  test('can be deleted if only a reopened invoice names it', async () => {
    const buyerId = await life.buyer()
    const { id } = await life.issued({ buyerId })
    ok(await life.act(id, 'reopen'))
    expect(await removeBuyer(buyerId)).toBe('deleted')
    expect((await life.get(id)).buyer).toBeNull()
  })

  test('is either deleted or issued to by concurrent requests, never both', async () => {
    for (let round = 0; round < 5; round++) {
      const buyerId = await life.buyer()
      const { id } = await life.draft({ buyerId })
      const [finalised, removed] = await Promise.all([life.act(id, 'finalise'), removeBuyer(buyerId)])
      if (finalised.status === 200) expect(removed).toBe('archived')
      else {
        expectRefusal(finalised, 'invoice.finalise.incomplete')
        expect(removed).toBe('deleted')
      }
    }
  })
})

describe('a saved item', () => {
  const goods = { name: 'Broiler', description: 'Day old', itemType: 'goods', hsnCode: '0105.11', unitCode: 'EA' }
  const price = { productCategory: 'Poultry', unitPriceMinor: '350000', currency: 'NGN', taxCategory: 'STANDARD_VAT' }
  const newItem = async (): Promise<string> =>
    ok(await app.a.post('/i/v1/items', { token: own.token, body: { ...goods, ...price } }), 201).id
  const naming = (itemId: string) => ({ lineItems: [{ itemId, quantity: '1' }] })
  const refusedFor = async (itemId: string) => {
    const refused = await removeItem(itemId)
    expectRefusal(refused, 'item.in_use')
    expect([refused.status, refused.body.error.code]).toEqual([409, 'BIZ004'])
  }

  test('cannot be deleted while a line of a draft names it', async () => {
    const [first, second] = [await newItem(), await newItem()]
    const { id } = await life.draft(naming(first))
    await refusedFor(first)
    ok(await app.a.patch(`${path}/${id}`, { token: own.token, body: naming(second) }))
    ok(await removeItem(first))
    await refusedFor(second)
    ok(await removeInvoice(id))
    ok(await removeItem(second))
  })

  test('cannot be deleted if an issued invoice or its note names it', async () => {
    const itemId = await newItem()
    const { id } = await life.issued(naming(itemId))
    await refusedFor(itemId)
    const note = ok(await life.credit(id), 201)
    expect(note.lineItems[0].itemId).toBe(itemId)
    ok(await removeInvoice(note.id))
    await refusedFor(itemId)
  })
})

describe('a seller', () => {
  test('cannot be deleted if an issued invoice names it', async () => {
    const sellerId = await life.seller()
    const { id } = await life.issued({ sellerId }, 'B')
    const refused = await removeSeller(sellerId)
    expectRefusal(refused, 'seller.in_use')
    expect([refused.status, refused.body.error.code]).toEqual([409, 'BIZ004'])
    ok(await life.act(id, 'reopen'))
    ok(await removeSeller(sellerId))
    const lacking = await life.act(id, 'finalise')
    expectRefusal(lacking, 'invoice.finalise.incomplete')
    expect(faultPaths(lacking)).toEqual(['sellerId'])
  })

  test('is deleted if only a draft names it', async () => {
    const sellerId = await life.seller()
    await life.draft({ sellerId }, 'B')
    ok(await removeSeller(sellerId))
  })
})
