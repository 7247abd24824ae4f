import { deserialize, serialize } from 'node:v8'
import { noOrganisation, type TokenCaller } from '../../kernel/callers.ts'
import type { OrganisationId } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable, Tx } from '../database/database.ts'
import { plainArray, type Sql, sql, textsOf } from '../database/sql.ts'
import type { SealedPlace, Vault } from '../secrets/secrets.ts'
import { canonical } from './canonical.ts'
import {
  fillTemplate,
  packTemplate,
  type ReturnedValues,
  type StoredTemplate,
  unpackTemplate,
} from './reply-template.ts'

export interface IdempotencyClaim {
  readonly key: string
  /** method, concrete path and query */
  readonly target: string
  /** the parsed JSON body, unchanged; only a keyed fingerprint of it is stored */
  readonly body: unknown
}

export interface StoredReply {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string
}

/** A reply with blanks for the values that only the database knows. */
export type TemplatedReply = StoredTemplate & Pick<StoredReply, 'status'>

export interface TakenKey {
  /** whether the key was taken for the same request as this one */
  readonly isForSameBody: boolean
  /** undefined while the exchange under this key is still running */
  readonly reply: StoredReply | undefined
  /** the outcome of an exchange whose process died, if a sweep has settled it */
  readonly output: { readonly value: unknown } | undefined
}

/** The owner of a key: an organisation, or a person who belongs to none. */
export const keyHolder = (caller: TokenCaller): Tenant =>
  caller.kind === 'user' && caller.tenant.organisationId === noOrganisation
    ? { organisationId: caller.userId as string as OrganisationId, mode: caller.tenant.mode }
    : caller.tenant

/** Bound into the fingerprint and the sealed reply, so that neither is valid under another key. */
const placeOf = ({ organisationId, mode }: Tenant, { key, target }: IdempotencyClaim): SealedPlace => ({
  table: 'idempotency_keys',
  column: 'sealed_body',
  id: `${organisationId} ${mode} ${key} ${target}`,
})

const printPurpose = (tenant: Tenant, claim: IdempotencyClaim): string => `request body ${placeOf(tenant, claim).id}`

/**
 * A body may contain a password or another value that is easy to guess. A keyed fingerprint cannot be tested against guesses without the
 * key file.
 */
const printOf = (vault: Vault, tenant: Tenant, claim: IdempotencyClaim): string =>
  vault.fingerprint(printPurpose(tenant, claim), canonical(claim.body))

const isPrintOf = (print: string, vault: Vault, tenant: Tenant, claim: IdempotencyClaim): boolean =>
  vault.fingerprintMatches(print, printPurpose(tenant, claim), canonical(claim.body))

/**
 * Takes the key, or finds that it is taken. Waits while another uncommitted transaction holds the key: so the second of two equal requests
 * replays the first.
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
  const bodyMac = printOf(vault, tenant, claim)
  const taken = await tx.run(sql`
    insert into idempotency_keys as k (organisation_id, mode, key, target, body_mac, exchange_id, created_at, expires_at)
    values (${tenant.organisationId}, ${tenant.mode}, ${claim.key}, ${claim.target}, ${bodyMac}, ${exchangeId}, ${now}, ${expiresAt})
    on conflict (organisation_id, mode, key, target) do update
      set body_mac = excluded.body_mac, exchange_id = excluded.exchange_id, status = null, headers = null, sealed_body = null,
          answer = null, said = null, sealed_output = null, created_at = excluded.created_at, expires_at = excluded.expires_at
      where k.expires_at <= ${now}`)
  return taken === 1
}

interface KeyRow {
  readonly bodyMac: string
  readonly status: number | null
  readonly headers: Record<string, string> | null
  readonly sealedBody: string | null
  /** the reply of a hot operation, with blanks for the values in `said`, which the database returned */
  readonly answer: Buffer | null
  readonly said: ReturnedValues | null
  readonly exchangeId: string | null
  readonly sealedOutput: string | null
}

/** Returns `undefined` until the request that took the key has ended. */
function replyIn(row: KeyRow, vault: Vault, tenant: Tenant, claim: IdempotencyClaim): StoredReply | undefined {
  const { status, headers, sealedBody, answer, said: returned } = row
  if (status === null) return undefined
  if (sealedBody !== null && headers !== null)
    return { status, headers, body: vault.open(sealedBody, placeOf(tenant, claim)) }
  if (answer === null) return undefined
  const kept = unpackTemplate(answer.toString())
  return { status, headers: kept.headers, body: fillTemplate(kept.template, returned ?? {}) }
}

export async function findKey(
  db: Queryable,
  vault: Vault,
  tenant: Tenant,
  claim: IdempotencyClaim,
  now: Date,
): Promise<TakenKey | undefined> {
  const row = await db.maybe<KeyRow>(sql`
    select body_mac, status, headers, sealed_body, answer, said, exchange_id, sealed_output
      from idempotency_keys
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and key = ${claim.key} and target = ${claim.target}
       and expires_at > ${now}`)
  if (!row) return undefined
  const { bodyMac, exchangeId, sealedOutput } = row
  const isForSameBody = isPrintOf(bodyMac, vault, tenant, claim)
  return {
    isForSameBody,
    reply: isForSameBody ? replyIn(row, vault, tenant, claim) : undefined,
    output:
      !isForSameBody || exchangeId === null || sealedOutput === null
        ? undefined
        : { value: deserialize(Buffer.from(vault.open(sealedOutput, outputPlace(exchangeId)), 'base64')) },
  }
}

