import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { Confirmation, PreparedAction } from './confirmation.ts'

interface Row {
  readonly action: string
  readonly content: unknown
  readonly objectId: string | null
  readonly objectVersion: number | null
  readonly amountMinor: bigint | null
  readonly currency: string | null
  readonly expiresAt: Date
  readonly confirmedAt: Date | null
}

const toConfirmation = ({ objectId, objectVersion, amountMinor, currency, ...row }: Row): Confirmation => ({
  ...row,
  object: objectId === null || objectVersion === null ? null : { id: objectId, version: objectVersion },
  spending: amountMinor === null || currency === null ? null : { amountMinor, currency },
})

/** Returns false if the tenant has this many open confirmations already. */
export async function insertConfirmation(
  tx: Tx,
  { organisationId, mode }: Tenant,
  tokenHash: string,
  principal: string,
  { action, content, object, spending }: PreparedAction,
  { now, expiresAt, most }: { readonly now: Date; readonly expiresAt: Date; readonly most: number },
): Promise<boolean> {
  const inserted = await tx.run(sql`
    insert into confirmations (organisation_id, mode, token_hash, principal, action, content, object_id, object_version, amount_minor, currency, created_at, expires_at)
    select ${organisationId}, ${mode}, ${tokenHash}, ${principal}, ${action}, ${JSON.stringify(content)}::jsonb, ${object?.id ?? null}, ${object?.version ?? null},
           ${spending?.amountMinor ?? null}, ${spending?.currency ?? null}, ${now}, ${expiresAt}
     where (select count(*) from confirmations
             where organisation_id = ${organisationId} and mode = ${mode} and confirmed_at is null and expires_at > ${now}) < ${most}`)
  return inserted === 1
}

/** Locks the confirmation, so that two requests with one token are counted once. */
export async function lockConfirmation(
  tx: Tx,
  { organisationId, mode }: Tenant,
  tokenHash: string,
  principal: string,
): Promise<Confirmation | undefined> {
  const row = await tx.maybe<Row>(sql`
    select action, content, object_id, object_version, amount_minor, currency, expires_at, confirmed_at from confirmations
     where organisation_id = ${organisationId} and mode = ${mode} and token_hash = ${tokenHash} and principal = ${principal}
       for no key update`)
  return row && toConfirmation(row)
}

export async function saveConfirmed(
  tx: Tx,
  { organisationId, mode }: Tenant,
  tokenHash: string,
  confirmedAt: Date,
): Promise<void> {
  await tx.run(sql`
    update confirmations set confirmed_at = ${confirmedAt}
     where organisation_id = ${organisationId} and mode = ${mode} and token_hash = ${tokenHash}`)
}

export function purgeConfirmations(db: Queryable, before: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from confirmations where (organisation_id, mode, token_hash) in (
      select organisation_id, mode, token_hash from confirmations where expires_at < ${before} order by expires_at limit ${limit})`)
}
