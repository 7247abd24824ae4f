import type { OrganisationId } from '../../../kernel/ids.ts'
import type { Page, PageRequest } from '../../../kernel/paging.ts'
import type { Queryable, Tx } from '../../../platform/database/database.ts'
import { newestFirst, readPage } from '../../../platform/database/keyset.store.ts'
import { joined, type Sql, sql } from '../../../platform/database/sql.ts'
import type { Currency } from '../../catalogue/index.ts'
import type { SubscriptionId } from '../ids.ts'
import type { ProviderName } from './checkout-provider.ts'
import type { Payment, PaymentId, PaymentKind, PaymentStatus } from './payment.ts'

const columns = sql`
  organisation_id, id, kind, status, provider, handle, amount_minor, currency, refunded_minor, description, email, package_id,
  subscription_id, period, credits, granted_credits, checkout_url, expires_at, look_at, looks, version, created_by, created_at, paid_at,
  ended_at`

export async function insertPayment(tx: Tx, organisationId: OrganisationId, payment: Payment): Promise<void> {
  const p = payment
  await tx.run(sql`
    insert into payments (${columns})
    values (${organisationId}, ${p.id}, ${p.kind}, ${p.status}, ${p.provider}, ${p.handle}, ${p.amountMinor}, ${p.currency}, ${p.refundedMinor},
            ${p.description}, ${p.email}, ${p.packageId}, ${p.subscriptionId}, ${p.period}, ${p.credits}, ${p.grantedCredits},
            ${p.checkoutUrl}, ${p.expiresAt}, ${p.lookAt}, ${p.looks}, ${p.version}, ${p.createdBy}, ${p.createdAt}, ${p.paidAt}, ${p.endedAt})`)
}

export function findPayment(
  db: Queryable,
  organisationId: OrganisationId,
  id: PaymentId,
): Promise<Payment | undefined> {
  return db.maybe(sql`select ${columns} from payments where organisation_id = ${organisationId} and id = ${id}`)
}

/** Saves every column that may change. The version rises with each save. */
export function savePayment(tx: Tx, organisationId: OrganisationId, payment: Payment): Promise<Payment> {
  const p = payment
  return tx.one(sql`
    update payments
       set status = ${p.status}, handle = ${p.handle}, refunded_minor = ${p.refundedMinor}, credits = ${p.credits},
           granted_credits = ${p.grantedCredits}, checkout_url = ${p.checkoutUrl}, look_at = ${p.lookAt}, looks = ${p.looks},
           paid_at = ${p.paidAt}, ended_at = ${p.endedAt}, version = version + 1
     where organisation_id = ${organisationId} and id = ${p.id} returning ${columns}`)
}

export async function saveNextLook(
  tx: Tx,
  organisationId: OrganisationId,
  id: PaymentId,
  lookAt: Date | null,
): Promise<void> {
  await tx.run(sql`
    update payments set look_at = ${lookAt}, looks = looks + 1 where organisation_id = ${organisationId} and id = ${id}`)
}

export interface PaymentFilter {
  readonly status?: PaymentStatus | undefined
  readonly kind?: PaymentKind | undefined
}

/** Newest first. */
export async function listPayments(
  db: Queryable,
  organisationId: OrganisationId,
  { status, kind }: PaymentFilter,
  page: PageRequest,
): Promise<Page<Payment>> {
  const conditions = [sql`organisation_id = ${organisationId}`]
  if (status !== undefined) conditions.push(sql`status = ${status}`)
  if (kind !== undefined) conditions.push(sql`kind = ${kind}`)
  const matching = joined(conditions, ' and ')
  const { total } = await db.one<{ total: number }>(sql`select count(*)::int as total from payments where ${matching}`)
  const order = newestFirst(sql`created_at`, sql`id`)
  return readPage(db, { columns, tables: sql`payments`, matching, order, total }, page)
}

/** Finds a checkout for the same package and currency that can still be paid. */
export function findOpenPurchase(
  tx: Tx,
  organisationId: OrganisationId,
  wanted: { packageId: string; currency: Currency },
  now: Date,
): Promise<Payment | undefined> {
  return tx.maybe(sql`
    select ${columns} from payments
     where organisation_id = ${organisationId} and status = 'pending' and expires_at > ${now}
       and package_id = ${wanted.packageId} and currency = ${wanted.currency}
     order by created_at desc limit 1`)
}

/** Finds the payment of a period that is pending. */
export function findOpenPaymentOf(
  tx: Tx,
  organisationId: OrganisationId,
  subscriptionId: SubscriptionId,
): Promise<Payment | undefined> {
  return tx.maybe(sql`
    select ${columns} from payments
     where organisation_id = ${organisationId} and subscription_id = ${subscriptionId} and status = 'pending'
     order by created_at desc limit 1`)
}

/** Matches our own reference or the provider's identifier. */
export const isNamed = (provider: ProviderName, subject: string): Sql =>
  sql`provider = ${provider} and (id::text = ${subject} or handle = ${subject})`

export function findPaymentOfProvider(
  db: Queryable,
  provider: ProviderName,
  subject: string,
): Promise<Payment | undefined> {
  return db.maybe(sql`
    select ${columns} from payments where ${isNamed(provider, subject)} limit 1`)
}

/** For development tools, which open the checkout page. */
export async function findCheckoutUrl(db: Queryable, id: string): Promise<string | undefined> {
  const row = await db.maybe<{ checkoutUrl: string | null }>(
    sql`select checkout_url from payments where id::text = ${id}`,
  )
  return row?.checkoutUrl ?? undefined
}

export interface PaymentToLookAt {
  readonly organisationId: OrganisationId
  readonly id: PaymentId
  readonly lookAt: Date
}

/** Payments of all organisations that are due for a look, in pages after a payment. */
export function listPaymentsToLookAt(
  db: Queryable,
  { now, after, limit }: { now: Date; after: PaymentToLookAt | undefined; limit: number },
): Promise<PaymentToLookAt[]> {
  const isAfter = after ? sql`and (look_at, id) > (${after.lookAt}, ${after.id}::uuid)` : sql``
  return db.rows(sql`
    select organisation_id, id, look_at from payments where look_at <= ${now} ${isAfter} order by look_at, id limit ${limit}`)
}
