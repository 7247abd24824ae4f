import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { origin, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { eventually } from '../../../../../test/harness/eventually.ts'
import { active, opening, overdue, starter, type TakenSubscription } from '../../../../../test/harness/subscriber.ts'
import { systemCaller } from '../../../kernel/callers.ts'
import { sql } from '../../../platform/database/sql.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { ProviderRefusal } from '../payments/checkout-provider.ts'
import type { PaymentId } from '../payments/payment.ts'
import { authorisationPlace } from '../subscriptions/subscription.ts'
import { chargeCard } from './charge-card.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ checkout: true })
})
afterAll(() => app.close())
afterEach(() => app.checkout.control.misbehave(undefined))

const charge = ({ who }: TakenSubscription, paymentId: string) =>
  app.runner.run(chargeCard, {
    caller: systemCaller,
    origin,
    input: { organisationId: who.organisationId, paymentId: paymentId as PaymentId },
  })

/** The period has ended, and the provider had this fault while the card was charged. */
async function dueUnder(fault: 'down' | 'error_after', taken: TakenSubscription): Promise<string> {
  const { who, id } = taken
  app.clock.set((await who.subscription(id)).currentPeriod.endsAt)
  app.checkout.control.misbehave(fault)
  await app.runJob('run-subscriptions')
  const [latest] = await who.renewals(id)
  return latest.paymentId
}

/** The queue has made its own attempt: no job is waiting or in progress. */
const isTried = () =>
  eventually(async () => {
    const open = await app.runtime.db.rows(sql`
      select 1 from jobs where job = 'charge-card' and (attempts = 0 or taken_by is not null)`)
    expect(open).toEqual([])
  })

/** How often the provider charged the card for a payment. */
const charges = (reference: string) =>
  app.checkout.control.notifications.filter(
    ({ type, body }) => ['charge.success', 'payment_intent.succeeded'].includes(type) && body.includes(reference),
  ).length

const row = ({ who, id }: TakenSubscription) =>
  app.runtime.db.one<{ sealedAuthorisation: string | null; whole: string }>(sql`
    select sealed_authorisation, s::text as whole from subscriptions s
     where organisation_id = ${who.organisationId} and id = ${id}`)

test('a refused lookup of a charge does not count as a refused charge', async () => {
  const taken = await active(app, { ...starter, currency: 'NGN' })
  const paymentId = (await dueUnder('down', taken)) as PaymentId
  const charged: string[] = []
  const provider = {
    chargeCard: async ({ reference }: { reference: string }) => {
      charged.push(reference)
      return { handle: reference }
    },
    look: async () => {
      throw new ProviderRefusal('a parameter is missing')
    },
  }
  const { runtime } = app
  const ports = { ...runtime.ports, checkoutProviders: { named: () => provider } } as unknown as typeof runtime.ports
  const context = { ...runtime, ports, signal: AbortSignal.timeout(5_000) }
  const { organisationId } = taken.who
  const answer = chargeCard.call(context as unknown as Parameters<typeof chargeCard.call>[0], {
    organisationId,
    paymentId,
  })
  await expect(answer).rejects.toThrow('a parameter is missing')
  expect(charged).toEqual([paymentId])
})

