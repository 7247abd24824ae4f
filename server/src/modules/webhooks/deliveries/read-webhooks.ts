import type { TokenCaller } from '../../../kernel/callers.ts'
import type { Capability } from '../../../kernel/capabilities.ts'
import type { EventNotice } from '../../../kernel/event-notice.ts'
import { type EventType, eventTypes, readableData } from '../../../kernel/events.ts'
import type { Page, PageRequest } from '../../../kernel/paging.ts'
import { faultsOfRange } from '../../../kernel/ranges.ts'
import { type Fault, invalid, refuse } from '../../../kernel/refusals.ts'
import type { FeedEvent } from '../../../platform/events/event-feed.store.ts'
import { findHead, findInFeed, listFeed, listFeedAfter } from '../../../platform/events/event-feed.store.ts'
import { type Outside, reading } from '../../../platform/operations/operation.ts'
import { catalogue } from '../catalogue/catalogue.ts'
import { type Cursor, feedBeginning, feedPositionOf, positionAhead, waitsForNothing } from '../catalogue/feed.ts'
import type { FormatName, WebhookFormat, WebhookFormats } from '../catalogue/format.ts'
import { matches, subscribableTypes } from '../catalogue/patterns.ts'
import type { Endpoint, EndpointId } from '../endpoints/endpoint.ts'
import { findEndpoint, listEndpoints } from '../endpoints/endpoints.store.ts'
import { SigningKeys } from '../endpoints/signing-keys.ts'
import { bodyOfDelivery, type DeliveryFilter, findDelivery, listDeliveries } from './deliveries.store.ts'
import { type Attempt, type Delivery, type DeliveryId, payloadAsRead } from './delivery.ts'

export const listWebhookEndpoints = reading(
  { time: 'real', needs: ['webhook.endpoint.read'], refuses: [] },
  ({ db, caller }: Outside<TokenCaller>, { page }: { page: PageRequest }): Promise<Page<Endpoint>> =>
    listEndpoints(db, caller.tenant, page),
)

export const getEndpoint = reading(
  { time: 'real', needs: ['webhook.endpoint.read'], refuses: ['resource.not_found'] },
  async ({ db, caller }: Outside<TokenCaller>, { id }: { id: EndpointId }): Promise<Endpoint> => {
    const endpoint = await findEndpoint(db, caller.tenant, id)
    if (!endpoint || endpoint.deletedAt) throw refuse('resource.not_found')
    return endpoint
  },
)

export const listEventTypes = reading(
  { time: 'real', needs: ['webhook.endpoint.read'], refuses: [] },
  async ({ caller, ports }: Outside<TokenCaller>) =>
    catalogue.map((entry) => ({
      ...entry,
      subscribable: entry.subscribable && caller.capabilities.has(entry.capability),
      names: Object.fromEntries(ports.webhookFormats.all.map((format) => [format.name, format.nameOf(entry.type)])),
    })),
)

/** Event types that a caller with these capabilities can subscribe to. */
export const typesFor = (held: ReadonlySet<Capability>): EventType[] =>
  subscribableTypes.filter((type) => held.has(eventTypes[type].capability))

/** Includes pings, which are delivered although nobody can subscribe to them. */
const deliveredTypesFor = (held: ReadonlySet<Capability>): EventType[] =>
  catalogue.filter(({ capability }) => held.has(capability)).map(({ type }) => type)

interface EventQuery {
  /** A type, or a prefix with `.*`. */
  readonly type?: string | undefined
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  readonly after?: Cursor | undefined
  /** The caller waits for events if there are none. */
  readonly waitSeconds?: number | undefined
  readonly format?: FormatName | undefined
  readonly page: PageRequest
}

/** An event as a caller may read it. */
export interface ReadEvent extends FeedEvent {
  /** The exact body that an endpoint of the requested format receives. Null if the format does not have the type. */
  readonly payload?: string | null
}

function seenBy(caller: TokenCaller, event: FeedEvent, format?: WebhookFormat): ReadEvent {
  const { capabilities, tenant } = caller
  const seen = { ...event, data: readableData(event.type, event.data, capabilities) }
  if (!format) return seen
  const hasType = format.nameOf(event.type) !== null
  return { ...seen, payload: hasType ? payloadAsRead(format, tenant.mode, capabilities, event) : null }
}

/** The format, or what is wrong with its name. */
function formatOf({ all }: WebhookFormats, name: FormatName | undefined): WebhookFormat | undefined | Fault {
  const names = all.map((format) => `\`${format.name}\``).join(' or ')
  const found = all.find((format) => format.name === name)
  return name === undefined ? undefined : (found ?? { path: 'format', rule: 'enum', message: `must be ${names}` })
}

const isFault = (given: object | undefined): given is Fault => given !== undefined && 'message' in given

/** Whether an event may be among those that a caller asked for. */
export const mayConcern = (
  { type, mode }: Pick<EventNotice, 'type' | 'mode'>,
  query: Pick<EventQuery, 'type'>,
  { tenant, capabilities }: Pick<TokenCaller, 'tenant' | 'capabilities'>,
): boolean =>
  (mode === null || mode === tenant.mode) &&
  capabilities.has(eventTypes[type].capability) &&
  (query.type === undefined || matches(query.type, type))

/**
 * Events of the last 30 days that the caller may read, of the caller's mode or of the organisation as a whole. With a
 * cursor in the order of the feed, otherwise newest first.
 */
