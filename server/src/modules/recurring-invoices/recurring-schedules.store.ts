import type { KeyCaller, TokenCaller, UserCaller } from '../../kernel/callers.ts'
import type { Capability } from '../../kernel/capabilities.ts'
import { mapped, type Page, type PageRequest } from '../../kernel/paging.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { isBehindTenant } from '../../platform/database/fair-turns.store.ts'
import { newestIdFirst, readPage } from '../../platform/database/keyset.store.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { onTheirShards } from '../../platform/database/their-shards.store.ts'
import type { InvoiceId } from '../invoices/index.ts'
import { periodOf, type Recurrence } from './calendar.ts'
import type {
  CatchUp,
  NewSchedule,
  RecurringRun,
  RecurringSchedule,
  RecurringScheduleId,
  RunOutcome,
  ScheduleContent,
  ScheduleStatus,
} from './recurring-schedule.ts'
import { templateFrom, templateText } from './stored-template.ts'

const within = ({ organisationId, mode }: Tenant): Sql => sql`organisation_id = ${organisationId} and mode = ${mode}`
const ofSchedule = (tenant: Tenant, id: RecurringScheduleId): Sql => sql`${within(tenant)} and schedule_id = ${id}`

type StoredCaller = Omit<UserCaller, 'capabilities'> | Omit<KeyCaller, 'capabilities'>

/** A schedule with the person or key that its invoices are made for. */
export interface StoredSchedule extends RecurringSchedule {
  readonly madeBy: StoredCaller
  /** when the next period is made, or tried again */
  readonly nextAt: Date | null
}

/** The contents that count on the next day, or on the last day before the end. */
const columns = sql`
  s.id, s.name, s.status, s.recurrence, s.catch_up, s.made_by, s.next_number, s.next_on, s.next_at, s.version, s.created_at, s.updated_at,
  c.template, c.policy, c.due_in_days,
  array(select l.from_day::text from recurring_contents l
         where l.organisation_id = s.organisation_id and l.mode = s.mode and l.schedule_id = s.id and l.from_day > s.next_on order by 1) as changes_on`
const withContent = sql`
  recurring_schedules s cross join lateral (
    select c.template, c.policy, c.due_in_days from recurring_contents c
     where c.organisation_id = s.organisation_id and c.mode = s.mode and c.schedule_id = s.id
     order by c.from_day > coalesce(s.next_on, 'infinity'), case when c.from_day > coalesce(s.next_on, 'infinity') then c.from_day end,
              c.from_day desc limit 1) as c`

type Row = Omit<StoredSchedule, 'template' | 'createdBy'> & { readonly template: Parameters<typeof templateFrom>[0] }
const scheduleFrom = ({ template, ...row }: Row): StoredSchedule => ({
  ...row,
  template: templateFrom(template),
  createdBy: { type: row.madeBy.kind, id: row.madeBy.kind === 'user' ? row.madeBy.userId : row.madeBy.keyId },
})

export interface NextPeriod {
  readonly nextNumber: number
  readonly nextOn: string | null
  readonly nextAt: Date | null
}

export async function insertSchedule(
  tx: Tx,
  tenant: Tenant,
  schedule: NewSchedule & Pick<RecurringSchedule, 'id' | 'status' | 'createdAt'>,
  next: NextPeriod,
  caller: TokenCaller,
): Promise<void> {
  const { id, name, status, recurrence, catchUp, createdAt } = schedule
  await tx.run(sql`
    insert into recurring_schedules (organisation_id, mode, id, name, status, recurrence, catch_up, made_by, next_number, next_on, next_at, created_at, updated_at)
    values (${tenant.organisationId}, ${tenant.mode}, ${id}, ${name}, ${status}, ${JSON.stringify(recurrence)}::jsonb, ${catchUp},
            ${JSON.stringify({ ...caller, capabilities: undefined })}::jsonb, ${next.nextNumber}, ${next.nextOn}, ${next.nextAt}, ${createdAt}, ${createdAt})`)
  await saveContent(tx, tenant, id, { fromDay: recurrence.startsOn, nextOn: next.nextOn }, schedule)
}

/**
 * The content from a day on. It replaces the contents that begin later, up to the day of the next invoice. Changes that are planned for days
 * after it stay.
 */
