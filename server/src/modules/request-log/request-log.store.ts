import { firstIdAt } from '../../kernel/ids.ts'
import { countedFor, type Page, type PageRequest } from '../../kernel/paging.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { tenantsOnShards, walkingTenants } from '../../platform/database/fair-turns.store.ts'
import { newestIdFirst, readPage } from '../../platform/database/keyset.store.ts'
import { joined, orOnShards, type Sql, sql } from '../../platform/database/sql.ts'
import type { ActorType, LoggedRequest, RequestId } from './logged-request.ts'

const within = ({ organisationId, mode }: Tenant): Sql => sql`organisation_id = ${organisationId} and mode = ${mode}`

/** Inserts requests of many organisations in one statement. */
export async function insertRequests(db: Queryable, requests: readonly LoggedRequest[]): Promise<void> {
  await db.run(sql`
    insert into request_log (organisation_id, mode, id, answered_at, method, route, path, status, reason, error, duration_ms,
                             actor_type, actor_id, actor_name, request_id, address, user_agent)
    select r."organisationId", r.mode, r.id, r."answeredAt", r.method, r.route, r.path, r.status, r.reason, r.error, r."durationMs",
           r."actorType", r."actorId", r."actorName", r."requestId", r.address, r."userAgent"
      from json_to_recordset(${JSON.stringify(requests)}::json)
        as r ("organisationId" uuid, mode text, id uuid, "answeredAt" timestamptz, method text, route text, path text, status smallint,
              reason text, error text, "durationMs" real, "actorType" text, "actorId" uuid, "actorName" text, "requestId" text,
              address text, "userAgent" text)`)
}

export interface RequestFilter {
  /** Lowest and highest status. */
  readonly statuses?: readonly [least: number, most: number] | undefined
  readonly method?: string | undefined
  readonly actorType?: ActorType | undefined
  readonly actorId?: string | undefined
  /** Occurs anywhere in the path. */
  readonly path?: string | undefined
  readonly requestId?: string | undefined
  readonly from?: Date | undefined
  readonly to?: Date | undefined
}

export interface FoundRequest extends LoggedRequest {
  /** Hint of the key, if one was used. */
  readonly keyHint: string | null
}

/** The path with or without its query. */
const pathShown = (withQuery: boolean): Sql => (withQuery ? sql`path` : sql`split_part(path, '?', 1)`)

const columns = (withQuery: boolean) => sql`
  organisation_id, mode, id, answered_at, method, route, ${pathShown(withQuery)} as path, status, reason, error, duration_ms, actor_type, actor_id, actor_name,
  request_id, address, user_agent,
  (select hint from api_keys k where k.organisation_id = l.organisation_id and k.id = l.actor_id) as key_hint`

function conditionsOf(tenant: Tenant, filter: RequestFilter, withQuery: boolean): Sql {
  const { statuses, method, actorType, actorId, path, requestId, from, to } = filter
  const conditions = [within(tenant)]
  if (statuses !== undefined) conditions.push(sql`status between ${statuses[0]} and ${statuses[1]}`)
  if (method !== undefined) conditions.push(sql`method = ${method}`)
  if (actorType !== undefined) conditions.push(sql`actor_type = ${actorType}`)
  if (actorId !== undefined) conditions.push(sql`actor_id = ${actorId}`)
  if (path !== undefined) conditions.push(sql`position(lower(${path}) in lower(${pathShown(withQuery)})) > 0`)
  if (requestId !== undefined) conditions.push(sql`request_id = ${requestId}`)
  if (from !== undefined) conditions.push(sql`answered_at >= ${from}`)
  if (to !== undefined) conditions.push(sql`answered_at < ${to}`)
  return joined(conditions, ' and ')
}

/** Newest first. The total counts at most 1,000 beyond the page. */
export async function listRequests(
  db: Queryable,
  tenant: Tenant,
  filter: RequestFilter,
  page: PageRequest,
  withQuery: boolean,
): Promise<Page<FoundRequest>> {
  const matching = conditionsOf(tenant, filter, withQuery)
  const { total } = await db.one<{ total: number }>(sql`
    select count(*)::int as total from (
      select from request_log where ${matching} order by id desc limit ${countedFor(page)}) as newest`)
  const order = newestIdFirst(sql`l.id`)
  return readPage(db, { columns: columns(withQuery), tables: sql`request_log l`, matching, order, total }, page)
}

export function findRequest(
  db: Queryable,
  tenant: Tenant,
  id: RequestId,
  withQuery: boolean,
): Promise<FoundRequest | undefined> {
  return db.maybe(sql`select ${columns(withQuery)} from request_log l where ${within(tenant)} and id = ${id}`)
}

/** Tenants with requests, ordered by id, found by skipping through the index. */
export function listLoggedTenants(db: Queryable, after: Tenant | undefined, limit: number): Promise<Tenant[]> {
  const logged = { rows: sql`from request_log`, after, most: limit }
  const usual = sql`with recursive ${walkingTenants(logged)} select organisation_id, mode from tenants`
  return db.rows(orOnShards(usual, tenantsOnShards(logged)))
}

/** Requests kept per tenant. Older ones are deleted. */
export const mostKept = 20_000

/** Deletes a batch of requests that are too old or beyond the limit per tenant. */
export function purgeRequests(
  db: Queryable,
  tenant: Tenant,
  { before, most, limit }: { readonly before: Date; readonly most: number; readonly limit: number },
): Promise<number> {
  return db.run(sql`
    delete from request_log where ${within(tenant)} and id = any (array(
      select id from request_log
       where ${within(tenant)} and id <= greatest(
         ${firstIdAt(before.getTime())}::uuid,
         (select id from request_log where ${within(tenant)} order by id desc offset ${most} limit 1))
       order by id limit ${limit}))`)
}
