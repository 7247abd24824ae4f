import { type Page, type PageRequest, pageOf } from '../../kernel/paging.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { isBehindTenant } from '../../platform/database/fair-turns.store.ts'
import { checkedCursor, type ListOrder, readPage } from '../../platform/database/keyset.store.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import type { BuyerId } from '../buyers/index.ts'
import type { InvoiceId } from '../invoices/index.ts'
import { remindableStatuses } from './held-back.ts'
import type { BuyerSetting, ReminderPlan, ReminderStep } from './reminder-plan.ts'

const within = ({ organisationId, mode }: Tenant): Sql => sql`organisation_id = ${organisationId} and mode = ${mode}`

// The plan.

const planColumns = sql`id, is_on, hour, buyers, everyone_since, steps, next_at, version, created_at, updated_at`

/** Amounts as text, because JSON has no exact numbers. */
interface StoredStep extends Omit<ReminderStep, 'minimums'> {
  readonly minimums: Readonly<Record<string, string>>
}
type PlanRow = Omit<ReminderPlan, 'steps'> & { readonly steps: readonly StoredStep[] }

const stepsText = (steps: readonly ReminderStep[]): string =>
  JSON.stringify(
    steps.map((step) => ({
      ...step,
      minimums: Object.fromEntries(step.minimums.map(({ currency, amountMinor }) => [currency, String(amountMinor)])),
    })),
  )
const planFrom = ({ steps, ...row }: PlanRow): ReminderPlan => ({
  ...row,
  steps: steps.map((step) => ({
    ...step,
    minimums: Object.entries(step.minimums).map(([currency, amount]) => ({ currency, amountMinor: BigInt(amount) })),
  })),
})

export async function findPlan(db: Queryable, tenant: Tenant): Promise<ReminderPlan | undefined> {
  const row = await db.maybe<PlanRow>(sql`select ${planColumns} from reminder_plans where ${within(tenant)}`)
  return row && planFrom(row)
}

/** A shared lock until the transaction ends, so that nothing is sent after the plan was switched off. */
export async function lockPlanShared(tx: Tx, tenant: Tenant): Promise<ReminderPlan | undefined> {
  const row = await tx.maybe<PlanRow>(sql`select ${planColumns} from reminder_plans where ${within(tenant)} for share`)
  return row && planFrom(row)
}

export async function lockPlan(tx: Tx, tenant: Tenant): Promise<ReminderPlan | undefined> {
  const row = await tx.maybe<PlanRow>(
    sql`select ${planColumns} from reminder_plans where ${within(tenant)} for no key update`,
  )
  return row && planFrom(row)
}

/** Undefined if another request saved the first plan at the same moment. */
export async function savePlan(
  tx: Tx,
  tenant: Tenant,
  plan: Omit<ReminderPlan, 'version'>,
  versionBefore: number,
): Promise<ReminderPlan | undefined> {
  const { id, isOn, hour, buyers, everyoneSince, steps, nextAt, createdAt, updatedAt } = plan
  const row = await tx.maybe<PlanRow>(sql`
    insert into reminder_plans as p (organisation_id, mode, id, is_on, hour, buyers, everyone_since, steps, next_at, created_at, updated_at)
    values (${tenant.organisationId}, ${tenant.mode}, ${id}, ${isOn}, ${hour}, ${buyers}, ${everyoneSince}, ${stepsText(steps)}::jsonb, ${nextAt}, ${createdAt}, ${updatedAt})
    on conflict (organisation_id, mode) do update
       set is_on = excluded.is_on, hour = excluded.hour, buyers = excluded.buyers, everyone_since = excluded.everyone_since, steps = excluded.steps, next_at = excluded.next_at,
           updated_at = excluded.updated_at, version = p.version + 1
     where p.version = ${versionBefore}
    returning ${planColumns}`)
  return row && planFrom(row)
}

/** The plan itself does not change, so its version stays. */
export async function saveNextRun(tx: Tx, tenant: Tenant, nextAt: Date): Promise<void> {
  await tx.run(sql`update reminder_plans set next_at = ${nextAt} where ${within(tenant)} and is_on`)
}