export async function saveContent(
  tx: Tx,
  tenant: Tenant,
  id: RecurringScheduleId,
  { fromDay, nextOn }: { readonly fromDay: string; readonly nextOn: string | null },
  { template, policy, dueInDays }: ScheduleContent,
): Promise<void> {
  await tx.run(sql`
    with replaced as (
      delete from recurring_contents where ${ofSchedule(tenant, id)} and from_day > ${fromDay} and from_day <= coalesce(${nextOn}::date, 'infinity'))
    insert into recurring_contents (organisation_id, mode, schedule_id, from_day, template, policy, due_in_days)
    values (${tenant.organisationId}, ${tenant.mode}, ${id}, ${fromDay}, ${templateText(template)}::jsonb, ${policy}, ${dueInDays})
    on conflict (organisation_id, mode, schedule_id, from_day) do update
       set template = excluded.template, policy = excluded.policy, due_in_days = excluded.due_in_days`)
}

export async function getContent(
  db: Queryable,
  tenant: Tenant,
  id: RecurringScheduleId,
  day: string,
): Promise<ScheduleContent> {
  const row = await db.one<Omit<ScheduleContent, 'template'> & Pick<Row, 'template'>>(sql`
    select template, policy, due_in_days from recurring_contents where ${ofSchedule(tenant, id)}
     order by from_day > ${day}, from_day desc limit 1`)
  return { ...row, template: templateFrom(row.template) }
}

export async function findSchedule(
  db: Queryable,
  tenant: Tenant,
  id: RecurringScheduleId,
): Promise<StoredSchedule | undefined> {
  const row = await db.maybe<Row>(
    sql`select ${columns} from ${withContent} where s.organisation_id = ${tenant.organisationId} and s.mode = ${tenant.mode} and s.id = ${id}`,
  )
  return row && scheduleFrom(row)
}

/** Two workers, or a worker and a person, never act on the same schedule at the same time. */
export async function lockSchedule(
  tx: Tx,
  tenant: Tenant,
  id: RecurringScheduleId,
): Promise<StoredSchedule | undefined> {
  await tx.run(sql`select from recurring_schedules where ${within(tenant)} and id = ${id} for no key update`)
  return await findSchedule(tx, tenant, id)
}

/** Like `lockSchedule`, for workers: `undefined` if another transaction holds the schedule. */
export async function lockFreeSchedule(
  tx: Tx,
  tenant: Tenant,
  id: RecurringScheduleId,
): Promise<StoredSchedule | undefined> {
  const free = await tx.maybe<{ id: string }>(
    sql`select id from recurring_schedules where ${within(tenant)} and id = ${id} for no key update skip locked`,
  )
  return free && (await findSchedule(tx, tenant, id))
}

export async function listSchedules(
  db: Queryable,
  tenant: Tenant,
  status: ScheduleStatus | undefined,
  page: PageRequest,
): Promise<Page<RecurringSchedule>> {
  const own = sql`s.organisation_id = ${tenant.organisationId} and s.mode = ${tenant.mode}`
  const matching = status === undefined ? own : sql`${own} and s.status = ${status}`
  const { total } = await db.one<{ total: number }>(
    sql`select count(*)::int as total from recurring_schedules s where ${matching}`,
  )
  const query = { columns, tables: withContent, matching, total, order: newestIdFirst(sql`s.id`) }
  return mapped(await readPage<Row>(db, query, page), scheduleFrom)
}

export async function countSchedules(tx: Tx, tenant: Tenant): Promise<number> {
  const { many } = await tx.one<{ many: number }>(
    sql`select count(*)::int as many from recurring_schedules where ${within(tenant)} and status <> 'ended'`,
  )
  return many
}

/** Saves a change by a person or a run. */
export async function saveSchedule(
  tx: Tx,
  tenant: Tenant,
  id: RecurringScheduleId,
  change: NextPeriod & {
    readonly name: string
    readonly status: ScheduleStatus
    readonly catchUp: CatchUp
    readonly recurrence: Recurrence
  },
  now: Date,
): Promise<void> {
  await tx.run(sql`
    update recurring_schedules
       set name = ${change.name}, status = ${change.status}, catch_up = ${change.catchUp}, recurrence = ${JSON.stringify(change.recurrence)}::jsonb,
           next_number = ${change.nextNumber}, next_on = ${change.nextOn}, next_at = ${change.nextAt}, version = version + 1, updated_at = ${now}
     where ${within(tenant)} and id = ${id}`)
}

export interface DueSchedule extends Tenant {
  readonly id: RecurringScheduleId
}

/** Organisations with due schedules, in the order of their ids. */
export function listTenantsWithDueSchedules(
  db: Queryable,
  after: Tenant | undefined,
  now: Date,
  limit: number,
): Promise<Tenant[]> {
  return db.rows(sql`
    select distinct organisation_id, mode from recurring_schedules
     where status = 'active' and next_at <= ${now} and ${isBehindTenant(after)} order by organisation_id, mode limit ${limit}`)
}

