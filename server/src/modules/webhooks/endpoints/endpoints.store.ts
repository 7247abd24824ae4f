import type { Capability } from '../../../kernel/capabilities.ts'
import type { OrganisationId, UserId } from '../../../kernel/ids.ts'
import type { Page, PageRequest } from '../../../kernel/paging.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Queryable, Tx } from '../../../platform/database/database.ts'
import { newestIdFirst, readPage } from '../../../platform/database/keyset.store.ts'
import { sql } from '../../../platform/database/sql.ts'
import { onTheirShards } from '../../../platform/database/their-shards.store.ts'
import type { OutgoingEvent } from '../../../platform/events/event-feed.store.ts'
import type { FormatName } from '../catalogue/format.ts'
import { accountIn, type DisabledCause, type Endpoint, type EndpointId, type FailureRun } from './endpoint.ts'
import { type RetryPlan, usualPlan } from './retry-plan.ts'

/** Plans that were saved before `maxDelayMs` existed lack it: they read as the usual one. */
export const planColumn = sql`${JSON.stringify({ maxDelayMs: usualPlan.maxDelayMs })}::jsonb || plan as plan`

const columns = sql`
  organisation_id, mode, id, dialect as format, url, description, patterns, capabilities, ${planColumn}, event_versions, is_callback, sealed_secret, sealed_previous_secret,
  previous_secret_until, failures_in_row, failing_since, disabled_at, disabled_cause, created_by, aimed_by, created_at, updated_at, deleted_at`

export interface NewEndpoint {
  readonly id: EndpointId
  readonly format: FormatName
  readonly url: string
  readonly description: string | null
  readonly patterns: readonly string[]
  readonly capabilities: readonly Capability[]
  readonly plan: RetryPlan | null
  readonly sealedSecret: string
  readonly createdBy: UserId | null
  readonly isCallback?: true
}

export function insertEndpoint(
  tx: Tx,
  { organisationId, mode }: Tenant,
  endpoint: NewEndpoint,
  now: Date,
): Promise<Endpoint> {
  const { id, format, url, description, patterns, capabilities, plan, sealedSecret, createdBy, isCallback } = endpoint
  return tx.one(sql`
    insert into webhook_endpoints (organisation_id, mode, id, dialect, url, description, patterns, capabilities, plan, sealed_secret, created_by, aimed_by, is_callback, created_at, updated_at)
    values (${organisationId}, ${mode}, ${id}, ${format}, ${url}, ${description}, ${patterns}, ${capabilities}, ${plan && JSON.stringify(plan)},
            ${sealedSecret}, ${createdBy}, ${createdBy}, ${isCallback ?? false}, ${now}, ${now})
    returning ${columns}`)
}