/** Organisations with reminders that are due, in the order of their ids. */
export function listTenantsWithDueReminders(
  db: Queryable,
  after: Tenant | undefined,
  now: Date,
  limit: number,
): Promise<Tenant[]> {
  return db.rows(sql`
    select organisation_id, mode from reminder_plans
     where next_at <= ${now} and ${isBehindTenant(after)} order by organisation_id, mode limit ${limit}`)
}

// Buyers and invoices that a plan reminds.

/** A run of a plan on a day of the organisation. */
export interface Run {
  readonly plan: ReminderPlan
  readonly day: string
  readonly zone: string
}

/**
 * What is left for an invoice `m` of its buyer's money that no invoice has taken yet: transfers that are not matched, and credit. It covers the
 * invoices that were due first.
 */
const moneyLeft = ({ organisationId, mode }: Tenant): Sql => sql`(
  select case when u.minor = 0 then 0 else u.minor - (
           select coalesce(sum(x.open_minor), 0) from buyer_account_moves x
            where x.organisation_id = ${organisationId} and x.mode = ${mode} and x.buyer_id = m.buyer_id and x.currency = m.currency
              and x.superseded_at is null and x.open_minor > 0 and x.due_date is not null and (x.due_date, x.invoice_id) < (m.due_date, m.invoice_id)) end::bigint
    from (select coalesce(sum(p.unmatched_minor + p.credited_minor), 0) as minor from received_payments p
           where p.organisation_id = ${organisationId} and p.mode = ${mode} and p.buyer_id = m.buyer_id and p.currency = m.currency
             and p.unmatched_minor + p.credited_minor > 0) as u)`

/** A reminder that was stopped counts only if the buyer may have it. */
const hasReminded = sql`(r.not_sent_reason is null or r.may_have_arrived)`

/** What is not paid of the invoice of an account move `m`: its open instalments, or all of it. */
const openParts = sql`(
  select m.due_date, m.open_minor as due_minor where m.instalments is null
  union all
  select o.due_date, o.due_minor from open_instalments(m.instalments, m.open_minor) as o where m.instalments is not null)`

/**
 * The open invoices of a tenant with their next reminder, if the next run is on the day of this one. Each open instalment has the steps of its
 * own due date. The rule is that of `nextReminder`; a test compares both. Rows are looked up by their whole keys (`offset 0`).
 */
function comingReminders(tenant: Tenant, { plan, day, zone }: Run): { readonly tables: Sql; readonly matching: Sql } {
  const { organisationId, mode } = tenant
  const tables = sql`
    buyer_account_moves m
    cross join lateral (
      select i.number, i.status, i.type, (i.finalised_at at time zone ${zone}::text)::date as issued_on from invoices i
       where i.organisation_id = ${organisationId} and i.mode = ${mode} and i.id = m.invoice_id offset 0) as i
    cross join lateral (
      select b.name, b.email from buyers b
       where b.organisation_id = ${organisationId} and b.mode = ${mode} and b.id = m.buyer_id offset 0) as b
    left join reminder_buyers c on c.organisation_id = ${organisationId} and c.mode = ${mode} and c.buyer_id = m.buyer_id
    left join reminder_holds h on h.organisation_id = ${organisationId} and h.mode = ${mode} and h.invoice_id = m.invoice_id
    left join reminder_days d on d.organisation_id = ${organisationId} and d.mode = ${mode} and d.buyer_id = m.buyer_id and d.day = ${day}::date
    cross join lateral (
      select max(r.day) as day from sent_reminders r
       where r.organisation_id = ${organisationId} and r.mode = ${mode} and r.invoice_id = m.invoice_id and ${hasReminded}) as r
    cross join lateral (
      select t.day, t.days, f.due_date, f.due_minor
        from (
          select greatest(p.due_date + s.days, ${day}::date + case when d.day is null then 0 else 1 end, h.promised_on + 1) as day, s.days, s.minimums
            from ${openParts} as p cross join jsonb_to_recordset(${stepsText(plan.steps)}::jsonb) as s (days integer, since date, minimums jsonb)
           where p.due_date + s.days >= greatest(s.since, c.since, case when c.choice = 'chosen' then null else ${plan.everyoneSince}::date end)
             and p.due_date + s.days > i.issued_on and (r.day is null or p.due_date + s.days > r.day)) as t
       cross join lateral (
         select min(q.due_date) as due_date,
                coalesce(sum(q.due_minor) filter (where q.due_date < t.day), (array_agg(q.due_minor order by q.due_date))[1])::bigint as due_minor
           from ${openParts} as q) as f
       where f.due_minor >= coalesce((t.minimums ->> m.currency)::bigint, 0)
       order by t.day, t.days desc limit 1) as s`
  const matching = sql`
    m.organisation_id = ${organisationId} and m.mode = ${mode} and m.superseded_at is null and m.open_minor > 0 and m.due_date is not null
    and i.status = any (${[...remindableStatuses]}::text[]) and h.disputed_at is null and b.email is not null
    and ${plan.buyers === 'all' ? sql`c.choice is distinct from 'never'` : sql`c.choice = 'chosen'`}
    and s.due_minor > ${moneyLeft(tenant)}`
  return { tables, matching }
}

