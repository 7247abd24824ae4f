import type { OrganisationId } from '../../../kernel/ids.ts'
import type { Page, PageRequest } from '../../../kernel/paging.ts'
import type { Queryable, Tx } from '../../../platform/database/database.ts'
import { type ListOrder, newestFirst, readPage } from '../../../platform/database/keyset.store.ts'
import { joined, sql } from '../../../platform/database/sql.ts'
import type { SubscriptionId } from '../ids.ts'
import type { PaymentId, PaymentKind, PaymentStatus } from '../payments/payment.ts'
import type { Period } from './periods.ts'
import type { Subscription } from './subscription.ts'

const columns = sql`
  organisation_id, id, plan_code, interval, currency, amount_minor, monthly_credits, status, end_reason, cancel_at_period_end, cancel_reason,
  anchor_at, period, next_step_at, next_allocation_at, attempts, provider, sealed_authorisation, created_by, created_at, ended_at`

export async function insertSubscription(
  tx: Tx,
  organisationId: OrganisationId,
  subscription: Subscription,
): Promise<void> {
  const s = subscription
  await tx.run(sql`
    insert into subscriptions (organisation_id, id, plan_code, interval, currency, amount_minor, monthly_credits, status, created_by, created_at)
    values (${organisationId}, ${s.id}, ${s.planCode}, ${s.interval}, ${s.currency}, ${s.amountMinor}, ${s.monthlyCredits}, ${s.status},
            ${s.createdBy}, ${s.createdAt})`)
}

export function findSubscription(
  db: Queryable,
  organisationId: OrganisationId,
  id: SubscriptionId,
): Promise<Subscription | undefined> {
  return db.maybe(sql`select ${columns} from subscriptions where organisation_id = ${organisationId} and id = ${id}`)
}

/** An organisation has at most one subscription that has not ended. */
export function findCurrentSubscription(
  db: Queryable,
  organisationId: OrganisationId,
): Promise<Subscription | undefined> {
  return db.maybe(
    sql`select ${columns} from subscriptions where organisation_id = ${organisationId} and status <> 'expired'`,
  )
}

export async function listSubscriptions(
  db: Queryable,
  organisationId: OrganisationId,
  page: PageRequest,
): Promise<Page<Subscription>> {
  const matching = sql`organisation_id = ${organisationId}`
  const { total } = await db.one<{ total: number }>(
    sql`select count(*)::int as total from subscriptions where ${matching}`,
  )
  const order = newestFirst(sql`created_at`, sql`id`)
  return readPage(db, { columns, tables: sql`subscriptions`, matching, order, total }, page)
}

/** Saves every column that may change. */
export function saveSubscription(
  tx: Tx,
  organisationId: OrganisationId,
  subscription: Subscription,
): Promise<Subscription> {
  const s = subscription
  return tx.one(sql`
    update subscriptions
       set status = ${s.status}, end_reason = ${s.endReason}, cancel_at_period_end = ${s.cancelAtPeriodEnd}, cancel_reason = ${s.cancelReason},
           anchor_at = ${s.anchorAt}, period = ${s.period}, next_step_at = ${s.nextStepAt}, next_allocation_at = ${s.nextAllocationAt},
           attempts = ${s.attempts}, provider = ${s.provider}, sealed_authorisation = ${s.sealedAuthorisation}, ended_at = ${s.endedAt}
     where organisation_id = ${organisationId} and id = ${s.id} returning ${columns}`)
}

/** A subscription with a step or allocation due, and since when. */
export interface DueSubscription {
  readonly organisationId: OrganisationId
  readonly id: SubscriptionId
  readonly dueAt: Date
}

interface DuePage {
  readonly now: Date
  readonly after: DueSubscription | undefined
  readonly limit: number
}

export function listSubscriptionsToStep(db: Queryable, { now, after, limit }: DuePage): Promise<DueSubscription[]> {
  const isAfter = after ? sql`and (next_step_at, id) > (${after.dueAt}, ${after.id}::uuid)` : sql``
  return db.rows(sql`
    select organisation_id, id, next_step_at as due_at from subscriptions
     where next_step_at <= ${now} ${isAfter} order by next_step_at, id limit ${limit}`)
}

export function listSubscriptionsToAllocate(db: Queryable, { now, after, limit }: DuePage): Promise<DueSubscription[]> {
  const isAfter = after ? sql`and (next_allocation_at, id) > (${after.dueAt}, ${after.id}::uuid)` : sql``
  return db.rows(sql`
    select organisation_id, id, next_allocation_at as due_at from subscriptions
     where next_allocation_at <= ${now} ${isAfter} order by next_allocation_at, id limit ${limit}`)
}

