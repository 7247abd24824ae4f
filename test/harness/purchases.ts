import { createHmac, randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { simulatorKeys } from '../../server/src/bin/simulators.ts'
import type { OrganisationId } from '../../server/src/kernel/ids.ts'
import { charge } from '../../server/src/modules/credits/index.ts'
import { sql } from '../../server/src/platform/database/sql.ts'
import type { Person, TestApp } from './app.ts'
import { eventually } from './eventually.ts'

/** The smallest package: 100 credits for 2,500 naira or 2 dollars. */
export const small = '0199a000-0000-7000-8000-000000000100'
/** 500 credits. */
export const medium = '0199a000-0000-7000-8000-000000000500'
export const purchasePath = '/b/v1/payments/purchase'

export const currencies = ['NGN', 'USD'] as const
type Currency = (typeof currencies)[number]

/** A person with a live session and an account with the 50 opening credits. */
export async function buyer(app: TestApp): Promise<Person> {
  const person = await app.person({ mode: 'live' })
  await app.openAccount(person.organisationId)
  return person
}

/** Starts a new checkout and returns the payment's id. */
export async function order(
  app: TestApp,
  { token }: Pick<Person, 'token'>,
  { currency = 'NGN' as Currency, packageId = small } = {},
): Promise<string> {
  const { status, data, text } = await app.a.post(purchasePath, { token, body: { packageId, currency } })
  expect(status, text).toBe(201)
  return data.payment.id
}

export interface PaymentState {
  readonly status: string
  readonly amountMinor: bigint
  readonly refundedMinor: bigint
  readonly credits: bigint
  readonly grantedCredits: bigint
}

/** The state of a payment's row, without the counters of our checks. */
export async function paymentState(app: TestApp, id: string): Promise<PaymentState> {
  return await app.runtime.db.one(
    sql`select status, amount_minor, refunded_minor, credits, granted_credits from payments where id = ${id}`,
  )
}

export const becomes = (app: TestApp, id: string, wanted: Partial<PaymentState>): Promise<void> =>
  eventually(async () => expect(await paymentState(app, id)).toMatchObject(wanted))

export async function liveBalance(
  app: TestApp,
  organisationId: OrganisationId,
): Promise<{ available: number; owed: number; spent: number }> {
  const found = await app.runtime.db.one<{ available: bigint; owed: bigint; spent: bigint }>(
    sql`select available, owed, spent from credit_balances where organisation_id = ${organisationId} and mode = 'live'`,
  )
  return { available: Number(found.available), owed: Number(found.owed), spent: Number(found.spent) }
}

/** The ledger moves, oldest first, without the opening credits. */
export async function movesOf(app: TestApp, organisationId: OrganisationId): Promise<[type: string, amount: number][]> {
  const rows = await app.runtime.db.rows<{ type: string; amount: bigint }>(sql`
    select type, amount from credit_moves
     where organisation_id = ${organisationId} and mode = 'live' and cause <> 'opening' order by seq`)
  return rows.map(({ type, amount }) => [type, Number(amount)])
}

/** The events about one object, oldest first. */
export const eventsAbout = (
  app: TestApp,
  objectId: string,
): Promise<{ type: string; mode: string; data: Record<string, unknown>; organisationId: string }[]> =>
  app.runtime.db.rows(
    sql`select type, mode, data, organisation_id from events where object_id = ${objectId} order by position`,
  )

/** The object version of each event about it. */
export const versionsEmitted = (
  app: TestApp,
  objectId: string,
): Promise<{ type: string; objectVersion: number | null }[]> =>
  app.runtime.db.rows(
    sql`select type, object_version::float8 as object_version from events where object_id = ${objectId} order by position`,
  )

/** Uses live credits in steps of ten, as submissions do. */
export async function spend(app: TestApp, organisationId: OrganisationId, credits: number): Promise<void> {
  const now = app.clock.now()
  await app.runtime.db.transaction(async (tx) => {
    for (let left = credits; left > 0; left -= 10)
      await charge({ tx, now, emit: () => {} }, { organisationId, mode: 'live' }, 'invoice.submit', randomUUID())
  })
}

export interface EmittedEvent {
  readonly provider: string
  readonly body: string
  readonly headers: Record<string, string>
}

/** Signs a body as Paystack does. */
export function signedByPaystack(body: string, key: string = simulatorKeys.paystack): EmittedEvent {
  const signature = createHmac('sha512', key).update(body).digest('hex')
  return { provider: 'paystack', body, headers: { 'x-paystack-signature': signature } }
}

export const fromPaystack = (event: object, key?: string): EmittedEvent => signedByPaystack(JSON.stringify(event), key)

/** Signs a body as Stripe does, the given number of seconds ago. */
export function fromStripe(
  event: object,
  { secret = simulatorKeys.stripeWebhook as string, secondsAgo = 0 } = {},
): EmittedEvent {
  const body = JSON.stringify({ object: 'event', ...event })
  const at = Math.floor(Date.now() / 1000) - secondsAgo
  const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')
  return { provider: 'stripe', body, headers: { 'stripe-signature': `t=${at},v1=${signature}` } }
}

export async function tell(app: TestApp, { provider, body, headers }: EmittedEvent): Promise<Response> {
  const sent = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body }
  return await fetch(`${app.url}/notifications/${provider}`, sent)
}