export const listWebhookEvents = reading(
  { time: 'real', needs: ['webhook.delivery.read'], refuses: ['request.invalid'] },
  async ({ db, caller, now, ports }: Outside<TokenCaller>, query: EventQuery): Promise<Page<ReadEvent>> => {
    const { type, from, to, after, waitSeconds = 0, page } = query
    const position = feedPositionOf(after)
    const format = formatOf(ports.webhookFormats, query.format)
    const faults: Fault[] = faultsOfRange('from', from, to)
    if ('message' in position) faults.push(position)
    else if (waitSeconds > 0 && !('follow' in position)) faults.push(waitsForNothing)
    if (isFault(format)) faults.push(format)
    if (type !== undefined && !catalogue.some((entry) => matches(type, entry.type)))
      faults.push({ path: 'type', rule: 'enum', message: 'must be an event type, or a prefix followed by `.*`' })
    if (faults.length > 0 || 'message' in position || isFault(format)) throw invalid(faults)
    const beginning = feedBeginning(now)
    const filter = {
      types: typesFor(caller.capabilities).filter((one) => type === undefined || matches(type, one)),
      from: from && from > beginning ? from : beginning,
      to,
    }
    const found =
      'down' in position
        ? await listFeed(db, caller.tenant, filter, { ...page, after: position.down })
        : await listFeedAfter(db, caller.tenant, filter, position.follow, page)
    if ('follow' in position && found.rows.length === 0 && position.follow > (await findHead(db, caller.tenant)))
      throw invalid([positionAhead])
    return { ...found, rows: found.rows.map((event) => seenBy(caller, event, format)) }
  },
)

export const getWebhookEvent = reading(
  { time: 'real', needs: ['webhook.delivery.read'], refuses: ['resource.not_found'] },
  async ({ db, caller, now }: Outside<TokenCaller>, { id }: { id: string }): Promise<ReadEvent> => {
    const filter = { types: typesFor(caller.capabilities), from: feedBeginning(now) }
    const event = await findInFeed(db, caller.tenant, filter, id)
    if (!event) throw refuse('resource.not_found')
    return seenBy(caller, event)
  },
)

interface DeliveryQuery extends DeliveryFilter {
  readonly type?: string | undefined
  readonly page: PageRequest
}

export const listWebhookDeliveries = reading(
  { time: 'real', needs: ['webhook.delivery.read'], refuses: ['request.invalid'] },
  async ({ db, caller }: Outside<TokenCaller>, { page, type, ...filter }: DeliveryQuery): Promise<Page<Delivery>> => {
    if (type !== undefined && !catalogue.some((entry) => matches(type, entry.type)))
      throw invalid([{ path: 'type', rule: 'enum', message: 'must be an event type, or a prefix followed by `.*`' }])
    const types = deliveredTypesFor(caller.capabilities).filter((one) => type === undefined || matches(type, one))
    return await listDeliveries(db, caller.tenant, types, filter, page)
  },
)

/** Includes deliveries of a deleted endpoint. */
export const listEndpointDeliveries = reading(
  { time: 'real', needs: ['webhook.delivery.read'], refuses: ['resource.not_found'] },
  async (
    { db, caller }: Outside<TokenCaller>,
    { page, ...filter }: DeliveryFilter & { readonly endpointId: EndpointId; readonly page: PageRequest },
  ): Promise<Page<Delivery>> => {
    if (!(await findEndpoint(db, caller.tenant, filter.endpointId))) throw refuse('resource.not_found')
    return await listDeliveries(db, caller.tenant, deliveredTypesFor(caller.capabilities), filter, page)
  },
)

export const mayReadDelivery = (held: ReadonlySet<Capability>, { type }: Pick<Delivery, 'type'>): boolean =>
  held.has(eventTypes[type].capability)

/**
 * Headers are not stored. They depend only on the stored payload, the time of the attempt and the secret, so they are made again. They
 * differ from the sent ones if the secret was replaced since. Without its secret, a delivery is shown without them.
 */
async function withHeaders(
  { db, caller, vault, ports, log }: Outside<TokenCaller>,
  delivery: Delivery,
): Promise<readonly Attempt[]> {
  const endpoint = await findEndpoint(db, caller.tenant, delivery.endpointId)
  if (!endpoint) return delivery.log
  const format = ports.webhookFormats.of(endpoint.format)
  const body = await bodyOfDelivery(db, caller.tenant, delivery.id)
  const keys = new SigningKeys(vault)
  const headersOf = (attempt: Attempt) => {
    const at = new Date(attempt.at)
    return format.headersOf({
      eventId: delivery.eventId,
      name: format.nameOf(delivery.type) ?? delivery.type,
      body,
      attempt: attempt.number,
      unixSeconds: Math.floor(at.getTime() / 1_000),
      secrets: keys.of({ ...endpoint, endpointId: endpoint.id }, at),
    })
  }
  try {
    return delivery.log.map((attempt) => ({ ...attempt, requestHeaders: headersOf(attempt) }))
  } catch (error) {
    log.error('webhook.secret_unreadable', { ...caller.tenant, reference: endpoint.id, error })
    return delivery.log
  }
}

export const getDelivery = reading(
  { time: 'real', needs: ['webhook.delivery.read'], refuses: ['resource.not_found'] },
  async (context: Outside<TokenCaller>, { id }: { id: DeliveryId }): Promise<Delivery> => {
    const { db, caller } = context
    const delivery = await findDelivery(db, caller.tenant, id)
    if (!delivery || !mayReadDelivery(caller.capabilities, delivery)) throw refuse('resource.not_found')
    return { ...delivery, log: await withHeaders(context, delivery) }
  },
)
