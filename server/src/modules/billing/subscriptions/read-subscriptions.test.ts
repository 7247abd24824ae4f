import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal, faultPaths } from '../../../../../test/harness/client.ts'
import { active, newSubscriber, type Subscriber, starter } from '../../../../../test/harness/subscriber.ts'
import type { SystemRoleName } from '../../../kernel/roles.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ checkout: true })
})
afterAll(() => app.close())

/** Subscribes and cancels without payment, `count` times. Returns the ids, newest first. */
async function tries(who: Subscriber, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let one = 0; one < count; one++) {
    const { id } = (await who.subscribe()).data.subscription
    await who.cancel(id)
    ids.unshift(id)
    app.clock.advance({ seconds: 1 })
  }
  return ids
}

describe.each(['A', 'B'] as const)('through form %s', (form) => {
  test('the history is paged, newest first, and shows only the own organisation', async () => {
    const who = await newSubscriber(app, app.client(form))
    await active(app, starter)
    const ids = await tries(who, 5)
    const whole = await who.get('/subscriptions/history')
    expect(whole.data.map(({ id }: { id: string }) => id)).toEqual(ids)
    expect(whole.body.meta.pagination).toMatchObject({ page: 1, limit: 50, total: 5, totalPages: 1 })
    const second = await who.get('/subscriptions/history?page=2&limit=2')
    expect(second.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(2, 4))
    expect(second.body.meta.pagination).toMatchObject({ page: 2, limit: 2, total: 5, totalPages: 3 })
    expect((await who.get('/subscriptions/history?page=4&limit=2')).data).toEqual([])
    for (const [query, paths] of [
      ['limit=101', ['limit']],
      ['limit=0&page=0', ['limit', 'page']],
      ['status=active', ['status']],
    ] as const) {
      const reply = await who.get(`/subscriptions/history?${query}`)
      expectRefusal(reply, 'request.invalid')
      expect(faultPaths(reply)).toEqual(paths)
    }
  })

  test('a plan is read by its id, the current one as `active`, and others are not found', async () => {
    const { who, id } = await active(app, starter, app.client(form))
    const one = await who.get(`/subscriptions/${id}`)
    expect(one.data).toMatchObject({ id, ...starter, status: 'active', amountMinor: 750_000, monthlyCredits: 400 })
    expect((await who.get('/subscriptions/active')).data).toEqual(one.data)
    const stranger = await newSubscriber(app, app.client(form))
    for (const path of [`/subscriptions/${id}`, `/subscriptions/${randomUUID()}`, '/subscriptions/active']) {
      const reply = await stranger.get(path)
      expectRefusal(reply, 'resource.not_found')
      expect([reply.status, reply.body.error.code]).toEqual([404, 'RES001'])
    }
  })

  test('billing periods are listed newest first, of all plans or of one', async () => {
    const { who, id } = await active(app, starter, app.client(form))
    app.clock.set((await who.subscription(id)).currentPeriod.endsAt)
    await app.runJob('run-subscriptions')
    await who.becomes(id, { status: 'active', currentPeriod: { number: 2 } })
    await app.checkout.control.refund((await who.renewals(id))[0].paymentId)
    await who.becomes(id, { status: 'expired' })
    app.clock.advance({ minutes: 1 })
    const next = (await who.subscribe({ ...starter, planCode: 'growth' })).data
    await app.checkout.control.act(next.payment.id, 'paid')
    await who.becomes(next.subscription.id, { status: 'active' })

    const all = await who.get('/subscriptions/renewals')
    const brief = (rows: { planCode: string; number: number; paymentStatus: string }[]) =>
      rows.map(({ planCode, number, paymentStatus }) => [planCode, number, paymentStatus])
    expect(brief(all.data)).toEqual([
      ['growth', 1, 'succeeded'],
      ['starter', 2, 'refunded'],
      ['starter', 1, 'succeeded'],
    ])
    expect(all.body.meta.pagination).toMatchObject({ total: 3, limit: 50 })
    const page = await who.get('/subscriptions/renewals?page=2&limit=2')
    expect(brief(page.data)).toEqual([['starter', 1, 'succeeded']])
    const own = await who.get(`/subscriptions/renewals?subscriptionId=${id}`)
    expect(own.data.map(({ number }: { number: number }) => number)).toEqual([2, 1])

    const stranger = await newSubscriber(app, app.client(form))
    expect((await stranger.get('/subscriptions/renewals')).data).toEqual([])
    for (const other of [id, randomUUID()])
      expectRefusal(await stranger.get(`/subscriptions/renewals?subscriptionId=${other}`), 'resource.not_found')
    expectRefusal(await stranger.get('/subscriptions/renewals?subscriptionId=mine'), 'request.invalid')
  })

  test('people and keys with the capability see plans, and a member does not', async () => {
    const client = app.client(form)
    const { who, id } = await active(app, starter, client)
    const paths = ['active', 'history', 'renewals', id].map((last) => `/b/v1/subscriptions/${last}`)
    const may: SystemRoleName[] = ['OWNER', 'ADMIN', 'ACCOUNTANT', 'DEVELOPER', 'VIEWER']
    const tokens = [await app.key(who.organisationId, { mode: 'live', capabilities: ['billing.subscription.read'] })]
    for (const role of may) tokens.push((await app.member(who.organisationId, role)).token)
    const member = await app.member(who.organisationId, 'MEMBER')
    for (const path of paths) {
      for (const token of tokens) expect((await client.get(path, { token })).status).toBe(200)
      expectRefusal(await client.get(path, { token: member.token }), 'auth.capability_missing')
      expectRefusal(await client.get(path), 'auth.token_missing')
    }
  })

  test('a sandbox key sees no plans', async () => {
    const client = app.client(form)
    const { who, id } = await active(app, starter, client)
    const token = await app.key(who.organisationId, { mode: 'sandbox', capabilities: ['billing.subscription.read'] })
    const get = (last: string) => client.get(`/b/v1/subscriptions/${last}`, { token })
    for (const last of ['active', id, `renewals?subscriptionId=${id}`])
      expectRefusal(await get(last), 'resource.not_found')
    for (const last of ['history', 'renewals']) {
      const { data, body } = await get(last)
      expect([data, body.meta.pagination.total], last).toEqual([[], 0])
    }
  })
})
