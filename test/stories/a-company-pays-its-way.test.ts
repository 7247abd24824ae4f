import { expect, test } from 'vitest'
import { systemCaller } from '../../server/src/kernel/callers.ts'
import type { OrganisationId } from '../../server/src/kernel/ids.ts'
import { charge } from '../../server/src/modules/credits/index.ts'
import { type Inside, operation } from '../../server/src/platform/operations/operation.ts'
import { origin, startTestApp, type TestApp } from '../harness/app.ts'
import type { Client } from '../harness/client.ts'
import { eventually } from '../harness/eventually.ts'
import { rowsLeft } from './rows-left.ts'
import { comeBack, ok, type Person, signUp } from './telling.ts'

const hundred = '0199a000-0000-7000-8000-000000000100'

/** Charges credits with the function that invoices use. */
async function work(app: TestApp, organisationId: OrganisationId, count: number): Promise<void> {
  for (let done = 0; done < count; done++) {
    app.clock.advance({ minutes: 1 })
    const cause = `invoice-${app.clock.now().toISOString()}`
    const body = (context: Inside<typeof systemCaller>) =>
      charge(context, { organisationId, mode: 'live' }, 'invoice.submit', cause)
    await app.runner.run(operation({ needs: [], refuses: [] }, body), {
      caller: systemCaller,
      origin,
      input: undefined,
    })
  }
}

const balanceOf = async (client: Client, { token }: Person): Promise<number> =>
  (await ok(client.get('/b/v1/billing-accounts/me?mode=live', { token }))).data.creditBalance

const statusOf = async (client: Client, { token }: Person, paymentId: string): Promise<string> =>
  (await ok(client.get(`/b/v1/payments/${paymentId}`, { token }))).data.status

/** Five weeks of a business that buys credits, through one form. */
async function tell(form: 'A' | 'B') {
  const app = await startTestApp({ checkout: true, now: '2026-03-02T08:00:00Z' })
  try {
    const client = app.client(form)
    const { control } = app.checkout
    const until = (check: () => Promise<unknown>) => eventually(check)

    // Monday: Halima opens the business and looks at the free features.
    const halima = await signUp(app, client, 'halima@dan.test', {
      firstName: 'Halima',
      lastName: 'Danjuma',
      organizationName: 'Danjuma Farms',
    })
    await ok(client.get('/b/v1/plans?currency=NGN'))
    const { data: tokens } = await ok(client.post('/a/v1/auth/mode', { token: halima.token, body: { mode: 'live' } }))
    halima.token = tokens.accessToken
    halima.refreshToken = tokens.refreshToken
    const account = await ok(client.get('/b/v1/billing-accounts/me', { token: halima.token }))
    const organisationId: OrganisationId = account.data.organizationId
    expect(account.data.creditBalance).toBe(50)

    // She buys 100 credits. Her first card is declined, the second works on the same page.
    const buy = await ok(
      client.post('/b/v1/payments/purchase', {
        token: halima.token,
        headers: { 'idempotency-key': 'first-hundred' },
        body: { packageId: hundred, currency: 'NGN', returnPath: '/billing' },
      }),
    )
    const paymentId: string = buy.data.payment.id
    await control.act(paymentId, 'failed')
    await until(async () => expect(await statusOf(client, halima, paymentId)).toBe('failed'))
    app.clock.advance({ minutes: 2 })
    await control.act(paymentId, 'paid')
    await until(async () => expect(await balanceOf(client, halima)).toBe(150))

    // She asks for a warning below 100 credits. Her use then causes one email.
    await ok(client.patch('/b/v1/billing-accounts/me/low-balance', { token: halima.token, body: { threshold: 100 } }))
    await work(app, organisationId, 7)
    const [warning] = await app.mailTo(halima.email, 2)
    expect(warning?.subject).toBe('Your credits are running low')
    expect(await balanceOf(client, halima)).toBe(80)

    // Wednesday: she takes a plan, cancels it and resumes it.
    app.clock.set('2026-03-04T10:00:00Z')
    await comeBack(client, halima)
    const plan = await ok(
      client.post('/b/v1/subscriptions/subscribe', {
        token: halima.token,
        body: { planCode: 'starter', interval: 'monthly', currency: 'USD' },
      }),
    )
    const subscription = `/b/v1/subscriptions/${plan.data.subscription.id}`
    await control.act(plan.data.payment.id, 'paid')
    await until(() => ok(client.get('/b/v1/subscriptions/active', { token: halima.token })))
    expect(await balanceOf(client, halima)).toBe(480)
    app.clock.advance({ minutes: 1 })
    await ok(client.put(`${subscription}/cancel`, { token: halima.token, body: { reason: 'too dear' } }))
    app.clock.advance({ minutes: 1 })
    await ok(client.put(`${subscription}/resume`, { token: halima.token }))

    // Her bank disputes the payment for the 100 credits. They are taken away, and come back when she wins.
    await control.openDispute(paymentId)
    await until(async () => expect(await balanceOf(client, halima)).toBe(380))
    app.clock.advance({ minutes: 3 })
    await control.closeDispute(paymentId, true)
    await until(async () => expect(await balanceOf(client, halima)).toBe(480))

    // A month later the saved card pays the renewal. The provider refunds a quarter of the 100 credits.
    app.clock.set('2026-03-20T09:00:00Z')
    await comeBack(client, halima)
    app.clock.set('2026-04-04T10:05:00Z')
    await app.runJob('run-subscriptions')
    await comeBack(client, halima)
    await until(async () => expect(await balanceOf(client, halima)).toBe(880))
    app.clock.advance({ minutes: 3 })
    await control.refund(paymentId, 62_500n)
    await until(async () => expect(await statusOf(client, halima, paymentId)).toBe('partially_refunded'))
    expect(await balanceOf(client, halima)).toBe(855)
    await control.settled()

    const statement = await ok(
      client.get('/b/v1/billing-accounts/me/statement?from=2026-03-01&to=2026-04-30', { token: halima.token }),
    )
    const { openingBalance, closingBalance, entries } = statement.data
    const sum = (entries as { amount: number }[]).reduce((total, { amount }) => total + amount, 0)
    expect([openingBalance + sum, closingBalance]).toEqual([855, 855])

    const tables = [
      ['billing_accounts', 'opened_at'],
      ['credit_balances', 'mode'],
      ['credit_moves', 'created_at'],
      ['subscriptions', 'created_at'],
      ['payments', 'created_at'],
      ['subscription_periods', 'starts_at'],
      ['subscription_allocations', 'starts_at'],
      ['events', 'id'],
    ] as const
    // Provider ids and our number of checks are not part of the story.
    const ignored = ['handle', 'checkout_url', 'looks', 'look_at'].map((column) => `payments.${column}`)
    return await rowsLeft(app.runtime.db, tables, [...ignored, 'subscriptions.sealed_authorisation'], /^seller\./)
  } finally {
    await app.close()
  }
}

test('a company pays its way, and both forms leave the same rows', async () => {
  const [throughA, throughB] = [await tell('A'), await tell('B')]
  expect(throughB).toEqual(throughA)
  expect(throughA.payments).toMatchObject([
    { kind: 'credit_purchase', status: 'partially_refunded', granted_credits: 75 },
    { kind: 'subscription', status: 'succeeded', granted_credits: 400 },
    { kind: 'renewal', status: 'succeeded', granted_credits: 400 },
  ])
  expect(throughA.subscription_periods).toHaveLength(2)
})
