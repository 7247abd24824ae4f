import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal } from '../../../../../test/harness/client.ts'
import { tracesOf } from '../../../../../test/harness/drafts.ts'
import { type Issuer, invoiceBody, issuer } from '../../../../../test/harness/invoices.ts'

let app: TestApp
let own: Issuer
beforeAll(async () => {
  app = await startTestApp({ now: '2026-11-15T09:00:00Z' })
  own = await issuer(app)
})
afterAll(() => app.close())

const path = '/i/v1/invoices'
const broiler = {
  name: 'Broiler',
  description: 'Frozen broiler, about 2 kg',
  itemType: 'goods',
  hsnCode: '0105.11',
  productCategory: 'Poultry',
  unitCode: 'EA',
  unitPriceMinor: '350012.5',
  currency: 'NGN',
  taxCategory: 'zero',
}

async function item(more: object = {}, token = own.token): Promise<string> {
  const made = await app.a.post('/i/v1/items', { token, body: { ...broiler, ...more } })
  expect(made.status, made.text).toBe(201)
  return made.data.id
}
const create = (lineItems: object[], more: object = {}) =>
  app.a.post(path, { token: own.token, body: invoiceBody.A(own, { lineItems, ...more }) })
async function lines(...lineItems: object[]) {
  const made = await create(lineItems)
  expect(made.status, made.text).toBe(201)
  return made.data.lineItems
}

test('a line is filled from its saved item', async () => {
  const itemId = await item()
  expect(await lines({ itemId, quantity: 2 })).toEqual([
    {
      itemId,
      description: 'Frozen broiler, about 2 kg',
      itemName: 'Broiler',
      hsnCode: '0105.11',
      isicCode: null,
      productCategory: 'Poultry',
      unitCode: 'EA',
      quantity: '2',
      unitPrice: '3500.125',
      discountAmount: '0.00',
      feeAmount: '0.00',
      taxCategory: 'ZERO_VAT',
      taxPercent: '0',
      netMinor: 700_025,
    },
  ])
})

test('a field that is sent overrides the item', async () => {
  const itemId = await item()
  const sent = {
    description: 'Two for one',
    itemName: 'Broiler (offer)',
    hsnCode: '0105.12',
    productCategory: 'Turkeys',
    unitCode: 'KGM',
    unitPrice: '0',
    taxCategory: 'STANDARD_VAT',
  }
  for (const [name, value] of Object.entries(sent)) {
    const [line] = await lines({ itemId, quantity: 1, [name]: value })
    expect(line[name]).toBe(name === 'unitPrice' ? '0.00' : value)
  }
  const [bare] = await lines({ itemId, quantity: 1, itemName: null })
  expect(bare).toMatchObject({ itemName: null, description: 'Frozen broiler, about 2 kg' })
  const [service] = await lines({ itemId, quantity: 1, isicCode: '6201' })
  expect(service, 'another code stands in place of the item’s, with its own category').toMatchObject({
    hsnCode: null,
    isicCode: '6201',
  })
  expect(service.productCategory).not.toBe('Poultry')
})

test('an item without a description lends its name, and a long description is cut between characters', async () => {
  expect(await lines({ itemId: await item({ description: null }), quantity: 1 })).toMatchObject([
    { description: 'Broiler' },
  ])
  const long = `${'x'.repeat(499)}🐔${'y'.repeat(100)}`
  const [line] = await lines({ itemId: await item({ description: long }), quantity: 1 })
  expect(line.description).toBe(`${'x'.repeat(499)}🐔`)
})

test('an item in another currency needs a price', async () => {
  const itemId = await item({ currency: 'USD' })
  const refused = await create([{ itemId, quantity: 1 }])
  expectRefusal(refused, 'request.invalid')
  expect(refused.body.error.details).toMatchObject([{ path: 'lineItems[0].unitPrice', rule: 'currency' }])
  expect(await lines({ itemId, quantity: 1, unitPrice: 7 })).toMatchObject([{ itemId, unitPrice: '7.00' }])
  expect((await create([{ itemId, quantity: 1 }], { currency: 'USD' })).status).toBe(201)
})

