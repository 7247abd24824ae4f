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
  /** the how-manieth use of any of them its last one was */
  usedAs = 0
  readonly #newClient: () => Client
  readonly #limits: OriginLimits
  /** The one used last is taken first, so that those which the load does not need go quiet and are closed. */
  readonly #idle: Client[] = []
  /** idle ones and busy ones */
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

/** The origins that requests go to, as many as may be: for a new one, the idle one used longest ago has to go. */
export class Origins {
  readonly #newClient: (origin: string) => Client
  readonly #limits: OriginLimits
  /** by name, and by whom they are kept apart for: a key made of both would have to be made for every request */
  readonly #byName = new Map<string, Map<string | undefined, Origin>>()
  #count = 0
  #uses = 0
  #closed = false

  constructor(newClient: (origin: string) => Client, limits: OriginLimits) {
    this.#newClient = newClient
    this.#limits = limits
  }

  /** Those who are named apart share no connection with anybody else who goes to the same place. */
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
