import type { TokenCaller } from '../../../kernel/callers.ts'
import type { Capability } from '../../../kernel/capabilities.ts'
import { type EventType, eventTypes, readableData } from '../../../kernel/events.ts'
import type { Page, PageRequest } from '../../../kernel/paging.ts'
import { faultsOfRange } from '../../../kernel/ranges.ts'
import { type Fault, invalid, refuse } from '../../../kernel/refusals.ts'
import type { FeedEvent } from '../../../platform/events/event-feed.store.ts'
import { findHead, findInFeed, listFeed, listFeedAfter } from '../../../platform/events/event-feed.store.ts'
import { type Outside, reading } from '../../../platform/operations/operation.ts'
import { catalogue } from '../catalogue/catalogue.ts'
import { type Cursor, feedBeginning, feedPositionOf, positionAhead } from '../catalogue/feed.ts'
import { matches, subscribableTypes } from '../catalogue/patterns.ts'
import type { Endpoint, EndpointId } from '../endpoints/endpoint.ts'
import { findEndpoint, listEndpoints } from '../endpoints/endpoints.store.ts'
import { SigningKeys } from '../endpoints/signing-keys.ts'
import { bodyOfDelivery, type DeliveryFilter, findDelivery, listDeliveries } from './deliveries.store.ts'
import type { Attempt, Delivery, DeliveryId } from './delivery.ts'

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
  readonly page: PageRequest
}

const seenBy = (held: ReadonlySet<Capability>, event: FeedEvent): FeedEvent => ({
  ...event,
  data: readableData(event.type, event.data, held),
})

/**
 * Events of the last 30 days that the caller may read, of the caller's mode or of the organisation as a whole. With a
 * cursor in the order of the feed, otherwise newest first.
 */
export const listWebhookEvents = reading(
  { time: 'real', needs: ['webhook.delivery.read'], refuses: ['request.invalid'] },
  async ({ db, caller, now }: Outside<TokenCaller>, query: EventQuery): Promise<Page<FeedEvent>> => {
    const { type, from, to, after, page } = query
    const position = feedPositionOf(after)
    const faults: Fault[] = faultsOfRange('from', from, to)
    if ('message' in position) faults.push(position)
    if (type !== undefined && !catalogue.some((entry) => matches(type, entry.type)))
      faults.push({ path: 'type', rule: 'enum', message: 'must be an event type, or a prefix followed by `.*`' })
    if (faults.length > 0 || 'message' in position) throw invalid(faults)
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
    return { ...found, rows: found.rows.map((event) => seenBy(caller.capabilities, event)) }
  },
)

export const getWebhookEvent = reading(
  { time: 'real', needs: ['webhook.delivery.read'], refuses: ['resource.not_found'] },
  async ({ db, caller, now }: Outside<TokenCaller>, { id }: { id: string }): Promise<FeedEvent> => {
    const filter = { types: typesFor(caller.capabilities), from: feedBeginning(now) }
    const event = await findInFeed(db, caller.tenant, filter, id)
    if (!event) throw refuse('resource.not_found')
    return seenBy(caller.capabilities, event)
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
