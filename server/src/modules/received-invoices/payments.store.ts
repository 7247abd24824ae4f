import type { Mode, Tenant } from '../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { countingReceived, weighedChange } from './counting.store.ts'
import type { NewReceivedInvoice, ReceivedInvoice, ReceivedInvoiceId } from './received-invoice.ts'
import { within } from './received-invoices.store.ts'

/** An invoice that is due for a check of its payment status. */
export interface PaymentToCheck {
  readonly id: ReceivedInvoiceId
  readonly reference: string
  readonly paymentChecks: number
  readonly receivedAt: Date
}

/** Longest due first. */
export function listPaymentsToCheck(
  db: Queryable,
  tenant: Tenant,
  now: Date,
  limit: number,
): Promise<PaymentToCheck[]> {
  return db.rows(sql`
    select id, reference, payment_checks, received_at from received_invoices
     where ${within(tenant)} and payment_check_at <= ${now} order by payment_check_at, id limit ${limit}`)
}

/** Tenants with payment checks that are due. */
export function listTenantsWithPayments(db: Queryable, now: Date, limit: number): Promise<Tenant[]> {
  return db.rows(sql`
    select organisation_id, mode from received_invoices where payment_check_at <= ${now} group by 1, 2 limit ${limit}`)
}

/** Null ends the checks. */
export async function savePaymentChecked(
  tx: Tx,
  tenant: Tenant,
  id: ReceivedInvoiceId,
  { now, nextAt }: { readonly now: Date; readonly nextAt: Date | null },
): Promise<void> {
  await tx.run(sql`
    update received_invoices
       set payment_checks = payment_checks + 1, payment_checked_at = ${now}, payment_check_at = ${nextAt}
     where ${within(tenant)} and id = ${id}`)
}

/** Tenants that hold documents with these references. */
export function listTenantsNamed(
  db: Queryable,
  mode: Mode,
  references: readonly string[],
  limit: number,
): Promise<Tenant[]> {
  return db.rows(sql`
    select organisation_id, mode from received_invoices
     where mode = ${mode} and reference = any (${references}::text[]) group by 1, 2 limit ${limit}`)
}

/**
 * Makes the invoices of a callback due now, or one minute after their last check. Returns whether any is due. The
 * caller holds `lockClaims`, because other writers change several rows too.
 */
export async function advancePaymentChecks(
  tx: Tx,
  tenant: Tenant,
  references: readonly string[],
  { now, restMs }: { readonly now: Date; readonly restMs: number },
): Promise<boolean> {
  const rows = await tx.rows<{ isDue: boolean }>(sql`
    update received_invoices
       set payment_check_at =
             least(payment_check_at, greatest((payment_checked_at at time zone 'UTC' + ${restMs} * interval '1 millisecond') at time zone 'UTC', ${now}::timestamptz))
     where ${within(tenant)} and reference = any (${references}::text[])
    returning payment_check_at <= ${now} as is_due`)
  return rows.some(({ isDue }) => isDue)
}

type JudgedPayment = Pick<
  ReceivedInvoice,
  'paymentStatus' | 'isClaimable' | 'claimRule' | 'claimMessage' | 'claimUntil'
> &
  Pick<NewReceivedInvoice, 'inputTaxMinor'>

/** Saves a payment status and the resulting claim. Updates the figures too. The caller holds `lockClaims`. */
export async function savePayment(tx: Tx, tenant: Tenant, id: ReceivedInvoiceId, judged: JudgedPayment): Promise<void> {
  const j = judged
  await tx.run(sql`
    with before as materialized (select * from received_invoices where ${within(tenant)} and id = ${id}),
    changed as (
      update received_invoices
         set payment_status = ${j.paymentStatus}, is_claimable = ${j.isClaimable}, claim_rule = ${j.claimRule},
             claim_message = ${j.claimMessage}, claim_until = ${j.claimUntil}, input_tax_minor = ${j.inputTaxMinor},
             claimable_minor = case when ${j.isClaimable} then claimable_minor else 0 end
       where ${within(tenant)} and id = ${id}
      returning *),
    ${weighedChange},
    ${countingReceived(tenant)}
    select 1`)
  await tx.run(sql`delete from received_figures where ${within(tenant)} and count = 0`)
}
