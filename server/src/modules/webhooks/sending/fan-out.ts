import { randomUUID } from 'node:crypto'
import type { SystemCaller } from '../../../kernel/callers.ts'
import type { Capability } from '../../../kernel/capabilities.ts'
import type { EventType } from '../../../kernel/events.ts'
import type { Mode } from '../../../kernel/tenant.ts'
import type { Consumer } from '../../../platform/background/consumer.ts'
import type { OutgoingEvent } from '../../../platform/events/event-feed.store.ts'
import type { ReadEvent } from '../../../platform/events/log-reader.store.ts'
import type { Inside } from '../../../platform/operations/operation.ts'
import type { WebhookFormats } from '../catalogue/format.ts'
import { subscribableTypes, typesDelivered } from '../catalogue/patterns.ts'
import { deliveryIdOf, payloadAsRead } from '../deliveries/delivery.ts'
import { accountIn, type Endpoint, receives } from '../endpoints/endpoint.ts'
import { listCallbacks, listSubscribed } from '../endpoints/endpoints.store.ts'
import type { NewDelivery, Target } from './dispatch.store.ts'
import type { Dispatcher } from './dispatcher.ts'
import { insertDeliveries } from './new-deliveries.store.ts'

const reaches = (eventMode: Mode | null, { mode }: Target): boolean => eventMode === null || eventMode === mode

const targetOf = (endpoint: Endpoint): Target => ({
  organisationId: endpoint.organisationId,
  mode: endpoint.mode,
  endpointId: endpoint.id,
  format: endpoint.format,
  url: endpoint.url,
  plan: endpoint.plan,
  sealedSecret: endpoint.sealedSecret,
  sealedPreviousSecret: endpoint.sealedPreviousSecret,
  previousSecretUntil: endpoint.previousSecretUntil,
})

const knownEvents = (event: ReadEvent): OutgoingEvent => ({
  organisationId: event.organisationId,
  id: event.eventId,
  type: event.type,
  version: event.version,
  mode: event.mode,
  objectVersion: event.objectVersion,
  data: event.data,
  createdAt: event.createdAt,
})

/** Subscription of an endpoint: its types, and the capabilities that it reads with. */
interface CachedSubscription {
  readonly types: ReadonlySet<EventType>
  readonly held: ReadonlySet<Capability>
  /** Endpoints with equal values receive the same bytes. */
  readonly payloadKey: string
}

interface Subscriber extends CachedSubscription {
  readonly target: Target
  readonly isCallback: boolean
}

type SubscribedEndpoint = Pick<Endpoint, 'id' | 'updatedAt' | 'format' | 'mode' | 'patterns' | 'capabilities'>

const mostKnown = 5_000

/** Cached, because every batch needs the endpoints and they rarely change. */
export class SubscriptionCache {
  readonly #known = new Map<string, CachedSubscription>()

  get size(): number {
    return this.#known.size
  }

  of(endpoint: SubscribedEndpoint, formats: WebhookFormats): CachedSubscription {
    const { id, updatedAt, format, mode, patterns, capabilities } = endpoint
    const payloadKey = `${format} ${mode} ${capabilities.join()}`
    const key = `${id} ${updatedAt.getTime()} ${patterns.join()} ${payloadKey}`
    let subscription = this.#known.get(key)
    if (!subscription) {
      if (this.#known.size >= mostKnown) this.#known.clear()
      subscription = {
        types: typesDelivered(endpoint, formats.of(format)),
        held: new Set(capabilities),
        payloadKey,
      }
      this.#known.set(key, subscription)
    }
    return subscription
  }
}

/**
 * Creates one delivery per event and subscribed endpoint, with the final bytes. Deliveries that this process can send
 * at once are written as begun and handed over after the commit; the rest goes to the queue.
 */
export function fanOut(dispatcher: Dispatcher): Consumer {
  const subscriptions = new SubscriptionCache()
  let taken: { readonly batchId: string; readonly deliveries: readonly NewDelivery[] } | undefined

  async function take({ tx, ports }: Inside<SystemCaller>, events: readonly ReadEvent[]): Promise<void> {
    taken = undefined
    const endpoints = await listSubscribed(tx, [...new Set(events.map(({ organisationId }) => organisationId))])
    if (endpoints.length === 0) return
    const formats = ports.webhookFormats
    // Grouped by equal payload, so that each payload travels to the database once.
    const subscribers = endpoints
      .map(
        (endpoint): Subscriber => ({
          target: targetOf(endpoint),
          isCallback: endpoint.isCallback,
          ...subscriptions.of(endpoint, formats),
        }),
      )
      .sort((one, other) => (one.payloadKey < other.payloadKey ? -1 : Number(one.payloadKey > other.payloadKey)))
    const byOrganisation = Map.groupBy(subscribers, ({ target }) => target.organisationId)
    const wanted = events.flatMap((event) => {
      const subscription = (byOrganisation.get(event.organisationId) ?? []).filter(
        ({ target, types }) => reaches(event.mode, target) && types.has(event.type),
      )
      return subscription.length === 0 ? [] : [{ event: knownEvents(event), subscription }]
    })
    if (wanted.length === 0) return
    const hasCallbacks = subscribers.some(({ isCallback }) => isCallback)
    const callbacks = await listCallbacks(tx, hasCallbacks ? wanted.map(({ event }) => event) : [])
    const receiversOf = (event: OutgoingEvent, all: readonly Subscriber[]): Subscriber[] => {
      const callback = callbacks.get(accountIn(event) ?? '')
      const subscribed = all.find(({ target }) => target.endpointId === callback)?.target.endpointId
      return all.filter(({ target, isCallback }) => receives({ id: target.endpointId, isCallback }, subscribed))
    }
    const room = dispatcher.roomNow()
    const deliveries = wanted.flatMap(({ event, subscription }) => {
      const bodies = new Map<string, string>()
      const bodyTo = ({ target, held, payloadKey }: Subscriber): string => {
        const body = bodies.get(payloadKey) ?? payloadAsRead(formats.of(target.format), target.mode, held, event)
        bodies.set(payloadKey, body)
        return body
      }
      return receiversOf(event, subscription).map(
        (subscriber): NewDelivery => ({
          ...subscriber.target,
          id: deliveryIdOf(event.id, subscriber.target.endpointId),
          eventId: event.id,
          type: event.type,
          body: bodyTo(subscriber),
          isTest: false,
          isManual: false,
          attempt: 1,
          failed: 0,
          isTaken: room.takes(subscriber.target),
          createdAt: event.createdAt,
        }),
      )
    })
    if (deliveries.length === 0) return
    const batchId = randomUUID()
    const made = await insertDeliveries(tx, deliveries, { id: batchId, ...dispatcher.lease })
    taken = { batchId, deliveries: made.filter(({ isTaken }) => isTaken) }
  }

  return {
    name: 'webhooks',
    on: subscribableTypes,
    pool: 'webhooks',
    startsAt: 'now',
    batchSize: 200,
    restMs: 2,
    take,
    pause: () => dispatcher.pauseIfFull(),
    committed() {
      if (taken) dispatcher.accept(taken.batchId, taken.deliveries)
      taken = undefined
    },
  }
}
