import type { Capability } from '../../../kernel/capabilities.ts'
import type { EventType } from '../../../kernel/events.ts'
import type { WebhookFormats } from '../catalogue/format.ts'
import { typesDelivered } from '../catalogue/patterns.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'

/** Subscription of an endpoint: its types, and the capabilities that it reads with. */
export interface CachedSubscription {
  readonly types: ReadonlySet<EventType>
  readonly held: ReadonlySet<Capability>
  /** Endpoints with equal values receive the same bytes. */
  readonly payloadKey: string
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
