import type { Client } from 'undici'
import type { OneRequest } from './one-request.ts'

export interface OriginLimits {
  /** connections to one origin */
  readonly connections: number
  /** requests that wait for one of them */
  readonly mostWaiting: number
  /** origins for which connections are kept */
  readonly mostOrigins: number
}

/** The connections to one origin, each busy with one request at a time, and the requests that wait for one. */
class Origin {
  readonly #newClient: () => Client
  readonly #limits: OriginLimits
  /** The one used last is taken first, so that those which the load does not need go quiet and are closed. */
  readonly #idle: Client[] = []
  readonly #busy = new Set<Client>()
  readonly #waiting = new Set<OneRequest>()
  #closed = false

  constructor(newClient: () => Client, limits: OriginLimits) {
    this.#newClient = newClient
    this.#limits = limits
  }

  get isIdle(): boolean {
    return this.#busy.size === 0 && this.#waiting.size === 0
  }

  take(request: OneRequest): void {
    if (this.#busy.size < this.#limits.connections) this.#start(request)
    else if (this.#waiting.size >= this.#limits.mostWaiting) request.fail('overloaded')
    else {
      this.#waiting.add(request)
      request.whenSettled = () => this.#waiting.delete(request)
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const request of [...this.#waiting]) request.fail('no_connection')
    await Promise.all([...this.#idle, ...this.#busy].map((client) => client.destroy()))
  }

  #start(request: OneRequest): void {
    const client = (request.fresh ? undefined : this.#idle.pop()) ?? this.#newClient()
    this.#busy.add(client)
    request.whenReleased = () => {
      this.#busy.delete(client)
      if (request.fresh) void client.close()
      else this.#idle.push(client)
      this.#startNext()
    }
    request.start(client)
  }

  #startNext(): void {
    if (this.#closed) return
    const [next] = this.#waiting
    if (!next) return
    this.#waiting.delete(next)
    next.whenSettled = () => {}
    this.#start(next)
  }
}

/** The origins that requests go to, as many as may be: for a new one, the idle one used longest ago has to go. */
export class Origins {
  readonly #newClient: (origin: string) => Client
  readonly #limits: OriginLimits
  readonly #byName = new Map<string, Origin>()
  #closed = false

  constructor(newClient: (origin: string) => Client, limits: OriginLimits) {
    this.#newClient = newClient
    this.#limits = limits
  }

  /** Those who are named apart share no connection with anybody else who goes to the same place. */
  take(name: string, request: OneRequest, apart?: string): void {
    const origin = this.#closed ? undefined : this.#at(name, apart)
    if (origin) origin.take(request)
    else request.fail(this.#closed ? 'no_connection' : 'overloaded')
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all([...this.#byName.values()].map((origin) => origin.close()))
  }

  #at(name: string, apart: string | undefined): Origin | undefined {
    const key = apart === undefined ? name : `${name} ${apart}`
    const known = this.#byName.get(key)
    if (!known && this.#byName.size >= this.#limits.mostOrigins && !this.#forgetOne()) return undefined
    const origin = known ?? new Origin(() => this.#newClient(name), this.#limits)
    // Put last: a map keeps the order in which its keys came.
    this.#byName.delete(key)
    this.#byName.set(key, origin)
    return origin
  }

  #forgetOne(): boolean {
    for (const [name, origin] of this.#byName)
      if (origin.isIdle) {
        this.#byName.delete(name)
        void origin.close()
        return true
      }
    return false
  }
}
