import type { UserId } from '../../kernel/ids.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

export type CodePurpose = 'verify_email' | 'reset_password' | 'verify_phone' | 'verify_organisation_phone'

export interface CodeRow {
  readonly id: string
  readonly codeMac: string
  /** What the code is for, if the purpose alone does not say it. */
  readonly subject: string
  readonly claims: Record<string, string>
}

interface NewCode extends CodeRow {
  readonly userId: UserId
  readonly purpose: CodePurpose
  readonly networkMac: string
  readonly attempts: number
  readonly expiresAt: Date
}

/** Each subject has one open code. A new code replaces the old one. */
export async function replaceCode(tx: Tx, code: NewCode, now: Date): Promise<void> {
  await useCodes(tx, code.userId, code.purpose, now, [code.subject])
  await tx.run(sql`
    insert into one_time_codes (id, user_id, purpose, subject, code_mac, network_mac, attempts_left, attempts_left_elsewhere,
                                claims, created_at, expires_at)
    values (${code.id}, ${code.userId}, ${code.purpose}, ${code.subject}, ${code.codeMac}, ${code.networkMac}, ${code.attempts},
            ${code.attempts}, ${JSON.stringify(code.claims)}::jsonb, ${now}, ${code.expiresAt})`)
}

const open = (userId: UserId, purpose: CodePurpose, now: Date) =>
  sql`user_id = ${userId} and purpose = ${purpose} and used_at is null and expires_at > ${now}`

export async function listOpenCodeMacs(tx: Tx, userId: UserId, purpose: CodePurpose, now: Date): Promise<string[]> {
  const rows = await tx.rows<{ codeMac: string }>(
    sql`select code_mac from one_time_codes where ${open(userId, purpose, now)}`,
  )
  return rows.map(({ codeMac }) => codeMac)
}

/** Codes that still work from a network. Locked, so that two attempts cannot share one. */
export function lockOpenCodes(
  tx: Tx,
  userId: UserId,
  purpose: CodePurpose,
  networkMac: string,
  now: Date,
): Promise<CodeRow[]> {
  return tx.rows(sql`
    select id, code_mac, subject, claims from one_time_codes
     where ${open(userId, purpose, now)}
       and case when network_mac = ${networkMac} then attempts_left else attempts_left_elsewhere end > 0
     order by created_at desc, id desc for no key update`)
}

/** Attempts from the requesting network and from elsewhere are counted separately. */
export async function countWrongCode(tx: Tx, ids: readonly string[], networkMac: string): Promise<void> {
  await tx.run(sql`
    update one_time_codes
       set attempts_left = attempts_left - case when network_mac = ${networkMac} then 1 else 0 end,
           attempts_left_elsewhere = attempts_left_elsewhere - case when network_mac = ${networkMac} then 0 else 1 end
     where id = any(${ids}::uuid[])`)
}

/** Ends the open codes of a purpose, all or those of some subjects. */
export async function useCodes(
  tx: Tx,
  userId: UserId,
  purpose: CodePurpose,
  now: Date,
  subjects: readonly string[] | null = null,
): Promise<void> {
  await tx.run(sql`
    update one_time_codes set used_at = ${now}
     where user_id = ${userId} and purpose = ${purpose} and used_at is null
       and (${subjects}::text[] is null or subject = any(${subjects}::text[]))`)
}

/** Number of codes made since a moment: requested from one network, and from elsewhere. */
export function countCodes(
  tx: Tx,
  userId: UserId,
  purpose: CodePurpose,
  subject: string,
  networkMac: string,
  since: Date,
): Promise<{ here: number; elsewhere: number }> {
  return tx.one(sql`
    select count(*) filter (where network_mac = ${networkMac})::int as here,
           count(*) filter (where network_mac <> ${networkMac})::int as elsewhere
      from one_time_codes
     where user_id = ${userId} and purpose = ${purpose} and subject = ${subject} and created_at > ${since}`)
}

export function purgeCodes(db: Queryable, before: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from one_time_codes where id in (select id from one_time_codes where expires_at < ${before} limit ${limit})`)
}
