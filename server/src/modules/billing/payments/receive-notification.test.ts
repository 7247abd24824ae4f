import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { capturedLog, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { eventually } from '../../../../../test/harness/eventually.ts'
import { expectBooksInOrder } from '../../../../../test/harness/ledger-faults.ts'
import {
  becomes,
  buyer,
  currencies,
  type EmittedEvent,
  fromPaystack,
  fromStripe,
  liveBalance,
  movesOf,
  order,
  paymentState,
  signedByPaystack,
  tell,
} from '../../../../../test/harness/purchases.ts'
import { noOrganisation } from '../../../kernel/callers.ts'
import { sql } from '../../../platform/database/sql.ts'

let app: TestApp
const logged = capturedLog()
beforeAll(async () => {
  app = await startTestApp({ checkout: true, log: logged.log })
})
afterAll(() => app.close())
beforeEach(() => app.checkout.control.misbehave('silent'))
afterEach(async () => {
  app.checkout.control.misbehave(undefined)
  await expectBooksInOrder(app)
})

interface StoredNotification {
  readonly type: string
  readonly subject: string | null
  readonly outcome: string | null
}
const storedWith = (id: string): Promise<StoredNotification[]> =>
  app.runtime.db.rows(sql`select type, subject, outcome from provider_notifications where id = ${id}`)
const storedCount = async (): Promise<number> =>
  (await app.runtime.db.one<{ n: number }>(sql`select count(*)::int as n from provider_notifications`)).n

/** A payment made at the provider without a notification, and the notification that it would have sent. */
async function paidInSilence(currency: (typeof currencies)[number]) {
  const person = await buyer(app)
  const id = await order(app, person, { currency })
  const { control } = app.checkout
  const from = control.notifications.length
  await control.act(id, 'paid')
  const told = control.notifications.slice(from).map(({ provider, body, headers }) => ({ provider, body, headers }))
  return { person, id, first: from, told: told[0] as EmittedEvent }
}

/** Still valid JSON, but with content that an attacker would like. */
const altered = ({ body, ...told }: EmittedEvent): EmittedEvent => ({
  ...told,
  body: body.replace(/"amount(_total)?":\d+/, '"amount":1'),
})

describe.each(currencies)('in %s, an unauthenticated notification', (currency) => {
  test.each<[string, (told: EmittedEvent) => EmittedEvent]>([
    [
      'signed with another secret',
      ({ body }) =>
        currency === 'NGN'
          ? fromPaystack(JSON.parse(body), 'sk_test_other')
          : fromStripe(JSON.parse(body), { secret: 'whsec_other' }),
    ],
    ['altered after it was signed', altered],
    ['without a signature', ({ headers: _none, ...told }) => ({ ...told, headers: {} })],
    [
      'with nonsense for a signature',
      (told) => ({
        ...told,
        headers: { 'x-paystack-signature': 'ab'.repeat(64), 'stripe-signature': 't=1,v1=00' },
      }),
    ],
    ['empty', (told) => ({ ...told, body: '' })],
    [
      'sent to the address of the other provider',
      (told) => ({
        ...told,
        provider: currency === 'NGN' ? 'stripe' : 'paystack',
      }),
    ],
  ])('is refused: %s', async (_what, forge) => {
    const { person, id, told } = await paidInSilence(currency)
    const forged = forge(told)
    expect([forged.provider, forged.body, forged.headers]).not.toEqual([told.provider, told.body, told.headers])
    const [stored, lines] = [await storedCount(), logged.text().split('notification.not_theirs').length]
    const reply = await tell(app, forged)
    expect([reply.status, reply.headers.get('risiti-reason')]).toEqual([401, 'notification.not_signed'])
    expect(logged.text().split('notification.not_theirs').length).toBe(lines + 1)
    expect(await storedCount()).toBe(stored)
    expect(await paymentState(app, id)).toMatchObject({ status: 'pending', grantedCredits: 0n })
    expect(await movesOf(app, person.organisationId)).toEqual([])
  })
})

test('a Stripe notification is valid for five minutes', async () => {
  const { id, told } = await paidInSilence('USD')
  const event = JSON.parse(told.body) as object
  const old = await tell(app, fromStripe(event, { secondsAgo: 310 }))
  expect([old.status, old.headers.get('risiti-reason')]).toEqual([401, 'notification.not_signed'])
  expect(await paymentState(app, id)).toMatchObject({ status: 'pending' })
  expect((await tell(app, fromStripe(event, { secondsAgo: 240 }))).status).toBe(200)
  await becomes(app, id, { status: 'succeeded' })
})

test('a signed body that no provider sends is refused', async () => {
  for (const body of ['', 'no json', '[]', '"text"', '{}', '{"event":5}', 'null']) {
    const reply = await tell(app, signedByPaystack(body))
    expect([body, reply.status]).toEqual([body, 401])
  }
})

test.each(['flutterwave', 'PAYSTACK', 'constructor', '__proto__'])('%s has no route', async (provider) => {
  const told = fromPaystack({ event: 'charge.success', data: { reference: randomUUID() } })
  const stored = await storedCount()
  expect((await tell(app, { ...told, provider })).status).toBe(404)
  expect(await storedCount()).toBe(stored)
})

test('an unconfigured provider has no route', async () => {
  const without = await startTestApp()
  try {
    const told = fromPaystack({ event: 'charge.success', data: { reference: randomUUID() } })
    expect((await tell(without, told)).status).toBe(404)
  } finally {
    await without.close()
  }
})

test('a body above the size limit is refused', async () => {
  const told = fromPaystack({ event: 'charge.success', data: { reference: 'x', padding: 'x'.repeat(300_000) } })
  expect((await tell(app, told)).status).toBe(413)
})

test.each(currencies)('a hundred concurrent repetitions in %s are all accepted, and grant once', async (currency) => {
  const { person, id, first } = await paidInSilence(currency)
  const stored = await storedCount()
  const { control } = app.checkout
  const answers = await Promise.all(Array.from({ length: 100 }, () => control.resend(first)))
  expect(new Set(answers)).toEqual(new Set([200]))
  await becomes(app, id, { status: 'succeeded', grantedCredits: 100n })
  expect(await storedCount()).toBe(stored + 1)
  expect(await movesOf(app, person.organisationId)).toEqual([['purchase', 100]])
  expect(await control.resend(first)).toBe(200)
  expect(await liveBalance(app, person.organisationId)).toMatchObject({ available: 150 })
})

test.each(currencies)('three concurrent copies of each notification in %s grant once', async (currency) => {
  const person = await buyer(app)
  const id = await order(app, person, { currency })
  app.checkout.control.misbehave('twice')
  await app.checkout.control.act(id, 'paid')
  await app.checkout.control.settled()
  await becomes(app, id, { status: 'succeeded' })
  await eventually(async () => {
    const open = sql`select count(*)::int as n from provider_notifications where outcome is null`
    expect(await app.runtime.db.one(open)).toEqual({ n: 0 })
  })
  expect(await movesOf(app, person.organisationId)).toEqual([['purchase', 100]])
})

test('a notification about a foreign payment is stored and ignored', async () => {
  const strange = randomUUID()
  const tries: [EmittedEvent, subject: string][] = [
    [fromPaystack({ event: 'charge.success', data: { reference: strange } }), strange],
    [fromPaystack({ event: 'refund.processed', data: { transaction_reference: '../../x' } }), '../../x'],
    [
      fromStripe({ id: 'evt_1', type: 'payment_intent.succeeded', data: { object: { id: 'pi_strange' } } }),
      'pi_strange',
    ],
    [
      fromStripe({ id: 'evt_2', type: 'checkout.session.completed', data: { object: { id: 'cs_test_x' } } }),
      'cs_test_x',
    ],
  ]
  for (const [told, subject] of tries) {
    const reply = await tell(app, told)
    expect([reply.status, await reply.json()]).toEqual([200, { received: 'stored' }])
    await eventually(async () => {
      const found = sql`select outcome from provider_notifications where subject = ${subject}`
      expect(await app.runtime.db.rows(found)).toEqual([{ outcome: 'not ours' }])
    })
  }
})

test('an unneeded notification is stored and ignored', async () => {
  const asked = app.checkout.control.requests.length
  const told = fromStripe({ id: 'evt_unused', type: 'customer.created', data: { object: { id: 'cus_1' } } })
  expect(await (await tell(app, told)).json()).toEqual({ received: 'ignored' })
  expect(await storedWith('evt_unused')).toEqual([{ type: 'customer.created', subject: null, outcome: 'ignored' }])
  expect(await (await tell(app, told)).json()).toEqual({ received: 'repeated' })
  const transfer = fromPaystack({ event: 'transfer.success', data: { reference: randomUUID() } })
  expect(await (await tell(app, transfer)).json()).toEqual({ received: 'ignored' })
  expect(app.checkout.control.requests.length).toBe(asked)
})

test('a false notification changes nothing: only the provider’s answer to our query counts', async () => {
  const person = await buyer(app)
  const id = await order(app, person)
  const lie = fromPaystack({ event: 'charge.success', data: { reference: id, status: 'success', amount: 250_000 } })
  expect((await tell(app, lie)).status).toBe(200)
  await eventually(async () => {
    const found = sql`select outcome from provider_notifications where subject = ${id}`
    expect(await app.runtime.db.rows(found)).toEqual([{ outcome: 'looked' }])
  })
  expect(await paymentState(app, id)).toMatchObject({ status: 'pending', grantedCredits: 0n })
  expect(await movesOf(app, person.organisationId)).toEqual([])
})

test('a notification is processed later if the provider is unreachable at first', async () => {
  const { id, told } = await paidInSilence('NGN')
  app.checkout.control.misbehave('down')
  expect((await tell(app, told)).status).toBe(200)
  await eventually(async () => expect(logged.text()).toContain('job.failed'))
  expect(await paymentState(app, id)).toMatchObject({ status: 'pending' })
  app.checkout.control.misbehave('silent')
  await becomes(app, id, { status: 'succeeded', grantedCredits: 100n })
})

test.each(['NUL\u0000', 'half of a pair \ud800'])(
  'a subject that cannot be stored is refused: %j',
  async (reference) => {
    const reply = await tell(app, fromPaystack({ event: 'charge.success', data: { reference } }))
    expect(reply.status).toBe(400)
  },
)

describe('without workers', () => {
  beforeEach(() => app.stopWork())
  afterEach(() => app.startWork())
  const turnsOf = async (subject: string) =>
    (
      await app.runtime.db.rows<{ turn: string }>(sql`
        select organisation_id as turn from jobs where job = 'settle-notification' and payload->>'subject' = ${subject}`)
    ).map(({ turn }) => turn)

  test.each(currencies)('a notification in %s waits in the queue of its organisation', async (currency) => {
    const { person, told } = await paidInSilence(currency)
    expect((await tell(app, told)).status).toBe(200)
    const inTheirTurn = sql`select job from jobs where organisation_id = ${person.organisationId} and queue = 'money'`
    expect(await app.runtime.db.rows(inTheirTurn)).toEqual([{ job: 'settle-notification' }])
  })

  test('notifications of unknown organisations share sixteen turns', async () => {
    const references = Array.from({ length: 200 }, (_, nth) => `nobodys-${nth}`)
    for (const reference of references)
      expect((await tell(app, fromPaystack({ event: 'charge.success', data: { reference } }))).status).toBe(200)
    const turns = new Set((await Promise.all(references.map(turnsOf))).flat())
    expect(turns.size).toBe(16)
    expect(turns).not.toContain(noOrganisation)
  })
})