test('lines keep the values of the item from when they were made', async () => {
  const itemId = await item()
  const made = await create([{ itemId, quantity: 1 }])
  await app.a.patch(`/i/v1/items/${itemId}`, { token: own.token, body: { name: 'Hen', unitPriceMinor: '1' } })
  const read = await app.a.get(`${path}/${made.data.id}`, { token: own.token })
  expect(read.data.lineItems).toEqual(made.data.lineItems)
})

test('uses are counted once per line, and an item that a line names cannot be deleted', async () => {
  const [itemId, other] = [await item(), await item()]
  await lines({ itemId, quantity: 1 }, { itemId, quantity: 2 }, { itemId: other, quantity: 1 })
  await lines({ itemId, quantity: 1 })
  // Also by the fallback: the key makes it a transaction.
  const body = invoiceBody.A(own, { lineItems: [{ itemId, quantity: 1 }] })
  await app.a.post(path, { token: own.token, body, headers: { 'idempotency-key': 'counted-once' } })
  await app.quiet()
  const uses = async (id: string) => (await app.a.get(`/i/v1/items/${id}`, { token: own.token })).data
  expect(await uses(itemId)).toMatchObject({ useCount: 4, lastUsedAt: '2026-11-15T09:00:00.000Z' })
  expect(await uses(other)).toMatchObject({ useCount: 1 })
  expect((await app.a.delete(`/i/v1/items/${itemId}`, { token: own.token })).status).toBe(409)
})

test('all missing items are named, and nothing is saved', async () => {
  const stranger = await issuer(app)
  const theirs = await item({}, stranger.token)
  const live = await item({}, await app.key(own.organisationId, { mode: 'live' }))
  const before = await tracesOf(app, own)
  const refused = await create([
    { itemId: await item(), quantity: 1 },
    { itemId: theirs, quantity: 1 },
    { itemId: live, quantity: 1 },
  ])
  expectRefusal(refused, 'invoice.item_unknown')
  expect(refused.body.error.details).toMatchObject([{ path: 'lineItems[1].itemId' }, { path: 'lineItems[2].itemId' }])
  expect(await tracesOf(app, own)).toEqual({ ...before, events: (before.events as number) + 1 })
})

test('an archived item is refused on new lines, and stays on those that have it', async () => {
  const itemId = await item()
  const made = await create([{ itemId, quantity: 1 }])
  const archived = await app.a.post(`/i/v1/items/${itemId}/archive`, { token: own.token })
  expect(archived.status, archived.text).toBe(200)
  const refused = await create([
    { itemId: await item(), quantity: 1 },
    { itemId, quantity: 1 },
  ])
  expectRefusal(refused, 'invoice.item_archived')
  expect(refused.body.error.details).toMatchObject([{ path: 'lineItems[1].itemId', rule: 'archived' }])
  const change = (body: object) => app.a.patch(`${path}/${made.data.id}`, { token: own.token, body })
  expect((await change({ notes: 'still good' })).status).toBe(200)
  const again = await change({ lineItems: [{ itemId, quantity: 5 }] })
  expect([again.status, again.data.lineItems[0].quantity], again.text).toEqual([200, '5'])
})

test('an item that is deleted during the request is not found', async () => {
  for (let round = 0; round < 8; round++) {
    const itemId = await item()
    const [made, deleted] = await Promise.all([
      create([{ itemId, quantity: 1 }]),
      app.a.delete(`/i/v1/items/${itemId}`, { token: own.token }),
    ])
    if (deleted.status === 200) expectRefusal(made, 'invoice.item_unknown')
    else expect([made.status, deleted.status]).toEqual([201, 409])
  }
})
