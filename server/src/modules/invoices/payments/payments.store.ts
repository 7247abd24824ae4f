import type { TokenCaller } from '../../../kernel/callers.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { Actor } from '../../../platform/events/actors.ts'
import type { PlannedWrite } from '../../../platform/operations/operation.ts'
import { changeInvoices } from '../change-invoices.store.ts'
import type { InvoiceId } from '../invoice.ts'
import type { InvoicePayment, InvoicePaymentId, PaymentPlan } from './payment.ts'

const columns = sql`
  id, invoice_id, amount_minor, paid_on, method, reference, recorded_by_type, recorded_by, recorded_at, reversed_at,
  received_payment_id, from_credit`

type Row = Omit<InvoicePayment, 'recordedBy'> & {
  readonly recordedByType: Actor['kind']
  readonly recordedBy: string | null
}
const paymentFrom = ({ recordedByType, recordedBy, ...row }: Row): InvoicePayment => ({
  ...row,
  recordedBy: { type: recordedByType, id: recordedBy },
})

export async function insertPayment(tx: Tx, tenant: Tenant, payment: InvoicePayment): Promise<void> {
  const p = payment
  await tx.run(sql`
    insert into invoice_payments (organisation_id, mode, ${columns})
    values (${tenant.organisationId}, ${tenant.mode}, ${p.id}, ${p.invoiceId}, ${p.amountMinor}, ${p.paidOn}, ${p.method}, ${p.reference},
            ${p.recordedBy.type}, ${p.recordedBy.id}, ${p.recordedAt}, ${p.reversedAt}, ${p.receivedPaymentId}, ${p.fromCredit})`)
}

/** Records payments on invoices whose version is unchanged. */
export const recordPayments = (
  db: Queryable,
  tenant: Tenant,
  planned: readonly PlannedWrite<TokenCaller, PaymentPlan>[],
) =>
  changeInvoices(db, tenant, planned, {
    name: 'record payments',
    fields: ['paidMinor', 'updatedAt'],
    shape: { payment_id: 'uuid', amount_minor: 'bigint', paid_on: 'date', method: 'text', reference: 'text' },
    given: ({ payment: { id, amountMinor, paidOn, method, reference } }) => ({
      payment_id: id,
      amount_minor: amountMinor,
      paid_on: paidOn,
      method,
      reference,
    }),
    after: sql`, recorded as (
      insert into invoice_payments (organisation_id, mode, ${columns})
      select ${tenant.organisationId}, ${tenant.mode}, payment_id, invoice_id, amount_minor, paid_on, method, reference, actor_kind, actor_id, at, null, null, false
        from changed)`,
  })

export async function lockPayment(
  tx: Tx,
  tenant: Tenant,
  invoiceId: InvoiceId,
  id: InvoicePaymentId,
): Promise<InvoicePayment | undefined> {
  const row = await tx.maybe<Row>(sql`
    select ${columns} from invoice_payments
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and invoice_id = ${invoiceId} and id = ${id} for no key update`)
  return row && paymentFrom(row)
}

export async function saveReversed(tx: Tx, tenant: Tenant, id: InvoicePaymentId, now: Date): Promise<void> {
  await tx.run(sql`
    update invoice_payments set reversed_at = ${now}
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and id = ${id}`)
}

export async function listPayments(db: Queryable, tenant: Tenant, invoiceId: InvoiceId): Promise<InvoicePayment[]> {
  const rows = await db.rows<Row>(sql`
    select ${columns} from invoice_payments
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and invoice_id = ${invoiceId} order by recorded_at, id`)
  return rows.map(paymentFrom)
}

/** Payments that the service itself took from the buyer's credit and that are not reversed. */
export async function listCreditPayments(
  db: Queryable,
  tenant: Tenant,
  invoiceId: InvoiceId,
): Promise<InvoicePayment[]> {
  const rows = await db.rows<Row>(sql`
    select ${columns} from invoice_payments
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and invoice_id = ${invoiceId} and from_credit and reversed_at is null
     order by recorded_at, id`)
  return rows.map(paymentFrom)
}
