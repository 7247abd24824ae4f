import { deserialize, serialize } from 'node:v8'
import { noOrganisation, type TokenCaller } from '../../kernel/callers.ts'
import type { OrganisationId } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable, Tx } from '../database/database.ts'
import { type RowShape, rowOf, rowsOf, type Sql, sql } from '../database/sql.ts'
import type { SealedPlace, Vault } from '../secrets/secrets.ts'
import type { Planned, Said } from './operation.ts'
import { filled, type Outline, packedOutline, readOutline, unpackedOutline } from './outlines.ts'

export interface IdempotencyClaim {
  readonly key: string
  /** method, concrete path and query */
  readonly target: string
  /** what was sent, in the one way of writing it: only a keyed fingerprint of it is kept */
  readonly body: string
}

export interface StoredReply {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string
}

export interface TakenKey {
  /** whether it was taken for what is sent now */
  readonly isForSameBody: boolean
  /** nothing while an exchange under this key is out asking */
  readonly reply: StoredReply | undefined
  /** what became of an exchange whose process died, where somebody else has settled it */
  readonly output: { readonly value: unknown } | undefined
}

/** Whose keys they are: an organisation's, or a person's who belongs to none. */
export const keyHolder = (caller: TokenCaller): Tenant =>
  caller.kind === 'user' && caller.tenant.organisationId === noOrganisation
    ? { organisationId: caller.userId as string as OrganisationId, mode: caller.tenant.mode }
    : caller.tenant

/** Bound into what is kept of a request and its answer: neither means anything beside another key. */
const placeOf = (
  { organisationId, mode }: Tenant,
  { key, target }: IdempotencyClaim,
  column: 'sealed_body' | 'sealed_outline' | 'kept' = 'sealed_body',
): SealedPlace => ({
  table: 'idempotency_keys',
  column,
  id: `${organisationId} ${mode} ${key} ${target}`,
})

/** A body may hold a password, or anything else that is easily guessed: without the key file nobody can try guesses. */
const macPurpose = (tenant: Tenant, claim: IdempotencyClaim): string => `request body ${placeOf(tenant, claim).id}`

/**
 * Takes the key, or finds that it is taken. While another transaction holds it uncommitted this waits for its end:
 * that is how the second of two equal requests comes to replay the first.
 */
export async function claimKey(
  tx: Tx,
  vault: Vault,
  tenant: Tenant,
  claim: IdempotencyClaim,
  exchangeId: string | null,
  now: Date,
  expiresAt: Date,
): Promise<boolean> {
  const bodyMac = vault.mac(macPurpose(tenant, claim), claim.body)
  const taken = await tx.run(sql`
    insert into idempotency_keys as k (organisation_id, mode, key, target, body_mac, exchange_id, created_at, expires_at)
    values (${tenant.organisationId}, ${tenant.mode}, ${claim.key}, ${claim.target}, ${bodyMac}, ${exchangeId}, ${now}, ${expiresAt})
    on conflict (organisation_id, mode, key, target) do update
      set body_mac = excluded.body_mac, exchange_id = excluded.exchange_id, status = null, headers = null, sealed_body = null,
          sealed_outline = null, kept = null, said = null, sealed_output = null, created_at = excluded.created_at, expires_at = excluded.expires_at
      where k.expires_at <= ${now}`)
  return taken === 1
}

interface KeyRow {
  readonly bodyMac: string
  readonly status: number | null
  readonly headers: Record<string, string> | null
  readonly sealedBody: string | null
  /** as versions before kept it */
  readonly sealedOutline: string | null
  readonly kept: Buffer | null
  readonly said: Said | null
  readonly exchangeId: string | null
  readonly sealedOutput: string | null
}

/** Nothing while whoever took the key is not done. */
function replyIn(
  { status, headers, sealedBody, sealedOutline, kept, said }: KeyRow,
  vault: Vault,
  tenant: Tenant,
  claim: IdempotencyClaim,
): StoredReply | undefined {
  if (status === null) return undefined
  if (kept !== null) {
    const { outline, headers } = unpackedOutline(vault.openBytes(kept, placeOf(tenant, claim, 'kept')))
    return { status, headers, body: filled(outline, said ?? {}) }
  }
  if (headers === null) return undefined
  if (sealedOutline !== null) {
    const outline = readOutline(vault.open(sealedOutline, placeOf(tenant, claim, 'sealed_outline')))
    return { status, headers, body: filled(outline, said ?? {}) }
  }
  return sealedBody === null ? undefined : { status, headers, body: vault.open(sealedBody, placeOf(tenant, claim)) }
}

export async function findKey(
  db: Queryable,
  vault: Vault,
  tenant: Tenant,
  claim: IdempotencyClaim,
  now: Date,
): Promise<TakenKey | undefined> {
  const row = await db.maybe<KeyRow>(sql`
    select body_mac, status, headers, sealed_body, sealed_outline, kept, said, exchange_id, sealed_output from idempotency_keys
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and key = ${claim.key} and target = ${claim.target}
       and expires_at > ${now}`)
  if (!row) return undefined
  const { bodyMac, exchangeId, sealedOutput } = row
  const isForSameBody = vault.macMatches(bodyMac, macPurpose(tenant, claim), claim.body)
  return {
    isForSameBody,
    reply: isForSameBody ? replyIn(row, vault, tenant, claim) : undefined,
    output:
      !isForSameBody || exchangeId === null || sealedOutput === null
        ? undefined
        : { value: deserialize(Buffer.from(vault.open(sealedOutput, outputPlace(exchangeId)), 'base64')) },
  }
}

