import type { Person, TestApp } from './app.ts'

/** An organisation that can issue invoices at once: it has a billing account and a complete seller. */
export interface Issuer extends Person {
  readonly sellerId: string
  readonly buyerId: string
}

export const buyerDetails = {
  name: 'Chidi Stores Limited',
  taxId: '12345678-0001',
  email: 'accounts@chidi.test',
  phone: '+2348031234567',
  address: { line1: '12 Marina Road', city: 'Lagos', state: 'Lagos', country: 'NG' },
}

/** Creates a person whose organisation has a billing account, a seller and one buyer. */
export async function issuer(app: TestApp, options: { mode?: 'sandbox' | 'live' } = {}): Promise<Issuer> {
  const person = await app.person(options)
  await app.openAccount(person.organisationId)
  const { token } = person
  const sellers = await app.a.get('/i/v1/sellers', { token })
  const buyer = await app.a.post('/i/v1/buyers', { token, body: buyerDetails })
  return { ...person, sellerId: sellers.data[0].id, buyerId: buyer.data.id }
}

const goods = { description: 'Bag of cement', hsnCode: '2523.29', unitCode: 'XBG' }

/** The same invoice in each form: three bags of cement at 4,500.50 with 7.5 % VAT. */
export const invoiceBody = {
  A: ({ buyerId }: Pick<Issuer, 'buyerId'>, more: object = {}) => ({
    buyerId,
    invoiceKind: 'B2B',
    invoiceDate: '2026-11-02',
    dueDate: '2026-12-02',
    currency: 'NGN',
    lineItems: [{ ...goods, quantity: '3', unitPrice: '4500.50', taxCategory: 'standard' }],
    ...more,
  }),
  B: ({ buyerId, sellerId }: Pick<Issuer, 'buyerId' | 'sellerId'>, more: object = {}) => ({
    sellerId,
    buyerId,
    invoiceNumber: `B-${++given}`,
    invoiceDate: '2026-11-02',
    dueDate: '2026-12-02',
    currency: 'NGN',
    lineItems: [{ ...goods, quantity: 3, unitPrice: 4500.5, taxPercent: 7.5 }],
    ...more,
  }),
}
let given = 0
