import type { Tenant } from '../../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../../platform/database/database.ts'
import { orOnShards, sql } from '../../../platform/database/sql.ts'
import { among } from '../../../platform/database/their-shards.store.ts'
import type { InvoiceId, InvoiceSummary } from '../../invoices/index.ts'
import type { SubmissionId } from '../state/submission.ts'

/** The facts that decide how far an invoice is paid, and the last reported payment status. */
export interface PaymentFacts
  extends Tenant,
    Pick<InvoiceSummary, 'type' | 'payableMinor' | 'paidMinor' | 'creditedMinor' | 'declaredPaymentStatus'> {
  readonly invoiceId: InvoiceId
  readonly reported: string
}

/**
 * The payment status that the authority knows: the last report, or what the document said. Nodes of 1.0.0 write these columns during an
 * upgrade, so their names stay: `payment_said` is the status in the document, and `payment_told` is the last report.
 */
const reported = sql`coalesce(s.payment_told, s.payment_said) as reported`

/** Only accepted documents, each looked up by its whole key. */
export function listPaymentFacts(
  tx: Tx,
  asked: readonly { readonly organisationId: string; readonly mode: string | null; readonly invoiceId: string }[],
): Promise<PaymentFacts[]> {
  const keys = asked.map(({ organisationId, mode, invoiceId }) => ({ organisationId, mode, invoiceId }))
  const usual = sql`
    select i.organisation_id, i.mode, i.id as invoice_id, i.type, i.payable_minor, i.paid_minor, i.credited_minor, i.declared_payment_status, s.reported
      from (select distinct "organisationId" as organisation_id, mode, "invoiceId" as invoice_id
              from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as k ("organisationId" uuid, mode text, "invoiceId" uuid)) as k
     cross join lateral (
       select i.organisation_id, i.mode, i.id, i.type, i.payable_minor, i.paid_minor, i.credited_minor, i.declared_payment_status from invoices i
        where i.organisation_id = k.organisation_id and i.mode = k.mode and i.id = k.invoice_id offset 0) as i
     cross join lateral (
       select ${reported} from submissions s
        where s.organisation_id = k.organisation_id and s.mode = k.mode and s.invoice_id = k.invoice_id and s.state = 'accepted' limit 1) as s`
  const organisationIds = asked.map(({ organisationId }) => organisationId)
  const onShards = sql`
    select distinct on (i.organisation_id, i.mode, i.id) i.organisation_id, i.mode, i.id as invoice_id, i.type, i.payable_minor, i.paid_minor,
           i.credited_minor, i.declared_payment_status, ${reported}
      from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as k ("organisationId" uuid, mode text, "invoiceId" uuid)
      join invoices i on i.organisation_id = k."organisationId" and i.mode = k.mode and i.id = k."invoiceId"
      join submissions s on s.organisation_id = i.organisation_id and s.mode = i.mode and s.invoice_id = i.id and s.state = 'accepted'
     where true ${among(organisationIds, 'i')} ${among(organisationIds, 's')}
     order by i.organisation_id, i.mode, i.id`
  return tx.rows(orOnShards(usual, onShards))
}

export async function findReportedPayment(
  db: Queryable,
  tenant: Tenant,
  id: SubmissionId,
): Promise<string | undefined> {
  const row = await db.maybe<{ reported: string }>(sql`
    select ${reported} from submissions s
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and id = ${id}`)
  return row?.reported
}

export async function saveReportedPayment(tx: Tx, tenant: Tenant, id: SubmissionId, status: string): Promise<void> {
  await tx.run(sql`
    update submissions set payment_told = ${status}
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and id = ${id}`)
}