/** When the next period of a tenant begins after this moment. */
export async function findNextPeriodAt(db: Queryable, tenant: Tenant, after: Date): Promise<Date | undefined> {
  const { at } = await db.one<{ at: Date | null }>(sql`
    select min(next_at) as at from recurring_schedules where ${within(tenant)} and status = 'active' and next_at > ${after}`)
  return at ?? undefined
}

export async function listDueSchedules(
  db: Queryable,
  tenant: Tenant,
  now: Date,
  limit: number,
): Promise<RecurringScheduleId[]> {
  const rows = await db.rows<{ id: RecurringScheduleId }>(sql`
    select id from recurring_schedules where ${within(tenant)} and status = 'active' and next_at <= ${now} order by next_at, id limit ${limit}`)
  return rows.map(({ id }) => id)
}

type RunRow = Pick<RecurringRun, 'day' | 'outcome' | 'invoiceId' | 'invoiceNumber' | 'ranAt'> & {
  readonly number: number
  readonly waitingSince: Date | null
  readonly refusal: NonNullable<RecurringRun['refused']>['refusal'] | null
  readonly message: string | null
  readonly details: NonNullable<RecurringRun['refused']>['details']
}
const runColumns = sql`day, number, outcome, invoice_id, invoice_number, refusal, message, details, ran_at, waiting_since`
const runFrom =
  (recurrence: Recurrence) =>
  ({ number, waitingSince, refusal, message, details, ...row }: RunRow): RecurringRun => ({
    ...row,
    ...periodOf(recurrence, number),
    refused: refusal === null ? null : { refusal, message: message ?? '', details },
  })

export interface StoredRun extends RecurringRun {
  readonly number: number
  /** when the first of the refusals came that may pass */
  readonly waitingSince: Date | null
}

export async function findRun(
  db: Queryable,
  tenant: Tenant,
  { id, recurrence }: Pick<RecurringSchedule, 'id' | 'recurrence'>,
  day: string,
): Promise<StoredRun | undefined> {
  const row = await db.maybe<RunRow>(
    sql`select ${runColumns} from recurring_runs where ${ofSchedule(tenant, id)} and day = ${day}`,
  )
  return row && { ...runFrom(recurrence)(row), number: row.number, waitingSince: row.waitingSince }
}

export interface NewRun {
  readonly day: string
  readonly number: number
  readonly outcome: RunOutcome
  readonly invoice?: { readonly id: InvoiceId; readonly number: string } | undefined
  readonly refused?: RecurringRun['refused'] | undefined
  readonly waitingSince?: Date | undefined
  /** the invoice is sent when the authority has accepted it */
  readonly isSentLater?: boolean | undefined
}

/** The caller holds the lock of the schedule. A period keeps its invoice in every case. */
export async function saveRun(
  tx: Tx,
  tenant: Tenant,
  id: RecurringScheduleId,
  { day, number, outcome, invoice, refused, waitingSince, isSentLater = false }: NewRun,
  now: Date,
): Promise<void> {
  const details = (refused?.details ?? []).map(({ path, rule, message }) => ({ path, rule, message }))
  const saved = await tx.run(sql`
    insert into recurring_runs as r (organisation_id, mode, schedule_id, ${runColumns}, is_sent_later)
    values (${tenant.organisationId}, ${tenant.mode}, ${id}, ${day}, ${number}, ${outcome}, ${invoice?.id ?? null}, ${invoice?.number ?? null},
            ${refused?.refusal ?? null}, ${refused?.message ?? null}, ${JSON.stringify(details)}::jsonb, ${now}, ${waitingSince ?? null}, ${isSentLater})
    on conflict (organisation_id, mode, schedule_id, day) do update
       set outcome = excluded.outcome, invoice_id = excluded.invoice_id, invoice_number = excluded.invoice_number, refusal = excluded.refusal,
           message = excluded.message, details = excluded.details, ran_at = excluded.ran_at, waiting_since = excluded.waiting_since,
           is_sent_later = excluded.is_sent_later
     where r.outcome <> 'made'`)
  if (saved === 0) throw new Error('this period has an invoice already')
}

/** Newest period first. */
export async function listRuns(
  db: Queryable,
  tenant: Tenant,
  { id, recurrence }: Pick<RecurringSchedule, 'id' | 'recurrence'>,
  page: PageRequest,
): Promise<Page<RecurringRun>> {
  const matching = ofSchedule(tenant, id)
  const { total } = await db.one<{ total: number }>(
    sql`select count(*)::int as total from recurring_runs where ${matching}`,
  )
  const order = { name: 'day', keys: [{ column: sql`day`, type: 'day', descending: true }] } as const
  const query = { columns: runColumns, tables: sql`recurring_runs`, matching, total, order }
  return mapped(await readPage<RunRow>(db, query, page), runFrom(recurrence))
}

