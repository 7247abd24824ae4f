import { noOrganisation, type TokenCaller } from '../../kernel/callers.ts'
import type { OrganisationId } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable, Tx } from '../database/database.ts'
import { sql } from '../database/sql.ts'

export interface IdempotencyClaim {
  readonly key: string
  /** method, concrete path and query */
  readonly target: string
  readonly bodyHash: string
}

export interface StoredReply {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string
}

export interface KeyRow {
  readonly bodyHash: string
  readonly exchangeId: string | null
  readonly status: number | null
  readonly headers: Record<string, string> | null
  readonly body: string | null
}

/** Whose keys they are: an organisation's, or a person's who belongs to none. */
export const keyHolder = (caller: TokenCaller): Tenant =>
  caller.kind === 'user' && caller.tenant.organisationId === noOrganisation
    ? { organisationId: caller.userId as string as OrganisationId, mode: caller.tenant.mode }
    : caller.tenant

/**
 * Takes the key, or finds that it is taken. While another transaction holds it uncommitted this waits for its end:
 * that is how the second of two equal requests comes to replay the first.
 */
export async function claimKey(
  tx: Tx,
  tenant: Tenant,
  claim: IdempotencyClaim,
  exchangeId: string | null,
  now: Date,
  expiresAt: Date,
): Promise<boolean> {
  const taken = await tx.run(sql`
    insert into idempotency_keys as k (organisation_id, mode, key, target, body_hash, exchange_id, created_at, expires_at)
    values (${tenant.organisationId}, ${tenant.mode}, ${claim.key}, ${claim.target}, ${claim.bodyHash}, ${exchangeId}, ${now}, ${expiresAt})
    on conflict (organisation_id, mode, key, target) do update
      set body_hash = excluded.body_hash, exchange_id = excluded.exchange_id, status = null, headers = null, body = null,
          created_at = excluded.created_at, expires_at = excluded.expires_at
      where k.expires_at <= ${now}`)
  return taken === 1
}

export function findKey(
  db: Queryable,
  tenant: Tenant,
  claim: IdempotencyClaim,
  now: Date,
): Promise<KeyRow | undefined> {
  return db.maybe(sql`
    select body_hash, exchange_id, status, headers, body from idempotency_keys
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and key = ${claim.key} and target = ${claim.target}
       and expires_at > ${now}`)
}

export async function saveReply(tx: Tx, tenant: Tenant, claim: IdempotencyClaim, reply: StoredReply): Promise<void> {
  await tx.run(sql`
    update idempotency_keys
       set status = ${reply.status}, headers = ${JSON.stringify(reply.headers)}::jsonb, body = ${reply.body}
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and key = ${claim.key} and target = ${claim.target}`)
}

/** Gives back a key that was taken for an attempt which ended in a refusal. */
export async function freeKey(tx: Tx, tenant: Tenant, claim: IdempotencyClaim): Promise<void> {
  await tx.run(sql`
    delete from idempotency_keys
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and key = ${claim.key} and target = ${claim.target}`)
}

/** Frees a key whose exchange ended without an answer worth keeping. */
export async function freeKeyOfExchange(tx: Tx, exchangeId: string): Promise<void> {
  await tx.run(sql`delete from idempotency_keys where exchange_id = ${exchangeId} and status is null`)
}

export function purgeIdempotencyKeys(db: Queryable, now: Date): Promise<number> {
  return db.run(sql`delete from idempotency_keys where expires_at <= ${now}`)
}
