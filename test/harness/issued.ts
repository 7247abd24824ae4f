import { expect } from 'vitest'
import { sql } from '../../server/src/platform/database/sql.ts'
import type { TestApp } from './app.ts'
import type { Reply } from './client.ts'
import { buyerDetails, type Issuer, invoiceBody } from './invoices.ts'
import { eventsAbout } from './purchases.ts'

export const invoicesPath = '/i/v1/invoices'
/** The payable amount of `invoiceBody`. */
export const payableMinor = 1_451_411

export interface Life {
  /** creates a draft through one form */
  draft(more?: object, form?: 'A' | 'B'): Promise<any>
  /** creates and finalises an invoice */
  issued(more?: object, form?: 'A' | 'B'): Promise<any>
  get(id: string): Promise<any>
  /** POST to a path below an invoice */
  act(id: string, action: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  pay(id: string, amount: number | string, more?: object): Promise<Reply>
  credit(id: string, more?: object): Promise<Reply>
  /** event types of an object */
  told(id: string): Promise<string[]>
  /** sets a status that otherwise only a submission can reach */
  become(id: string, status: string): Promise<void>
  balance(): Promise<number>
  /** creates another buyer or seller with its own tax number */
  buyer(more?: object): Promise<string>
  seller(): Promise<string>
}

let numbers = 0
const newTaxNumber = () => `6${String(++numbers).padStart(7, '0')}-0001`

export const ok = (reply: Reply, status = 200): any => {
  expect(reply.status, reply.text).toBe(status)
  return reply.data
}

/** The invoice actions of one organisation. */
export function lifeOf(app: TestApp, own: Issuer): Life {
  const { token } = own
  const act: Life['act'] = (id, action, body, headers) =>
    app.a.post(`${invoicesPath}/${id}/${action}`, { token, body, ...(headers ? { headers } : {}) })
  const draft: Life['draft'] = async (more = {}, form = 'A') =>
    ok(await app.client(form).post(invoicesPath, { token, body: invoiceBody[form](own, more) }), 201)
  return {
    act,
    draft,
    issued: async (more, form) => ok(await act((await draft(more, form)).id, 'finalise')),
    get: async (id) => ok(await app.a.get(`${invoicesPath}/${id}`, { token })),
    pay: (id, amount, more = {}) => act(id, 'payments', { amount, paidOn: '2026-11-14', ...more }),
    credit: (id, more = {}) => act(id, 'credit-notes', { reason: 'Returned', ...more }),
    told: async (id) => (await eventsAbout(app, id)).map(({ type }) => type),
    become: async (id, status) => {
      await app.runtime.db.run(sql`update invoices set status = ${status} where id = ${id}`)
    },
    balance: async () => ok(await app.a.get('/b/v1/billing-accounts/me', { token })).creditBalance,
    buyer: async (more = {}) => {
      const body = { ...buyerDetails, taxId: newTaxNumber(), ...more }
      return ok(await app.a.post('/i/v1/buyers', { token, body }), 201).id
    },
    seller: async () => {
      const postalAddress = { line1: '1 Marina', city: 'Lagos', country: 'NG' }
      const contact = { email: 'side@eze.test', phoneNumber: '+2348030000000', postalAddress }
      const body = { partyName: 'Side Shop', taxNumber: newTaxNumber(), ...contact }
      return ok(await app.b.post('/i/v1/sellers', { token, body }), 201).id
    },
  }
}
