import type { Client } from 'undici'
import type { OneRequest } from './one-request.ts'

export interface OriginLimits {
  /** connections to one origin */
  readonly connections: number
  /** requests that wait for a connection */
  readonly mostWaiting: number
  /** origins with kept connections */
  readonly mostOrigins: number
}

/** The connections to one origin, each with one request at a time, and the requests that wait for one. */
class Origin {
  /** the sequence number of the last use, over all origins */
  usedAs = 0
  readonly #newClient: () => Client
  readonly #limits: OriginLimits
  /** Takes the most recently used connection first, so that surplus ones become idle and are closed. */
  readonly #idle: Client[] = []
  /** idle and busy connections */
  readonly #all = new Set<Client>()
  #busy = 0
  readonly #waiting = new Set<OneRequest>()
  #closed = false

  constructor(newClient: () => Client, limits: OriginLimits) {
    this.#newClient = newClient
    this.#limits = limits
  }

  get isIdle(): boolean {
    return this.#busy === 0 && this.#waiting.size === 0
  }

  take(request: OneRequest): void {
    if (this.#busy < this.#limits.connections) this.#start(request)
    else if (this.#waiting.size >= this.#limits.mostWaiting) request.fail('overloaded')
    else {
      this.#waiting.add(request)
      request.whenSettled = () => this.#waiting.delete(request)
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const request of [...this.#waiting]) request.fail('no_connection')
    await Promise.all([...this.#all].map((client) => client.destroy()))
  }

  #start(request: OneRequest): void {
    const client = (request.fresh ? undefined : this.#idle.pop()) ?? this.#another()
    this.#busy++
    request.whenReleased = () => {
      this.#busy--
      if (request.fresh) this.#end(client)
      else this.#idle.push(client)
      if (this.#waiting.size > 0) this.#startNext()
    }
    request.start(client)
  }

  #another(): Client {
    const client = this.#newClient()
    this.#all.add(client)
    return client
  }

  #end(client: Client): void {
    this.#all.delete(client)
    void client.close()
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

/** A bounded set of origins: a new one evicts the idle origin that was used longest ago. */
export class Origins {
  readonly #newClient: (origin: string) => Client
  readonly #limits: OriginLimits
  /** nested by name and by owner: one combined key would have to be built for every request */
  readonly #byName = new Map<string, Map<string | undefined, Origin>>()
  #count = 0
  #uses = 0
  #closed = false

  constructor(newClient: (origin: string) => Client, limits: OriginLimits) {
    this.#newClient = newClient
    this.#limits = limits
  }

  /** Requests with an owner share connections only with requests of the same owner. */
  take(name: string, request: OneRequest, apart?: string): void {
    const origin = this.#closed ? undefined : (this.#byName.get(name)?.get(apart) ?? this.#begin(name, apart))
    if (origin) {
      origin.usedAs = ++this.#uses
      origin.take(request)
    } else request.fail(this.#closed ? 'no_connection' : 'overloaded')
  }

  async close(): Promise<void> {
    this.#closed = true
    const all = [...this.#byName.values()].flatMap((ofName) => [...ofName.values()])
    await Promise.all(all.map((origin) => origin.close()))
  }

  #begin(name: string, apart: string | undefined): Origin | undefined {
    if (this.#count >= this.#limits.mostOrigins && !this.#forgetOne()) return undefined
    const origin = new Origin(() => this.#newClient(name), this.#limits)
    const ofName = this.#byName.get(name) ?? new Map<string | undefined, Origin>()
    this.#byName.set(name, ofName.set(apart, origin))
    this.#count++
    return origin
  }

  #forgetOne(): boolean {
    let oldest: { name: string; apart: string | undefined; origin: Origin } | undefined
    for (const [name, ofName] of this.#byName)
      for (const [apart, origin] of ofName)
        if (origin.isIdle && (!oldest || origin.usedAs < oldest.origin.usedAs)) oldest = { name, apart, origin }
    if (!oldest) return false
    const { name, apart, origin } = oldest
    const ofName = this.#byName.get(name)
    ofName?.delete(apart)
    if (ofName?.size === 0) this.#byName.delete(name)
    this.#count--
    void origin.close()
    return true
  }
}
