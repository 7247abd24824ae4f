import { expect } from 'vitest'
import type { OrganisationId } from '../../server/src/kernel/ids.ts'
import type { Currency, Interval } from '../../server/src/modules/catalogue/index.ts'
import { sql } from '../../server/src/platform/database/sql.ts'
import type { Person, TestApp } from './app.ts'
import type { Client, Reply } from './client.ts'
import { eventually } from './eventually.ts'
import { sessionAgain } from './session-again.ts'

export interface Terms {
  readonly planCode: string
  readonly interval: Interval
  readonly currency: Currency
}

/** 400 credits a month. */
export const starter: Terms = { planCode: 'starter', interval: 'monthly', currency: 'NGN' }
/** The opening credits on the live ledger of a new organisation. */
export const opening = 50

const path = '/b/v1/subscriptions'

/** A person with a billing subscription. The person signs in again after each move of the clock. */
export class Subscriber {
  readonly organisationId: OrganisationId
  readonly #app: TestApp
  readonly #client: Client
  #person: Person
  #since: number

  constructor(app: TestApp, person: Person, client: Client) {
    this.#app = app
    this.#person = person
    this.#client = client
    this.organisationId = person.organisationId
    this.#since = app.clock.now().getTime()
  }

  get email(): string {
    return this.#person.email
  }

  async token(): Promise<string> {
    const now = this.#app.clock.now().getTime()
    if (now !== this.#since) this.#person = await sessionAgain(this.#app, this.#person)
    this.#since = now
    return this.#person.token
  }

  get = async (below: string): Promise<Reply> => this.#client.get(`/b/v1${below}`, { token: await this.token() })

  subscribe = async (body: object = starter, headers: Record<string, string> = {}): Promise<Reply> =>
    this.#client.post(`${path}/subscribe`, { token: await this.token(), body, headers })

  cancel = async (id: string, body: object = {}): Promise<Reply> =>
    this.#client.put(`${path}/${id}/cancel`, { token: await this.token(), body })

  resume = async (id: string): Promise<Reply> => this.#client.put(`${path}/${id}/resume`, { token: await this.token() })

  renew = async (id: string, body: object = {}, headers: Record<string, string> = {}): Promise<Reply> =>
    this.#client.post(`${path}/${id}/renew`, { token: await this.token(), body, headers })

  subscription = async (id: string) => (await this.get(`/subscriptions/${id}`)).data
  payment = async (id: string) => (await this.get(`/payments/${id}`)).data
  renewals = async (id: string) => (await this.get(`/subscriptions/renewals?subscriptionId=${id}`)).data
  balance = async (): Promise<number> => (await this.get('/billing-accounts/me')).data.creditBalance

  /** The events of the organisation's billing subscription, oldest first. */
  async events(): Promise<string[]> {
    const rows = await this.#app.runtime.db.rows<{ type: string }>(sql`
      select type from events where organisation_id = ${this.organisationId}
         and (type like 'billing.subscription.%' or type = 'organization.subscription_tier_changed') order by position`)
    return rows.map(({ type }) => type.replace(/^(billing|organization)\./, ''))
  }

  /** Waits until the billing subscription has this state. */
  becomes = (id: string, state: object) =>
    eventually(async () => {
      const seen = await this.subscription(id)
      expect(seen).toMatchObject(state)
      return seen
    })

  paymentBecomes = (id: string, state: object) =>
    eventually(async () => {
      const seen = await this.payment(id)
      expect(seen).toMatchObject(state)
      return seen
    })
}

export async function newSubscriber(app: TestApp, client: Client = app.b): Promise<Subscriber> {
  const person = await app.person({ mode: 'live' })
  await app.openAccount(person.organisationId)
  return new Subscriber(app, person, client)
}

export interface TakenSubscription {
  readonly who: Subscriber
  readonly id: string
  readonly paymentId: string
}

/** A billing subscription whose checkout is unpaid. */
export async function awaiting(app: TestApp, terms: Terms = starter, client?: Client): Promise<TakenSubscription> {
  const who = await newSubscriber(app, client)
  const started = await who.subscribe(terms)
  expect(started.status, started.text).toBe(201)
  return { who, id: started.data.subscription.id, paymentId: started.data.payment.id }
}

/** A billing subscription that is paid. */
export async function active(app: TestApp, terms: Terms = starter, client?: Client): Promise<TakenSubscription> {
  const taken = await awaiting(app, terms, client)
  await app.checkout.control.act(taken.paymentId, 'paid')
  await taken.who.becomes(taken.id, { status: 'active' })
  return taken
}

/** A billing subscription whose first renewal was declined by the saved card. */
export async function overdue(app: TestApp, terms: Terms = starter, client?: Client): Promise<TakenSubscription> {
  const taken = await active(app, terms, client)
  app.checkout.control.declineCard(taken.paymentId)
  app.clock.set((await taken.who.subscription(taken.id)).currentPeriod.endsAt)
  await app.runJob('run-subscriptions')
  await eventually(async () => {
    const [latest] = await taken.who.renewals(taken.id)
    expect(latest).toMatchObject({ number: 2, paymentStatus: 'failed' })
  })
  return taken
}
