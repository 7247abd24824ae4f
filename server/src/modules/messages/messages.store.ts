import { firstIdAt } from '../../kernel/ids.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

export interface MessageRow {
  readonly id: string
  readonly cause: string
  readonly channel: 'email' | 'sms'
  readonly recipient: string
  readonly sealedBody: string | null
  readonly createdAt: Date
}

/** False if this cause has its message already. */
export async function insertMessage(tx: Tx, row: MessageRow): Promise<boolean> {
  const inserted = await tx.run(sql`
    insert into messages (id, cause, channel, recipient, sealed_body, created_at)
    values (${row.id}, ${row.cause}, ${row.channel}, ${row.recipient}, ${row.sealedBody}, ${row.createdAt})
    on conflict (cause) do nothing`)
  return inserted === 1
}

export function findMessage(db: Queryable, id: string): Promise<MessageRow | undefined> {
  return db.maybe(sql`select id, cause, channel, recipient, sealed_body, created_at from messages where id = ${id}`)
}

export interface PreparedRow {
  readonly id: string
  readonly isSent: boolean
  readonly openAttempts: number
}

/** Locks the message of a cause, so that two workers do not prepare it at the same time. */
export function lockPrepared(tx: Tx, cause: string): Promise<PreparedRow | undefined> {
  return tx.maybe(
    sql`select id, sent_at is not null as is_sent, open_attempts from messages where cause = ${cause} for no key update`,
  )
}

/** Saves the message for an attempt that begins after the commit. */
export async function saveAttempt(tx: Tx, row: MessageRow): Promise<void> {
  await tx.run(sql`
    insert into messages as m (id, cause, channel, recipient, sealed_body, created_at, open_attempts)
    values (${row.id}, ${row.cause}, ${row.channel}, ${row.recipient}, ${row.sealedBody}, ${row.createdAt}, 1)
    on conflict (id) do update
       set recipient = excluded.recipient, sealed_body = excluded.sealed_body, open_attempts = m.open_attempts + 1`)
}

/** An attempt ended, and the message is known not to have left. */
export async function endAttempt(db: Queryable, id: string): Promise<void> {
  await db.run(sql`update messages set open_attempts = open_attempts - 1 where id = ${id} and open_attempts > 0`)
}

export async function deleteUnsent(tx: Tx, id: string): Promise<void> {
  await tx.run(sql`delete from messages where id = ${id} and sent_at is null`)
}

/** Erases the contents once sent, because they may hold a code. */
export async function saveSent(db: Queryable, id: string, sentAt: Date): Promise<void> {
  await db.run(sql`update messages set sealed_body = null, sent_at = ${sentAt} where id = ${id} and sent_at is null`)
}

/** By then no cause repeats, and an unsent message will not be sent. Ids begin with their time and are indexed. */
export function purgeMessages(db: Queryable, before: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from messages where id in (
      select id from messages where created_at < ${before} and id < ${firstIdAt(before.getTime())}::uuid order by id limit ${limit})`)
}

export interface MailboxRow {
  readonly id: string
  readonly channel: 'email' | 'sms'
  readonly recipient: string
  readonly sealedBody: string
  readonly createdAt: Date
}

export async function insertIntoMailbox(db: Queryable, row: MailboxRow): Promise<void> {
  await db.run(sql`
    insert into mailbox (id, channel, recipient, sealed_body, created_at)
    values (${row.id}, ${row.channel}, ${row.recipient}, ${row.sealedBody}, ${row.createdAt}) on conflict (id) do nothing`)
}

export async function deleteMailbox(tx: Tx): Promise<void> {
  await tx.run(sql`delete from mailbox`)
}

export function purgeMailbox(db: Queryable, before: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from mailbox where id in (
      select id from mailbox where created_at < ${before} and id < ${firstIdAt(before.getTime())}::uuid order by id limit ${limit})`)
}

export function listMailbox(db: Queryable, recipient: string | undefined, limit: number): Promise<MailboxRow[]> {
  return db.rows(sql`
    select id, channel, recipient, sealed_body, created_at from mailbox
     where ${recipient ?? null}::text is null or lower(recipient) = lower(${recipient ?? null})
     order by created_at desc, id desc limit ${limit}`)
}
