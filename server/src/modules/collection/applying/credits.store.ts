import type { EventNotice } from '../../../kernel/event-notice.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { orOnShards, type Sql, sql } from '../../../platform/database/sql.ts'
import { among } from '../../../platform/database/their-shards.store.ts'
import type { InvoiceId } from '../../invoices/index.ts'

export interface Creditable extends Tenant {
  readonly invoiceId: InvoiceId
}

/** Which of these invoices have a buyer with credit in their currency at their seller. */
export function findWithCredit(tx: Tx, events: readonly EventNotice[]): Promise<Creditable[]> {
  const asked = events.map(({ organisationId, mode, objectId }) => ({ organisationId, mode, objectId }))
  const named = sql`jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as e ("organisationId" uuid, mode text, "objectId" uuid)`
  const isNamed = sql`i.organisation_id = e."organisationId" and i.mode = e.mode and i.id = e."objectId" and i.buyer_id is not null`
  const withCredit = (invoices: Sql, amongThem: (alias: string) => Sql): Sql => sql`
    select distinct i.organisation_id, i.mode, i.id as invoice_id from ${invoices}
     where exists (
       select from received_payments p
        where p.organisation_id = i.organisation_id and p.mode = i.mode and p.buyer_id = i.buyer_id and p.currency = i.currency
          and p.credited_minor > 0 ${amongThem('p')}
          and exists (select from virtual_accounts v
                       where v.organisation_id = p.organisation_id and v.mode = p.mode and v.id = p.account_id and v.seller_id = i.seller_id
                         ${amongThem('v')}))`
  const organisationIds = events.map(({ organisationId }) => organisationId)
  return tx.rows(
    orOnShards(
      withCredit(
        sql`${named} cross join lateral (
        select i.organisation_id, i.mode, i.id, i.buyer_id, i.seller_id, i.currency from invoices i where ${isNamed} offset 0) as i`,
        () => sql``,
      ),
      () =>
        withCredit(sql`${named} join invoices i on ${isNamed} ${among(organisationIds, 'i')}`, (alias) =>
          among(organisationIds, alias),
        ),
    ),
  )
}
