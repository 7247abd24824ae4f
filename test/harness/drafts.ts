import { expect } from 'vitest'
import type { OrganisationId } from '../../server/src/kernel/ids.ts'
import type { Mode } from '../../server/src/kernel/tenant.ts'
import { issue, revoke } from '../../server/src/modules/credits/index.ts'
import { sql } from '../../server/src/platform/database/sql.ts'
import type { Person, TestApp } from './app.ts'
import { buyerDetails, type Issuer, invoiceBody } from './invoices.ts'

type OrganisationRef = Pick<Person, 'organisationId'>

/** Counts all rows that a draft can leave in an organisation, with its series and its credits. */
export const tracesOf = (app: TestApp, { organisationId }: OrganisationRef): Promise<Record<string, unknown>> =>
  app.runtime.db.one(sql`
    select (select count(*)::int from invoices where organisation_id = ${organisationId}) as invoices,
           (select count(*)::int from invoice_numbers where organisation_id = ${organisationId}) as numbers,
           (select coalesce(jsonb_object_agg(mode || ' ' || series, next_number), '{}')
              from number_series where organisation_id = ${organisationId}) as series,
           (select count(*)::int from invoice_items where organisation_id = ${organisationId}) as items,
           (select count(*)::int from events where organisation_id = ${organisationId}) as events,
           (select count(*)::int from credit_moves where organisation_id = ${organisationId}) as moves,
           (select count(*)::int from idempotency_keys where organisation_id = ${organisationId}) as keys,
           (select sum(available)::int from credit_balances where organisation_id = ${organisationId}) as credits`)

/** Sets an organisation's credits to exactly `left`. */
export async function leaveCredits(
  app: TestApp,
  { organisationId }: OrganisationRef,
  left: number,
  mode: Mode = 'sandbox',
) {
  const tenant = { organisationId: organisationId as OrganisationId, mode }
  await app.runtime.db.transaction(async (tx) => {
    const context = { tx, now: app.clock.now(), emit: () => {} }
    const { available } = await tx.one<{ available: bigint }>(sql`
      select available from credit_balances where organisation_id = ${organisationId} and mode = ${mode}`)
    const change = BigInt(left) - available
    const cause = `leave ${left} of ${available}`
    if (change < 0n) await revoke(context, tenant, -change, cause)
    if (change > 0n) await issue(context, tenant, 'grant', change, cause)
  })
}

/** The events of an invoice, oldest first. */
export const eventsOf = (app: TestApp, invoiceId: string): Promise<{ type: string; data: Record<string, unknown> }[]> =>
  app.runtime.db.rows(sql`select type, data from events where object_id = ${invoiceId} order by position`)

/** A deleted buyer that an issued invoice names. Such a buyer stays as an archived one. */
export async function archivedBuyer(app: TestApp, own: Issuer): Promise<string> {
  const { token } = own
  const { taxId: _, ...details } = buyerDetails
  const buyer = await app.a.post('/i/v1/buyers', { token, body: details })
  const draft = await app.a.post('/i/v1/invoices', { token, body: invoiceBody.A({ buyerId: buyer.data.id }) })
  await app.a.post(`/i/v1/invoices/${draft.data.id}/finalise`, { token })
  await app.a.delete(`/i/v1/buyers/${buyer.data.id}`, { token })
  const { data } = await app.a.get(`/i/v1/buyers/${buyer.data.id}`, { token })
  expect(data?.archivedAt).toEqual(expect.any(String))
  return buyer.data.id
}