/** The skipped days of a schedule from a day on. */
export async function listSkippedDays(
  db: Queryable,
  tenant: Tenant,
  id: RecurringScheduleId,
  from: string,
): Promise<ReadonlySet<string>> {
  const rows = await db.rows<{ day: string }>(sql`
    select day from recurring_runs where ${ofSchedule(tenant, id)} and outcome = 'skipped' and day >= ${from}`)
  return new Set(rows.map(({ day }) => day))
}

/** Takes back a skip. False if the period was not skipped. */
export async function deleteSkip(tx: Tx, tenant: Tenant, id: RecurringScheduleId, day: string): Promise<boolean> {
  const deleted = await tx.run(
    sql`delete from recurring_runs where ${ofSchedule(tenant, id)} and day = ${day} and outcome = 'skipped'`,
  )
  return deleted === 1
}

/** Periods that wait before a day are not tried again. All of them without a day. */
export async function failWaiting(
  tx: Tx,
  tenant: Tenant,
  id: RecurringScheduleId,
  before: string | null,
): Promise<void> {
  await tx.run(sql`
    update recurring_runs set outcome = 'failed'
     where ${ofSchedule(tenant, id)} and outcome = 'waiting' and day < coalesce(${before}::date, 'infinity')`)
}

/** The periods without an invoice: whether there are any, and the first of those that failed or wait since the last invoice. */
export async function readOpenPeriods(
  db: Queryable,
  tenant: Tenant,
  id: RecurringScheduleId,
): Promise<{ readonly hasAny: boolean; readonly firstRefused: string | null }> {
  return await db.one(sql`
    select coalesce(bool_or(outcome <> 'made'), false) as has_any,
           min(day) filter (where outcome in ('failed', 'waiting') and day > coalesce(last_made, '-infinity'))::text as first_refused
      from (select day, outcome, max(day) filter (where outcome = 'made') over () as last_made
              from recurring_runs where ${ofSchedule(tenant, id)}) as r`)
}

// Invoices that are sent when the authority has accepted them.

/** Those of these invoices that are to be sent. */
export function listSentLater<Accepted extends Tenant & { readonly invoiceId: InvoiceId }>(
  db: Queryable,
  accepted: readonly Accepted[],
): Promise<Pick<Accepted, 'invoiceId' | keyof Tenant>[]> {
  const listing = onTheirShards(
    accepted.map(({ organisationId }) => organisationId),
    (named) => sql`
    select r.organisation_id, r.mode, r.invoice_id
      from jsonb_to_recordset(${JSON.stringify(accepted)}::jsonb) as a ("organisationId" uuid, mode text, "invoiceId" uuid)
      join recurring_runs r on r.organisation_id = a."organisationId" and r.mode = a.mode and r.invoice_id = a."invoiceId" where r.is_sent_later ${named('r')}`,
  )
  return db.rows(listing)
}

/** The schedule of an invoice that is to be sent. */
export async function findSentLater(
  db: Queryable,
  tenant: Tenant,
  invoiceId: InvoiceId,
): Promise<RecurringScheduleId | undefined> {
  const row = await db.maybe<{ id: RecurringScheduleId }>(
    sql`select schedule_id as id from recurring_runs where ${within(tenant)} and invoice_id = ${invoiceId} and is_sent_later`,
  )
  return row?.id
}

/** False if the invoice was sent meanwhile. */
export async function lockSentLater(tx: Tx, tenant: Tenant, invoiceId: InvoiceId): Promise<boolean> {
  const row = await tx.maybe(
    sql`select 1 from recurring_runs where ${within(tenant)} and invoice_id = ${invoiceId} and is_sent_later for no key update`,
  )
  return row !== undefined
}

/** The invoice was sent, or the reason why it was not is kept. */
export async function saveSending(
  tx: Tx,
  tenant: Tenant,
  invoiceId: InvoiceId,
  refused: RecurringRun['refused'] | undefined,
): Promise<void> {
  await tx.run(sql`
    update recurring_runs set is_sent_later = false, refusal = ${refused?.refusal ?? null}, message = ${refused?.message ?? null}
     where ${within(tenant)} and invoice_id = ${invoiceId} and is_sent_later`)
}

/** The person or key that a schedule acts for, with the capabilities that were checked when it was written. */
export function callerOf(madeBy: StoredCaller, capabilities: readonly Capability[]): TokenCaller {
  const held = new Set(capabilities)
  return madeBy.kind === 'user'
    ? { ...madeBy, signedInAt: new Date(madeBy.signedInAt), capabilities: held }
    : { ...madeBy, capabilities: held }
}
