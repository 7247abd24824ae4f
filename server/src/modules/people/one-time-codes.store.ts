import type { UserId } from '../../kernel/ids.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

export type CodePurpose = 'verify_email' | 'reset_password' | 'verify_phone' | 'verify_organisation_phone'

export interface CodeRow {
  readonly id: string
  readonly codeMac: string
  readonly claims: Record<string, string>
}

interface NewCode extends CodeRow {
  readonly userId: UserId
  readonly purpose: CodePurpose
  readonly attempts: number
  readonly expiresAt: Date
}

export async function insertCode(tx: Tx, code: NewCode, now: Date): Promise<void> {
  await tx.run(sql`
    insert into one_time_codes (id, user_id, purpose, code_mac, attempts_left, claims, created_at, expires_at)
    values (${code.id}, ${code.userId}, ${code.purpose}, ${code.codeMac}, ${code.attempts}, ${JSON.stringify(code.claims)}::jsonb, ${now}, ${code.expiresAt})`)
}

/** The newest codes that still work; locked, so that two tries cannot share one attempt. */
export function lockOpenCodes(
  tx: Tx,
  userId: UserId,
  purpose: CodePurpose,
  now: Date,
  limit: number,
): Promise<CodeRow[]> {
  return tx.rows(sql`
    select id, code_mac, claims from one_time_codes
     where user_id = ${userId} and purpose = ${purpose} and used_at is null and attempts_left > 0 and expires_at > ${now}
     order by created_at desc, id desc limit ${limit} for update`)
}

export function latestCode(db: Queryable, userId: UserId, purpose: CodePurpose): Promise<CodeRow | undefined> {
  return db.maybe(sql`
    select id, code_mac, claims from one_time_codes where user_id = ${userId} and purpose = ${purpose} order by created_at desc, id desc limit 1`)
}

export async function countWrongTry(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.run(sql`update one_time_codes set attempts_left = attempts_left - 1 where id = any(${ids}::uuid[])`)
}

/** Once one code of a purpose was used, none of its siblings works any more. */
export async function useCodes(tx: Tx, userId: UserId, purpose: CodePurpose, now: Date): Promise<void> {
  await tx.run(
    sql`update one_time_codes set used_at = ${now} where user_id = ${userId} and purpose = ${purpose} and used_at is null`,
  )
}

export function purgeCodes(db: Queryable, before: Date): Promise<number> {
  return db.run(sql`delete from one_time_codes where expires_at < ${before}`)
}