export interface UpcomingReminder {
  readonly day: string
  readonly stepDays: number
  readonly invoiceId: InvoiceId
  readonly invoiceNumber: string
  readonly buyerId: BuyerId
  readonly buyerName: string
  readonly recipient: string
  readonly dueMinor: bigint
  readonly currency: string
  readonly dueDate: string
}

const byDay: ListOrder = {
  name: 'upcoming',
  keys: [
    { column: sql`s.day`, type: 'day' },
    { column: sql`m.invoice_id`, type: 'uuid' },
  ],
}

/** The list of coming reminders without a plan: it is empty, and also refuses the cursor of another list. */
export function listNothing({ after, ...page }: PageRequest): Page<UpcomingReminder> {
  if (after) checkedCursor(byDay, after)
  return pageOf([], 0, page, null)
}

export async function listUpcoming(
  db: Queryable,
  tenant: Tenant,
  run: Run,
  page: PageRequest,
): Promise<Page<UpcomingReminder>> {
  const { tables, matching } = comingReminders(tenant, run)
  const columns = sql`
    s.day, s.days as step_days, m.invoice_id, i.number as invoice_number, m.buyer_id, b.name as buyer_name, b.email as recipient,
    s.due_minor, m.currency, s.due_date`
  const { total } = await db.one<{ total: number }>(sql`select count(*)::int as total from ${tables} where ${matching}`)
  return await readPage(db, { columns, tables, matching, order: byDay, total }, page)
}

/** The first day with a reminder, from the day of the run on; `undefined` if no reminder comes. */
export async function findNextReminderDay(db: Queryable, tenant: Tenant, run: Run): Promise<string | undefined> {
  const { tables, matching } = comingReminders(tenant, run)
  const { day } = await db.one<{ day: string | null }>(sql`select min(s.day) as day from ${tables} where ${matching}`)
  return day ?? undefined
}

/** The next buyers in the order of their ids who are to be reminded on the day of the run. */
export async function listBuyersToRemind(
  db: Queryable,
  tenant: Tenant,
  run: Run,
  after: BuyerId | undefined,
  limit: number,
): Promise<BuyerId[]> {
  const { tables, matching } = comingReminders(tenant, run)
  const behind = after === undefined ? sql`true` : sql`m.buyer_id > ${after}::uuid`
  const rows = await db.rows<{ buyerId: BuyerId }>(sql`
    select m.buyer_id from ${tables} where ${matching} and s.day = ${run.day}::date and ${behind}
     group by m.buyer_id order by m.buyer_id limit ${limit}`)
  return rows.map(({ buyerId }) => buyerId)
}

/** The invoices that a buyer is to be reminded of on the day of the run, those that were due first. */
export async function listInvoicesToRemind(
  db: Queryable,
  tenant: Tenant,
  run: Run,
  buyerId: BuyerId,
  limit: number,
): Promise<InvoiceId[]> {
  const { tables, matching } = comingReminders(tenant, run)
  const rows = await db.rows<{ invoiceId: InvoiceId }>(sql`
    select m.invoice_id from ${tables} where ${matching} and s.day = ${run.day}::date and m.buyer_id = ${buyerId}
     order by s.due_date, m.invoice_id limit ${limit}`)
  return rows.map(({ invoiceId }) => invoiceId)
}

