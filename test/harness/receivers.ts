import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { Person, TestApp } from './app.ts'
import { eventually } from './eventually.ts'

export const receivedPath = '/i/v1/inbound-invoices'
export const sendingPath = '/sandbox/v1/received-invoices'

export interface ReceivedItem {
  readonly id: string
  readonly authorityReference: string
  readonly invoiceNumber: string
  readonly accessPoint: string
  readonly currency: string
  readonly validation: { readonly valid: boolean }
  readonly inputVat: object
}

export interface Receiver extends Person {
  readonly taxId: string
}

type Form = 'A' | 'B'

/** A complete document in the authority's format, as a supplier would send it. */
export const documentTo = (buyerTin: string, changes: object = {}) => {
  const party = (party_name: string, tin: string) => ({
    party_name,
    tin,
    email: 'accounts@oke.example',
    telephone: '+2348001234567',
    business_description: 'Wood works',
    postal_address: { street_name: '1 Market Street', city_name: 'Lagos', postal_zone: '100001', country: 'NG' },
  })
  return {
    business_id: randomUUID(),
    irn: `DOC${randomUUID().slice(0, 6).toUpperCase()}-59854B81-20261110`,
    issue_date: '2026-11-10',
    invoice_type_code: '381',
    invoice_kind: 'B2B',
    payment_status: 'PENDING',
    document_currency_code: 'NGN',
    tax_currency_code: 'NGN',
    accounting_supplier_party: party('Oke Wood Works', '20198222-0002'),
    accounting_customer_party: party('Eze Stores', buyerTin),
    tax_total: [
      {
        tax_amount: 75,
        tax_subtotal: [{ taxable_amount: 1000, tax_amount: 75, tax_category: { id: 'STANDARD_VAT', percent: 7.5 } }],
      },
    ],
    legal_monetary_total: {
      line_extension_amount: 1000,
      tax_exclusive_amount: 1000,
      tax_inclusive_amount: 1075,
      payable_amount: 1075,
    },
    invoice_line: [
      {
        hsn_code: '9403.60',
        product_category: 'Furniture',
        discount_rate: 0,
        discount_amount: 0,
        fee_rate: 0,
        fee_amount: 0,
        invoiced_quantity: 1,
        line_extension_amount: 1000,
        item: { name: 'Table', description: 'Table' },
        price: { price_amount: 1000, base_quantity: 1, price_unit: 'EA' },
      },
    ],
    ...changes,
  }
}

/** Helpers for organisations that receive invoices. `appOf` is called only after the app has started. */
export function receivers(appOf: () => TestApp) {
  async function connect({ token }: Person, businessId: string, keys?: { apiKey: string; apiSecret: string }) {
    const body = {
      authorityIdentifiers: { businessId, serviceId: '94ND90NR' },
      consent: { accepted: true, textVersion: '2026-11' },
      ...(keys ? { credentials: keys } : {}),
    }
    const reply = await appOf().a.post('/i/v1/tax-connection', { token, body })
    expect(reply.status, reply.text).toBe(201)
    return reply.data.taxId as string
  }

  /** A connected person whose feed was read once. */
  async function receiver(businessId = randomUUID().replace(/....$/, '7d11')): Promise<Receiver> {
    const person = await appOf().person()
    const taxId = await connect(person, businessId)
    await appOf().quiet()
    return { ...person, taxId }
  }

  const list = async ({ token }: Person, query = '', form: Form = 'A') => {
    const reply = await appOf().client(form).get(`${receivedPath}${query}`, { token })
    expect(reply.status, reply.text).toBe(200)
    return reply
  }
  const items = async (person: Person, query = '', form: Form = 'A'): Promise<ReceivedItem[]> =>
    (await list(person, query, form)).data.items
  const get = ({ token }: Person, id: string, form: Form = 'A') =>
    appOf().client(form).get(`${receivedPath}/${id}`, { token })

  /** Sends a received invoice to the person, and waits until it is stored and acknowledged. */
  async function sent({ token, ...person }: Person, body: object = {}, form: Form = 'A'): Promise<ReceivedItem> {
    const reply = await appOf().client(form).post(sendingPath, { token, body })
    expect(reply.status, reply.text).toBe(201)
    const { authorityReference } = reply.data
    return await arrived({ token, ...person }, authorityReference)
  }

  const arrived = (person: Person, reference: string): Promise<ReceivedItem> =>
    eventually(async () => {
      const found = (await items(person, '?limit=100')).find((one) => one.authorityReference === reference)
      expect(found).toMatchObject({ transmissionStatus: 'acknowledged' })
      return found as ReceivedItem
    })

  /** Polls the feeds as the schedule would. */
  async function poll() {
    await appOf().runJob('follow-feeds')
    await appOf().quiet()
  }

  return { connect, receiver, list, items, get, sent, arrived, poll }
}
