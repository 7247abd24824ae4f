import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { sql } from '../../server/src/platform/database/sql.ts'
import type { TestApp } from './app.ts'
import { eventually } from './eventually.ts'
import { type Issuer, issuer } from './invoices.ts'
import { invoicesPath, type Life, lifeOf, ok } from './issued.ts'

/** A connected organisation with a seller and a buyer that the authority accepts. */
export interface Reporter extends Issuer {
  readonly life: Life
  /** finalises an invoice and submits it */
  submitted(more?: object, form?: 'A' | 'B'): Promise<any>
  /** waits until an invoice has one of these statuses */
  until(id: string, ...statuses: string[]): Promise<any>
  status(id: string): Promise<any>
  timeline(id: string): Promise<any>
  /** the organisation's credits: available, held, spent */
  balances(): Promise<{ available: number; held: number; spent: number }>
}

let services = 0

export async function connectToSandbox(app: TestApp, token: string): Promise<void> {
  const { data } = await app.a.get('/i/v1/tax-connection', { token })
  const body = {
    authorityIdentifiers: {
      businessId: randomUUID().replace(/.{4}$/, '7d11'),
      serviceId: `TEST${String(++services).padStart(4, '0')}`,
    },
    consent: { accepted: true, textVersion: data.consent.textVersion },
  }
  const reply = await app.a.post('/i/v1/tax-connection', { token, body })
  expect([200, 201], reply.text).toContain(reply.status)
}

/** Does everything that a submission requires, through the API. */
export async function reporter(app: TestApp): Promise<Reporter> {
  const own = await issuer(app)
  const { token } = own
  const address = { line1: '4 Broad Street', city: 'Lagos', state: 'Lagos', country: 'NG' }
  const profile = { contactEmail: 'accounts@eze.test', address }
  ok(await app.a.patch('/a/v1/organizations/me', { token, body: profile }))
  await connectToSandbox(app, token)
  ok(await app.a.post(`/i/v1/buyers/${own.buyerId}/verify-tax-number`, { token }), 202)
  await app.quiet()
  const life = lifeOf(app, own)
  const get = async (id: string, what: string) => ok(await app.a.get(`${invoicesPath}/${id}/${what}`, { token }))
  return {
    ...own,
    life,
    submitted: async (more, form = 'A') => {
      const issued = await life.issued(more, form)
      return ok(await app.client(form).post(`${invoicesPath}/${issued.id}/submit`, { token }), 202)
    },
    until: async (id, ...statuses) => {
      await eventually(async () => expect(statuses).toContain((await get(id, 'status')).status))
      return await get(id, 'status')
    },
    status: (id) => get(id, 'status'),
    timeline: (id) => get(id, 'timeline'),
    balances: () =>
      app.runtime.db.one(sql`
        select available::int, held::int, spent::int from credit_balances
         where organisation_id = ${own.organisationId} and mode = 'sandbox'`),
  }
}