describe.each(['NGN', 'USD'] as const)('in %s', (currency) => {
  const terms = { ...starter, currency }

  test('a card is charged once per payment, even by concurrent tries', async () => {
    const taken = await active(app, terms)
    const paymentId = await dueUnder('down', taken)
    expect(await charge(taken, paymentId)).toEqual({ answered: false })
    expect((await taken.who.payment(paymentId)).status).toBe('pending')
    expect(charges(paymentId)).toBe(0)

    app.checkout.control.misbehave(undefined)
    const tries = await Promise.allSettled([charge(taken, paymentId), charge(taken, paymentId)])
    for (const one of tries)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ refusal: 'resource.not_found' })
    await taken.who.becomes(taken.id, { status: 'active', currentPeriod: { number: 2 } })
    await expect(charge(taken, paymentId)).rejects.toMatchObject({ refusal: 'resource.not_found' })
    expect(charges(paymentId)).toBe(1)
    expect(await taken.who.balance()).toBe(opening + 800)
  })

  test('a charge whose reply was lost is found, not repeated', async () => {
    const taken = await active(app, terms)
    const paymentId = await dueUnder('error_after', taken)
    await eventually(async () => expect(charges(paymentId)).toBe(1))
    expect(await charge(taken, paymentId)).toEqual({ answered: false })
    app.checkout.control.misbehave(undefined)
    await charge(taken, paymentId).catch((error) => expect(error).toMatchObject({ refusal: 'resource.not_found' }))
    await taken.who.becomes(taken.id, { status: 'active', currentPeriod: { number: 2 } })
    expect(charges(paymentId)).toBe(1)
    expect((await taken.who.renewals(taken.id))[0]).toMatchObject({ attempts: 1, paymentId })
  })

  test('a charge whose process died is found by inquiry, and a late answer is checked', async () => {
    const taken = await active(app, terms)
    const paymentId = (await dueUnder('down', taken)) as PaymentId
    await isTried()
    app.checkout.control.misbehave(undefined)
    const ref = { organisationId: taken.who.organisationId, paymentId }
    const now = app.clock.now()
    const times = { now, realNow: now, nowOf: async () => now }
    const outside = { ...app.runtime, caller: systemCaller, origin, ...times, throttle: async () => {} }
    const asking = { ...outside, signal: AbortSignal.timeout(20_000) }
    const { inquire } = chargeCard
    if ('none' in inquire) throw new Error('a charge can be inquired about')
    expect(await inquire(asking, ref)).toBeUndefined()
    const answer = await chargeCard.call(asking, ref)
    expect(await inquire(asking, ref)).toMatchObject({ state: 'paid', reference: paymentId })

    const late = operation({ needs: [], refuses: [] }, (context) =>
      chargeCard.settle(context, ref, { kind: 'answered', answer, late: true }),
    )
    expect(await app.runner.run(late, { caller: systemCaller, origin, input: undefined })).toEqual({ answered: true })
    await taken.who.becomes(taken.id, { status: 'active', currentPeriod: { number: 2 } })
    expect([charges(paymentId), await taken.who.balance()]).toEqual([1, opening + 800])
  })

  test('no card is charged after the cancellation, or an hour after the due time', async () => {
    const cancelled = await active(app, terms)
    const first = await dueUnder('down', cancelled)
    expect((await cancelled.who.cancel(cancelled.id)).data.status).toBe('expired')
    app.checkout.control.misbehave(undefined)
    await expect(charge(cancelled, first)).rejects.toMatchObject({ refusal: 'resource.not_found' })
    const slow = await active(app, terms)
    const second = await dueUnder('down', slow)
    // The queue's own attempt happens while the provider is down. It must not be the one that succeeds later.
    await isTried()
    app.clock.advance({ hours: 1 })
    await expect(charge(slow, second)).rejects.toMatchObject({ refusal: 'resource.not_found' })
    app.checkout.control.misbehave(undefined)
    await app.runJob('sweep-payments')
    await slow.who.paymentBecomes(second, { status: 'expired' })
    expect(await slow.who.subscription(slow.id)).toMatchObject({ status: 'past_due' })
    expect([charges(first), charges(second)]).toEqual([0, 0])
  })

  test('the stored card is sealed, and deleted when the plan ends', async () => {
    const taken = await active(app, terms)
    const { sealedAuthorisation, whole } = await row(taken)
    const opened = app.runtime.vault.open(sealedAuthorisation as string, authorisationPlace(taken.id))
    const secrets = Object.values(JSON.parse(opened) as Record<string, string>)
    expect(opened).toMatch(currency === 'NGN' ? /AUTH_/ : /pm_/)
    for (const secret of secrets) expect(whole).not.toContain(secret)
    expect(() => app.runtime.vault.open(sealedAuthorisation as string, authorisationPlace('another'))).toThrow()

    await app.checkout.control.refund(taken.paymentId)
    await taken.who.becomes(taken.id, { status: 'expired' })
    expect((await row(taken)).sealedAuthorisation).toBeNull()
  })
})

test('the card is deleted for every way in which a plan ends', async () => {
  const cancelled = await active(app)
  await cancelled.who.cancel(cancelled.id)
  app.clock.set((await cancelled.who.subscription(cancelled.id)).currentPeriod.endsAt)
  await app.runJob('run-subscriptions')
  const unpaid = await overdue(app)
  expect((await row(unpaid)).sealedAuthorisation).not.toBeNull()
  app.clock.advance({ days: 14 })
  await app.runJob('run-subscriptions')
  for (const taken of [cancelled, unpaid]) {
    expect(await taken.who.subscription(taken.id)).toMatchObject({ status: 'expired' })
    expect((await row(taken)).sealedAuthorisation).toBeNull()
  }
})