export interface BillingPeriod extends Period {
  readonly subscriptionId: SubscriptionId
  readonly number: number
  readonly amountMinor: bigint
  readonly currency: string
  readonly paymentId: PaymentId | null
  readonly paidAt: Date | null
}

/** Idempotent: an existing period stays as it is. */
export async function insertPeriod(
  tx: Tx,
  organisationId: OrganisationId,
  { id, period, amountMinor, currency }: Subscription,
  { startsAt, endsAt }: Period,
): Promise<void> {
  await tx.run(sql`
    insert into subscription_periods (organisation_id, subscription_id, number, starts_at, ends_at, amount_minor, currency)
    values (${organisationId}, ${id}, ${period}, ${startsAt}, ${endsAt}, ${amountMinor}, ${currency})
    on conflict (organisation_id, subscription_id, number) do nothing`)
}

/** Returns false if the period was already paid. */
export async function savePeriodPaid(
  tx: Tx,
  organisationId: OrganisationId,
  paid: { subscriptionId: SubscriptionId; number: number; paymentId: PaymentId },
  now: Date,
): Promise<boolean> {
  const saved = await tx.run(sql`
    update subscription_periods set payment_id = ${paid.paymentId}, paid_at = ${now}
     where organisation_id = ${organisationId} and subscription_id = ${paid.subscriptionId} and number = ${paid.number} and payment_id is null`)
  return saved === 1
}

export function findPeriod(
  db: Queryable,
  organisationId: OrganisationId,
  subscriptionId: SubscriptionId,
  number: number,
): Promise<BillingPeriod | undefined> {
  return db.maybe(sql`
    select subscription_id, number, starts_at, ends_at, amount_minor, currency, payment_id, paid_at from subscription_periods
     where organisation_id = ${organisationId} and subscription_id = ${subscriptionId} and number = ${number}`)
}

/** Returns false if the month was already granted. */
export async function insertAllocation(
  tx: Tx,
  organisationId: OrganisationId,
  allocation: Period & { subscriptionId: SubscriptionId; credits: bigint; paymentId: PaymentId },
  now: Date,
): Promise<boolean> {
  const { subscriptionId, startsAt, endsAt, credits, paymentId } = allocation
  const inserted = await tx.run(sql`
    insert into subscription_allocations (organisation_id, subscription_id, starts_at, ends_at, credits, payment_id, granted_at)
    values (${organisationId}, ${subscriptionId}, ${startsAt}, ${endsAt}, ${credits}, ${paymentId}, ${now})
    on conflict (organisation_id, subscription_id, starts_at) do nothing`)
  return inserted === 1
}

/** A billing period with its payment, or else the latest attempt. */
export interface Renewal extends BillingPeriod {
  readonly planCode: string
  readonly tries: number
  readonly lastPaymentId: PaymentId | null
  readonly lastKind: PaymentKind | null
  readonly lastStatus: PaymentStatus | null
  readonly hosted: boolean | null
}

const newestPeriodFirst: ListOrder = {
  name: 'periods',
  keys: [
    { column: sql`p.starts_at`, type: 'instant', descending: true },
    { column: sql`p.subscription_id`, type: 'uuid' },
  ],
}

/** Newest first. */
export async function listRenewals(
  db: Queryable,
  organisationId: OrganisationId,
  subscriptionId: SubscriptionId | undefined,
  page: PageRequest,
): Promise<Page<Renewal>> {
  const conditions = [sql`p.organisation_id = ${organisationId}`]
  if (subscriptionId !== undefined) conditions.push(sql`p.subscription_id = ${subscriptionId}`)
  const matching = joined(conditions, ' and ')
  const { total } = await db.one<{ total: number }>(
    sql`select count(*)::int as total from subscription_periods p where ${matching}`,
  )
  const columns = sql`
    p.subscription_id, p.number, p.starts_at, p.ends_at, p.amount_minor, p.currency, p.payment_id, p.paid_at, s.plan_code,
           coalesce(t.tries, 0)::int as tries, t.last_payment_id, t.last_kind, t.last_status, t.hosted`
  const tables = sql`
      subscription_periods p
      join subscriptions s on s.organisation_id = p.organisation_id and s.id = p.subscription_id
      left join lateral (
        select count(*) over () as tries, y.id as last_payment_id, y.kind as last_kind, y.status as last_status,
               y.checkout_url is not null as hosted
          from payments y
         where y.organisation_id = ${organisationId} and y.subscription_id = p.subscription_id and y.period = p.number
         order by (y.id = p.payment_id) desc nulls last, y.created_at desc limit 1) t on true`
  return readPage(db, { columns, tables, matching, order: newestPeriodFirst, total }, page)
}
