import type { Page, PageRequest } from '../../kernel/paging.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { newestIdFirst, readPage } from '../../platform/database/keyset.store.ts'
import { joined, type Sql, sql } from '../../platform/database/sql.ts'
import type { BuyerId } from '../buyers/index.ts'
import type { InvoiceId } from '../invoices/index.ts'
import type { HeldBackReason } from './held-back.ts'

const within = ({ organisationId, mode }: Tenant): Sql => sql`organisation_id = ${organisationId} and mode = ${mode}`

/** False if the buyer was reminded on this day already. A transaction that is doing so is waited for. */
export async function claimDay(tx: Tx, tenant: Tenant, buyerId: BuyerId, day: string): Promise<boolean> {
  const claimed = await tx.run(sql`
    insert into reminder_days (organisation_id, mode, buyer_id, day)
    values (${tenant.organisationId}, ${tenant.mode}, ${buyerId}, ${day}) on conflict do nothing`)
  return claimed === 1
}

export async function wasRemindedOn(db: Queryable, tenant: Tenant, buyerId: BuyerId, day: string): Promise<boolean> {
  const found = await db.maybe(
    sql`select 1 from reminder_days where ${within(tenant)} and buyer_id = ${buyerId} and day = ${day}`,
  )
  return found !== undefined
}

export interface SentReminder {
  readonly id: string
  readonly invoiceId: InvoiceId
  readonly invoiceNumber: string
  readonly buyerId: BuyerId | null
  readonly day: string
  /** null for a reminder that a person or program sent */
  readonly stepDays: number | null
  readonly recipient: string
  readonly dueMinor: bigint
  readonly currency: string
  readonly dueDate: string | null
  readonly sentAt: Date
  /** why the mail left the invoice out; null if the reminder was not stopped */
  readonly notSentReason: HeldBackReason | null
  /** an attempt before had no answer, so the buyer may have a reminder that was stopped */
  readonly mayHaveArrived: boolean
}

/** A reminder whose mail is about to be sent. */
export interface NewSentReminder extends Omit<SentReminder, 'notSentReason' | 'mayHaveArrived'> {
  /** of the event of a reminder by hand; null for a reminder of the plan */
  readonly invoiceVersion: number | null
}

export async function insertSent(tx: Tx, tenant: Tenant, sent: readonly NewSentReminder[]): Promise<void> {
  const { organisationId, mode } = tenant
  const rows = sent.map(
    (row) =>
      sql`(${organisationId}, ${mode}, ${row.id}, ${row.invoiceId}, ${row.invoiceNumber}, ${row.buyerId}, ${row.day}, ${row.stepDays}, ${row.recipient}, ${row.dueMinor}, ${row.currency}, ${row.dueDate}, ${row.sentAt}, ${row.invoiceVersion})`,
  )
  await tx.run(sql`
    insert into sent_reminders (organisation_id, mode, id, invoice_id, invoice_number, buyer_id, day, step_days, recipient, due_minor, currency, due_date, sent_at, invoice_version)
    values ${joined(rows, ', ')}`)
}

const sentColumns = sql`
  id, invoice_id, invoice_number, buyer_id, day, step_days, recipient, due_minor, currency, due_date, sent_at, not_sent_reason, may_have_arrived`

/** Locks the reminders of the mail of a buyer and day, those that were due first at the front. */
export function lockRemindersOfMail(tx: Tx, tenant: Tenant, buyerId: BuyerId, day: string): Promise<SentReminder[]> {
  return tx.rows(sql`
    select ${sentColumns} from sent_reminders
     where ${within(tenant)} and buyer_id = ${buyerId} and day = ${day} and step_days is not null
     order by due_date, invoice_id for no key update`)
}

/** Locks a reminder by hand, by the version of the invoice in its event. */
export function lockReminderByHand(
  tx: Tx,
  tenant: Tenant,
  id: InvoiceId,
  version: number,
): Promise<SentReminder | undefined> {
  return tx.maybe(sql`
    select ${sentColumns} from sent_reminders
     where ${within(tenant)} and invoice_id = ${id} and invoice_version = ${version} and step_days is null for no key update`)
}

export async function saveNotSent(
  tx: Tx,
  tenant: Tenant,
  id: string,
  { reason, mayHaveArrived }: { readonly reason: HeldBackReason; readonly mayHaveArrived: boolean },
): Promise<void> {
  await tx.run(sql`
    update sent_reminders set not_sent_reason = ${reason}, may_have_arrived = ${mayHaveArrived} where ${within(tenant)} and id = ${id}`)
}

/** The address of the buyer changed between queueing and sending. */
export async function saveRecipient(tx: Tx, tenant: Tenant, ids: readonly string[], recipient: string): Promise<void> {
  await tx.run(sql`
    update sent_reminders set recipient = ${recipient}
     where ${within(tenant)} and id = any (${[...ids]}::uuid[]) and recipient <> ${recipient}`)
}

export interface SentFilter {
  readonly buyerId?: BuyerId | undefined
  readonly invoiceId?: InvoiceId | undefined
}

export async function listSent(
  db: Queryable,
  tenant: Tenant,
  { buyerId, invoiceId }: SentFilter,
  page: PageRequest,
): Promise<Page<SentReminder>> {
  const conditions = [within(tenant)]
  if (buyerId !== undefined) conditions.push(sql`buyer_id = ${buyerId}`)
  if (invoiceId !== undefined) conditions.push(sql`invoice_id = ${invoiceId}`)
  const matching = joined(conditions, ' and ')
  const tables = sql`sent_reminders`
  const { total } = await db.one<{ total: number }>(sql`select count(*)::int as total from ${tables} where ${matching}`)
  return await readPage(db, { columns: sentColumns, tables, matching, total, order: newestIdFirst(sql`id`) }, page)
}
