import { expect, test } from 'vitest'
import { startTestApp } from '../harness/app.ts'
import { eventually } from '../harness/eventually.ts'
import { rowsLeft } from './rows-left.ts'
import { comeBack, ok, signUp } from './telling.ts'

const address = { line1: '14 Allen Avenue', city: 'Ikeja', state: 'Lagos', country: 'NG' }

interface BuyerFacts {
  readonly name: string
  readonly taxId?: string
  readonly phone?: string
}

/** The differences between the two forms. The story itself uses none of them directly. */
const tongues = {
  A: {
    rename: (name: string) => ({ name }),
    buyer: ({ name, taxId, phone = '+2348030000001' }: BuyerFacts) => ({
      name,
      ...(taxId === undefined ? {} : { taxId }),
      email: 'orders@buyer.test',
      phone,
      address,
      partyType: 'company',
    }),
    change: ({ taxId }: { taxId: string }) => ({ taxId }),
    statusOf: (data: { taxIdStatus: string }) => data.taxIdStatus,
  },
  B: {
    rename: (businessName: string) => ({ businessName }),
    buyer: ({ name, taxId, phone = '+2348030000001' }: BuyerFacts) => ({
      partyName: name,
      ...(taxId === undefined ? {} : { taxNumber: taxId }),
      email: 'orders@buyer.test',
      phoneNumber: phone,
      postalAddress: address,
      partyType: 'company',
    }),
    change: ({ taxId }: { taxId: string }) => ({ taxNumber: taxId }),
    statusOf: (data: { taxNumberStatus: string }) => data.taxNumberStatus,
  },
}

/** A fortnight in which a shop creates its buyers and items, through one form. */
async function tell(form: 'A' | 'B') {
  const app = await startTestApp({ authority: ['sandbox'], now: '2026-05-04T08:00:00Z' })
  try {
    const client = app.client(form)
    const { rename, buyer, change, statusOf } = tongues[form]
    const tunde = await signUp(app, client, 'tunde@shop.test', {
      firstName: 'Tunde',
      lastName: 'Bakare',
      organizationName: 'Bakare',
    })
    const sellerIs = (name: string) =>
      eventually(async () => {
        const { data } = await ok(client.get('/i/v1/sellers', { token: tunde.token }))
        expect(data.map((seller: { name?: string; partyName?: string }) => seller.name ?? seller.partyName)).toEqual([
          name,
        ])
      })
    await sellerIs('Bakare')

    // Monday: the shop gets its proper name, and so does its seller.
    await ok(client.patch('/a/v1/organizations/me', { token: tunde.token, body: rename('Bakare Provisions') }))
    await sellerIs('Bakare Provisions')

    // Tuesday: three buyers. One tax number is mistyped, and the authority does not know it.
    app.clock.set('2026-05-05T09:00:00Z')
    await comeBack(client, tunde)
    const create = async (facts: BuyerFacts): Promise<string> => {
      app.clock.advance({ minutes: 1 })
      return (await ok(client.post('/i/v1/buyers', { token: tunde.token, body: buyer(facts) }))).data.id
    }
    const bello = await create({ name: 'Bello Foods Ltd', taxId: '20411873-0001' })
    const kano = await create({ name: 'Kano Textiles PLC', taxId: '21099384-9404' })
    const twice = await create({ name: 'Bello Foods' })
    const verify = async (id: string, status: string) => {
      app.clock.advance({ minutes: 1 })
      await ok(client.post(`/i/v1/buyers/${id}/verify-tax-number`, { token: tunde.token }))
      await eventually(async () => {
        const { data } = await ok(client.get(`/i/v1/buyers/${id}`, { token: tunde.token }))
        expect(statusOf(data)).toBe(status)
      })
    }
    await verify(bello, 'verified')
    await verify(kano, 'not_found')

    // The next week: the number is corrected, and the duplicate buyer is deleted.
    app.clock.set('2026-05-11T10:00:00Z')
    await comeBack(client, tunde)
    await ok(client.patch(`/i/v1/buyers/${kano}`, { token: tunde.token, body: change({ taxId: '21099384-0002' }) }))
    await verify(kano, 'verified')
    await ok(client.delete(`/i/v1/buyers/${twice}`, { token: tunde.token }))

    // Items: rice by the bag, delivery by the trip. The old price is archived.
    const item = (name: string, more: object) => ({
      name,
      productCategory: 'Shop',
      currency: 'NGN',
      taxCategory: 'standard',
      unitPriceMinor: '7500000',
      ...more,
    })
    const rice = { itemType: 'goods', hsnCode: '100630', unitCode: 'XBG', sku: 'RICE-50' }
    const old = await ok(client.post('/i/v1/items', { token: tunde.token, body: item('Rice, 50 kg', rice) }))
    app.clock.advance({ minutes: 1 })
    await ok(client.post(`/i/v1/items/${old.data.id}/archive`, { token: tunde.token }))
    app.clock.advance({ minutes: 1 })
    const better = item('Rice, 50 kg, parboiled', { ...rice, taxCategory: 'exempt', unitPriceMinor: '7250000.50' })
    await ok(client.post('/i/v1/items', { token: tunde.token, body: better }))
    app.clock.advance({ minutes: 1 })
    const trip = { itemType: 'service', serviceCode: '4923', unitCode: 'EA' }
    await ok(client.post('/i/v1/items', { token: tunde.token, body: item('Delivery', trip) }))

    const { data: account } = await ok(client.get('/b/v1/billing-accounts/me', { token: tunde.token }))
    // Charged: three buyers, one edit and three checks with an answer.
    expect(account.creditBalance).toBe(100_000 - 3 - 1 - 15)

    const tables = [
      ['sellers', 'created_at'],
      ['buyers', 'created_at'],
      ['tax_number_checks', 'started_at'],
      ['items', 'created_at'],
      ['credit_moves', 'created_at'],
      ['events', 'created_at'],
    ] as const
    return await rowsLeft(app.runtime.db, tables)
  } finally {
    await app.close()
  }
}

test('a company knows its buyers, and both forms leave the same rows', async () => {
  const [throughA, throughB] = [await tell('A'), await tell('B')]
  const events = (rows: unknown[] | undefined) => rows?.map((event) => (event as { type: string }).type).sort()
  expect(events(throughB.events)).toEqual(events(throughA.events))
  for (const table of ['sellers', 'buyers', 'tax_number_checks', 'items'] as const)
    expect(throughB[table]).toEqual(throughA[table])
  expect(throughB.credit_moves).toHaveLength(throughA.credit_moves?.length ?? 0)
  expect(throughA.buyers).toMatchObject([
    { name: 'Bello Foods Ltd', tax_id_status: 'verified' },
    { name: 'Kano Textiles PLC', tax_id_normal: '210993840002', tax_id_status: 'verified' },
  ])
})