/** What a hot statement stores for an Idempotency-Key: the key, and the reply as far as it is known beforehand. */
export interface KeyedReply {
  readonly tenant: Tenant
  readonly claim: IdempotencyClaim
  readonly bodyMac: string
  readonly status: number
  readonly answer: Buffer
  readonly createdAt: Date
  readonly expiresAt: Date
}

export function keyedReply(
  vault: Vault,
  tenant: Tenant,
  claim: IdempotencyClaim,
  { status, ...template }: TemplatedReply,
  createdAt: Date,
  expiresAt: Date,
): KeyedReply {
  const answer = Buffer.from(packTemplate(template))
  return { tenant, claim, bodyMac: printOf(vault, tenant, claim), status, answer, createdAt, expiresAt }
}

interface MaybeKeyed {
  readonly keyed?: KeyedReply | undefined
}

/** Whether any plan has a key. The text of a prepared statement depends on it. */
export const keyedVariant = (planned: readonly MaybeKeyed[]): string =>
  planned.some(({ keyed }) => keyed !== undefined) ? 'with keys' : 'without keys'

/**
 * A piece of a hot statement that takes the keys of its plans and stores their replies: `, kept as (insert …)`. Selects nothing if no
 * plan has a key. `written` is a query with `nth` (from 1) of each written plan, and `said`, its returned values as JSON. A key that is
 * taken or expired fails the whole statement; the fallback then examines the key.
 */
export function keepingReplies(planned: readonly MaybeKeyed[], written: Sql): Sql {
  const nths: number[] = []
  const replies: KeyedReply[] = []
  for (const [at, { keyed }] of planned.entries()) {
    if (!keyed) continue
    nths.push(at + 1)
    replies.push(keyed)
  }
  const [first] = replies
  if (!first) return sql`, kept as (select)`
  // All replies travel as one text that the statement splits: this costs the database less than one value for each.
  const bytes = Buffer.concat(replies.map(({ answer }) => answer))
  const sizes = replies.map(({ answer }) => answer.length)
  let end = 1
  const from = sizes.map((size) => {
    end += size
    return end - size
  })
  // Keys that are written together share one time, so they also expire together.
  const last = replies.reduce((latest, { expiresAt }) => (expiresAt > latest ? expiresAt : latest), first.expiresAt)
  return sql`, kept as (
    insert into idempotency_keys (organisation_id, mode, key, target, body_mac, status, answer, said, created_at, expires_at)
    select k.organisation_id, k.mode, k.key, k.target, k.body_mac, k.status, substring(${bytes}::bytea from k.answer_from for k.answer_size),
           w.said, ${first.createdAt}, ${last}
      from unnest(${plainArray(nths)}::integer[], ${plainArray(replies.map(({ tenant }) => tenant.organisationId))}::uuid[],
                  ${plainArray(replies.map(({ tenant }) => tenant.mode))}::text[], ${plainArray(replies.map(({ claim }) => claim.key))}::text[],
                  ${textsOf(replies.map(({ claim }) => claim.target))}, ${plainArray(replies.map(({ bodyMac }) => bodyMac))}::text[],
                  ${plainArray(replies.map(({ status }) => status))}::smallint[], ${plainArray(from)}::integer[], ${plainArray(sizes)}::integer[])
             as k (nth, organisation_id, mode, key, target, body_mac, status, answer_from, answer_size)
      join (${written}) as w on w.nth = k.nth returning 1 as n)`
}

/** Replies may contain links that give access to anyone who has them, so they are sealed. */
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

/** Frees a key whose request ended in a refusal. */
export async function freeKey(tx: Tx, tenant: Tenant, claim: IdempotencyClaim): Promise<void> {
  await tx.run(sql`
    delete from idempotency_keys
     where organisation_id = ${tenant.organisationId} and mode = ${tenant.mode} and key = ${claim.key} and target = ${claim.target}`)
}

/** An exchange, and the owner of its key; null if it can have none. */
export type ExchangeRef = readonly [exchangeId: string, keyHolderId: OrganisationId | null]

/** Frees a key whose exchange ended without a reply to store. */
export async function freeKeyOfExchange(tx: Tx, [id, holder]: ExchangeRef): Promise<void> {
  await tx.run(
    sql`delete from idempotency_keys where organisation_id = ${holder} and exchange_id = ${id} and status is null`,
  )
}

const outputPlace = (exchangeId: string): SealedPlace => ({
  table: 'idempotency_keys',
  column: 'sealed_output',
  id: exchangeId,
})

/** Stores the outcome of an exchange for a repeated request, if the exchange had a key. */
export async function keepOutput(tx: Tx, vault: Vault, [id, holder]: ExchangeRef, output: unknown): Promise<void> {
  await tx.run(sql`
    update idempotency_keys set sealed_output = ${vault.seal(serialize(output).toString('base64'), outputPlace(id))}
     where organisation_id = ${holder} and exchange_id = ${id} and status is null`)
}