/** What is left for each of these invoices of the money that no invoice has taken yet. */
export async function readMoneyLeft(
  db: Queryable,
  tenant: Tenant,
  ids: readonly InvoiceId[],
): Promise<ReadonlyMap<InvoiceId, bigint>> {
  const rows = await db.rows<{ id: InvoiceId; minor: bigint }>(sql`
    select m.invoice_id as id, ${moneyLeft(tenant)} as minor from buyer_account_moves m
     where m.organisation_id = ${tenant.organisationId} and m.mode = ${tenant.mode} and m.invoice_id = any (${[...ids]}::uuid[])
       and m.superseded_at is null and m.open_minor > 0`)
  return new Map(rows.map(({ id, minor }) => [id, minor]))
}

// Disputes and promises.

/** Why an invoice gets no reminders. All null if nothing is recorded. */
export interface ReminderPause {
  readonly disputedAt: Date | null
  readonly disputeReason: string | null
  readonly promisedOn: string | null
  readonly promiseRemark: string | null
  readonly promisedAt: Date | null
}
export const noPause: ReminderPause = {
  disputedAt: null,
  disputeReason: null,
  promisedOn: null,
  promiseRemark: null,
  promisedAt: null,
}

export interface ReminderFacts extends ReminderPause {
  readonly lastRemindedOn: string | null
}

/** The recorded disputes and promises of these invoices. */
export async function readFacts(
  db: Queryable,
  { organisationId, mode }: Tenant,
  ids: readonly InvoiceId[],
): Promise<ReadonlyMap<InvoiceId, ReminderFacts>> {
  const rows = await db.rows<ReminderFacts & { id: InvoiceId }>(sql`
    select asked.id, h.disputed_at, h.dispute_reason, h.promised_on, h.promise_remark, h.promised_at,
           (select max(r.day) from sent_reminders r where r.organisation_id = ${organisationId} and r.mode = ${mode} and r.invoice_id = asked.id
             and ${hasReminded}) as last_reminded_on
      from unnest(${[...ids]}::uuid[]) as asked (id)
      left join reminder_holds h on h.organisation_id = ${organisationId} and h.mode = ${mode} and h.invoice_id = asked.id`)
  return new Map(rows.map(({ id, ...facts }) => [id, facts]))
}

/** The caller holds the lock of the invoice. */
export async function savePause(tx: Tx, tenant: Tenant, id: InvoiceId, pause: ReminderPause): Promise<void> {
  await tx.run(sql`
    insert into reminder_holds (organisation_id, mode, invoice_id, disputed_at, dispute_reason, promised_on, promise_remark, promised_at)
    values (${tenant.organisationId}, ${tenant.mode}, ${id}, ${pause.disputedAt}, ${pause.disputeReason}, ${pause.promisedOn}, ${pause.promiseRemark}, ${pause.promisedAt})
    on conflict (organisation_id, mode, invoice_id) do update
       set disputed_at = excluded.disputed_at, dispute_reason = excluded.dispute_reason, promised_on = excluded.promised_on,
           promise_remark = excluded.promise_remark, promised_at = excluded.promised_at`)
}

// Buyers.

export async function readSetting(db: Queryable, tenant: Tenant, buyerId: BuyerId): Promise<BuyerSetting> {
  const row = await db.maybe<BuyerSetting>(
    sql`select choice, since from reminder_buyers where ${within(tenant)} and buyer_id = ${buyerId}`,
  )
  return row ?? { choice: 'by_plan', since: null }
}

/** The caller holds the lock of the buyer. */
export async function saveSetting(
  tx: Tx,
  tenant: Tenant,
  buyerId: BuyerId,
  { choice, since }: BuyerSetting,
  now: Date,
): Promise<void> {
  await tx.run(sql`
    insert into reminder_buyers (organisation_id, mode, buyer_id, choice, since, updated_at)
    values (${tenant.organisationId}, ${tenant.mode}, ${buyerId}, ${choice}, ${since}, ${now})
    on conflict (organisation_id, mode, buyer_id) do update set choice = excluded.choice, since = excluded.since, updated_at = excluded.updated_at`)
}