/** What a hot statement is given to keep: the key, and the answer as far as it is known before. */
const keyedShape = {
  nth: 'integer',
  organisation_id: 'uuid',
  mode: 'text',
  key: 'text',
  target: 'text',
  body_mac: 'text',
  status: 'smallint',
  created_at: 'timestamptz',
  expires_at: 'timestamptz',
  kept_from: 'integer',
  kept_size: 'integer',
} as const satisfies RowShape

type Placed = 'nth' | 'kept_from' | 'kept_size'
export type KeyedReply = Readonly<Record<Exclude<keyof typeof keyedShape, Placed>, unknown>> & { readonly kept: Buffer }

export function keyedReply(
  vault: Vault,
  tenant: Tenant,
  claim: IdempotencyClaim,
  { status, headers }: Pick<StoredReply, 'status' | 'headers'>,
  outline: Outline,
  now: Date,
  expiresAt: Date,
): KeyedReply {
  return {
    organisation_id: tenant.organisationId,
    mode: tenant.mode,
    key: claim.key,
    target: claim.target,
    body_mac: vault.mac(macPurpose(tenant, claim), claim.body),
    status,
    kept: vault.sealBytes(packedOutline({ outline, headers }), placeOf(tenant, claim, 'kept')),
    created_at: now,
    expires_at: expiresAt,
  }
}

/** How many of them have a key, as a statement that is prepared once must know: none, one or several. */
export const keyedVariant = (planned: readonly Pick<Planned<never, unknown>, 'keyed'>[]): string => {
  const keyed = planned.filter((one) => one.keyed !== undefined).length
  return keyed === 0 ? 'without keys' : keyed === 1 ? 'with a key' : 'with keys'
}

/**
 * A piece of a hot statement that takes the keys of its plans and keeps their answers: `, kept as (insert …)`, or nothing where no
 * plan has a key. Their answers are sent as the bytes of all of them, one behind the other. `written` is a query that gives `nth` (from one on) of each plan that was written, and `said`, what was said of it, as JSON. A
 * key that is taken breaks the statement as a whole, and so does one that has run out: step by step it is looked at more closely.
 */
export function keepingReplies(planned: readonly Pick<Planned<never, unknown>, 'keyed'>[], written: Sql): Sql {
  const answers: Buffer[] = []
  let from = 1
  const rows = planned.flatMap(({ keyed }, at) => {
    if (keyed === undefined) return []
    const { kept, ...row } = keyed
    answers.push(kept)
    const placed = { nth: at + 1, ...row, kept_from: from, kept_size: kept.length }
    from += kept.length
    return [placed]
  })
  const [only, another] = rows
  if (!only) return sql``
  const given = another ? rowsOf(keyedShape, JSON.stringify(rows)) : rowOf(keyedShape, only)
  return sql`, kept as (
    insert into idempotency_keys (organisation_id, mode, key, target, body_mac, status, kept, said, created_at, expires_at)
    select k.organisation_id, k.mode, k.key, k.target, k.body_mac, k.status, substring(${Buffer.concat(answers)}::bytea from k.kept_from for k.kept_size),
           w.said, k.created_at, k.expires_at
      from ${given} as k join (${written}) as w on w.nth = k.nth)`
}

/** Answers may hold links that open something to whoever has them, so they are kept sealed. */
export async function saveReply(
  tx: Tx,
  vault: Vault,
  tenant: Tenant,
  claim: IdempotencyClaim,
  reply: StoredReply,
): Promise<void> {
  await tx.run(sql`
    update idempotency_keys
       set status = ${reply.status}, headers = ${JSON.stringify(reply.headers)}::jsonb,
           sealed_body = ${vault.seal(reply.body, placeOf(tenant, claim))}
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and key = ${claim.key} and target = ${claim.target}
       and status is null`)
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

const outputPlace = (exchangeId: string): SealedPlace => ({
  table: 'idempotency_keys',
  column: 'sealed_output',
  id: exchangeId,
})

/** Keeps what became of an exchange for whoever repeats the request under its key, if it had one. */
export async function keepOutput(tx: Tx, vault: Vault, exchangeId: string, output: unknown): Promise<void> {
  await tx.run(sql`
    update idempotency_keys set sealed_output = ${vault.seal(serialize(output).toString('base64'), outputPlace(exchangeId))}
     where exchange_id = ${exchangeId} and status is null`)
}

/** The oldest of those that have run out, about so many: all that ran out at the same moment go together. */
export function purgeIdempotencyKeys(db: Queryable, now: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from idempotency_keys
     where expires_at <= ${now}
       and expires_at <= coalesce((select expires_at from idempotency_keys order by expires_at offset ${limit - 1} limit 1), 'infinity')`)
}