/** Counted under a lock on the tenant's endpoints, so that two creations cannot both take the last place. */
export async function countEndpoints(tx: Tx, { organisationId, mode }: Tenant): Promise<number> {
  const tenant = `${organisationId} ${mode}`
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended('webhook endpoints of ' || ${tenant}::text, 0))`)
  const { count } = await tx.one<{ count: number }>(sql`
    select count(*)::int as count from webhook_endpoints where organisation_id = ${organisationId} and mode = ${mode} and deleted_at is null`)
  return count
}

/** Call under the lock of `countEndpoints`. A disabled endpoint counts too. */
export async function findCallback(
  db: Queryable,
  { organisationId, mode }: Tenant,
  { url, format }: Pick<Endpoint, 'url' | 'format'>,
): Promise<EndpointId | undefined> {
  const found = await db.maybe<{ id: EndpointId }>(sql`
    select id from webhook_endpoints
     where organisation_id = ${organisationId} and mode = ${mode} and is_callback and deleted_at is null and url = ${url} and dialect = ${format}
     order by id limit 1`)
  return found?.id
}

/** Callback endpoints by account, for events of accounts that were opened with an address. */
export async function listCallbacks(db: Queryable, events: readonly OutgoingEvent[]): Promise<Map<string, EndpointId>> {
  const refs = events.flatMap((event) => {
    const accountId = accountIn(event)
    return accountId === undefined ? [] : [{ organisationId: event.organisationId, accountId }]
  })
  if (refs.length === 0) return new Map()
  const organisationIds = refs.map(({ organisationId }) => organisationId)
  const listing = onTheirShards(
    organisationIds,
    (named) => sql`
    select v.id, v.callback_endpoint_id
      from unnest(${organisationIds}::uuid[], ${refs.map(({ accountId }) => accountId)}::uuid[]) as r (organisation_id, id)
      join virtual_accounts v on v.organisation_id = r.organisation_id and v.mode in ('sandbox', 'live') and v.id = r.id
     where v.callback_endpoint_id is not null ${named('v')}`,
  )
  const rows = await db.rows<{ id: string; callbackEndpointId: EndpointId }>(listing)
  return new Map(rows.map(({ id, callbackEndpointId }) => [id, callbackEndpointId]))
}

export async function listEndpoints(db: Queryable, tenant: Tenant, page: PageRequest): Promise<Page<Endpoint>> {
  const { organisationId, mode } = tenant
  const tables = sql`webhook_endpoints`
  const matching = sql`organisation_id = ${organisationId} and mode = ${mode} and deleted_at is null`
  const { total } = await db.one<{ total: number }>(sql`select count(*)::int as total from ${tables} where ${matching}`)
  return readPage(db, { columns, tables, matching, order: newestIdFirst(sql`id`), total }, page)
}

/** Includes deleted endpoints, because deliveries still refer to them. */
export function findEndpoint(
  db: Queryable,
  { organisationId, mode }: Tenant,
  id: EndpointId,
): Promise<Endpoint | undefined> {
  return db.maybe(sql`
    select ${columns} from webhook_endpoints where organisation_id = ${organisationId} and mode = ${mode} and id = ${id}`)
}

export function lockEndpoint(tx: Tx, { organisationId, mode }: Tenant, id: EndpointId): Promise<Endpoint | undefined> {
  return tx.maybe(sql`
    select ${columns} from webhook_endpoints
     where organisation_id = ${organisationId} and mode = ${mode} and id = ${id} and deleted_at is null for no key update`)
}

/** Enabled endpoints of several organisations, in both modes. */
export function listSubscribed(db: Queryable, organisationIds: readonly OrganisationId[]): Promise<Endpoint[]> {
  return db.rows(sql`
    select ${columns} from webhook_endpoints
     where organisation_id = any (${organisationIds}::uuid[]) and disabled_at is null and deleted_at is null`)
}

/** Endpoints that a person created, and so knows the secret of, or chose the address of. */
export function listEndpointsOf(db: Queryable, { organisationId, mode }: Tenant, userId: UserId): Promise<Endpoint[]> {
  return db.rows(sql`
    select ${columns} from webhook_endpoints
     where organisation_id = ${organisationId} and mode = ${mode} and deleted_at is null
       and (created_by = ${userId} or aimed_by = ${userId})
     order by id`)
}

export type EndpointChange = Pick<
  Endpoint,
  'url' | 'description' | 'patterns' | 'capabilities' | 'plan' | 'eventVersions' | 'aimedBy'
>

export function saveEndpoint(
  tx: Tx,
  { organisationId, mode }: Tenant,
  id: EndpointId,
  change: EndpointChange,
  now: Date,
): Promise<Endpoint> {
  const { url, description, patterns, capabilities, plan, eventVersions, aimedBy } = change
  return tx.one(sql`
    update webhook_endpoints
       set url = ${url}, description = ${description}, patterns = ${patterns}, capabilities = ${capabilities},
           plan = ${plan && JSON.stringify(plan)}, event_versions = ${eventVersions}, aimed_by = ${aimedBy}, updated_at = ${now}
     where organisation_id = ${organisationId} and mode = ${mode} and id = ${id}
    returning ${columns}`)
}

/** The previous secret signs too until the given time. An older one ends at once. */
export function saveSecret(
  tx: Tx,
  { organisationId, mode }: Tenant,
  id: EndpointId,
  secret: Pick<Endpoint, 'sealedSecret' | 'sealedPreviousSecret' | 'previousSecretUntil'>,
  now: Date,
): Promise<Endpoint> {
  const { sealedSecret, sealedPreviousSecret, previousSecretUntil } = secret
  return tx.one(sql`
    update webhook_endpoints
       set sealed_secret = ${sealedSecret}, sealed_previous_secret = ${sealedPreviousSecret}, previous_secret_until = ${previousSecretUntil},
           updated_at = ${now}
     where organisation_id = ${organisationId} and mode = ${mode} and id = ${id}
    returning ${columns}`)
}

export function saveDisabled(
  tx: Tx,
  { organisationId, mode }: Tenant,
  id: EndpointId,
  cause: DisabledCause,
  now: Date,
): Promise<Endpoint> {
  return tx.one(sql`
    update webhook_endpoints set disabled_at = ${now}, disabled_cause = ${cause}, updated_at = ${now}
     where organisation_id = ${organisationId} and mode = ${mode} and id = ${id}
    returning ${columns}`)
}

/** Resets the failures. */
export function saveEnabled(tx: Tx, { organisationId, mode }: Tenant, id: EndpointId, now: Date): Promise<Endpoint> {
  return tx.one(sql`
    update webhook_endpoints set disabled_at = null, disabled_cause = null, failures_in_row = 0, failing_since = null, updated_at = ${now}
     where organisation_id = ${organisationId} and mode = ${mode} and id = ${id}
    returning ${columns}`)
}

export async function saveDeleted(tx: Tx, { organisationId, mode }: Tenant, id: EndpointId, now: Date): Promise<void> {
  await tx.run(sql`
    update webhook_endpoints set deleted_at = ${now}, updated_at = ${now}
     where organisation_id = ${organisationId} and mode = ${mode} and id = ${id}`)
}

/** Adds failed deliveries to those in a row; `failing_since` is the time of the first. */
export function addFailures(
  tx: Tx,
  { organisationId, mode }: Tenant,
  id: EndpointId,
  count: number,
  now: Date,
): Promise<FailureRun> {
  return tx.one(sql`
    update webhook_endpoints
       set failures_in_row = failures_in_row + ${count},
           failing_since = coalesce(failing_since, ${now})
     where organisation_id = ${organisationId} and mode = ${mode} and id = ${id}
    returning failures_in_row, failing_since`)
}
