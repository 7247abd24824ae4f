import type { Capability } from '../../kernel/capabilities.ts'
import type { EventType } from '../../kernel/events.ts'
import type { Dialects } from './dialect.ts'
import type { Endpoint } from './endpoint.ts'
import { typesDelivered } from './patterns.ts'

/** Subscription of an endpoint: its types, and the capabilities that it reads with. */
export interface Hearing {
  readonly types: ReadonlySet<EventType>
  readonly held: ReadonlySet<Capability>
  /** Endpoints with equal values receive the same bytes. */
  readonly voice: string
}

type Heard = Pick<Endpoint, 'id' | 'updatedAt' | 'dialect' | 'mode' | 'patterns' | 'capabilities'>

const mostKnown = 5_000

/** Cached, because every batch needs the endpoints and they rarely change. */
export class Hearings {
  readonly #known = new Map<string, Hearing>()

  get size(): number {
    return this.#known.size
  }

  of(endpoint: Heard, dialects: Dialects): Hearing {
    const { id, updatedAt, dialect, mode, patterns, capabilities } = endpoint
    const voice = `${dialect} ${mode} ${capabilities.join()}`
    const key = `${id} ${updatedAt.getTime()} ${patterns.join()} ${voice}`
    let hearing = this.#known.get(key)
    if (!hearing) {
      if (this.#known.size >= mostKnown) this.#known.clear()
      hearing = { types: typesDelivered(endpoint, dialects[dialect]), held: new Set(capabilities), voice }
      this.#known.set(key, hearing)
    }
    return hearing
  }
}
