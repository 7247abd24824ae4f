import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { type Client, expectRefusal, faultPaths } from '../../../../test/harness/client.ts'
import { packages, plans } from './catalogue.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const offers = '/b/v1/plans'
const featured = '0199a000-0000-7000-8000-000000000500'
const lists = [offers, `${offers}/credit-costs`, `${offers}/packages`, `${offers}/subscriptions`]
const single = [`${offers}/packages/${featured}`, `${offers}/subscriptions/growth`]

interface PricedPlan {
  readonly prices: readonly { currency: string; interval?: string; amountMinor: number }[]
}
const pricesOf = (priced: readonly PricedPlan[]) => priced.flatMap(({ prices }) => prices)

describe.each(['A', 'B'] as const)('through form %s', (form) => {
  let client: Client
  beforeAll(() => {
    client = app.client(form)
  })

  test('everything can be read without a token, or with an invalid one', async () => {
    for (const path of [...lists, ...single]) {
      expect((await client.get(path)).status, path).toBe(200)
      expect((await client.get(path, { token: 'nonsense' })).status, path).toBe(200)
    }
  })

  test('plans and packages are listed together and apart, with prices in minor units', async () => {
    const both = (await client.get(offers)).data
    expect(both.plans.map(({ code }: { code: string }) => code)).toEqual(plans.map(({ code }) => code))
    expect(both.packages.map(({ id }: { id: string }) => id)).toEqual(packages.map(({ id }) => id))
    expect(both.plans.find(({ code }: { code: string }) => code === 'growth')).toEqual({
      code: 'growth',
      name: 'Growth',
      description: expect.any(String),
      monthlyCredits: 2_000,
      prices: [
        { currency: 'NGN', interval: 'monthly', amountMinor: 3_000_000 },
        { currency: 'NGN', interval: 'yearly', amountMinor: 30_000_000 },
        { currency: 'USD', interval: 'monthly', amountMinor: 2_000 },
        { currency: 'USD', interval: 'yearly', amountMinor: 20_000 },
      ],
    })
    const [listedPlans, listedPackages] = [
      await client.get(`${offers}/subscriptions`),
      await client.get(`${offers}/packages`),
    ]
    expect([listedPlans.data, listedPackages.data]).toEqual([both.plans, both.packages])
    expect(listedPlans.body.meta.pagination).toMatchObject({ page: 1, total: plans.length, totalPages: 1 })
    expect(listedPackages.body.meta.pagination).toMatchObject({ page: 1, total: packages.length, totalPages: 1 })
    for (const plan of both.plans) expect((await client.get(`${offers}/subscriptions/${plan.code}`)).data).toEqual(plan)
    for (const one of both.packages) expect((await client.get(`${offers}/packages/${one.id}`)).data).toEqual(one)
  })

  test('a currency and an interval select their prices', async () => {
    for (const currency of ['NGN', 'USD'] as const)
      for (const interval of ['monthly', 'yearly'] as const) {
        const query = `?currency=${currency}&interval=${interval}`
        const both = (await client.get(`${offers}${query}`)).data
        expect(both.plans).toHaveLength(plans.length)
        // The free plan has no price; each of the others has one.
        expect(pricesOf(both.plans)).toHaveLength(plans.length - 1)
        for (const price of pricesOf(both.plans)) expect(price).toMatchObject({ currency, interval })
        expect(pricesOf(both.packages)).toHaveLength(packages.length)
        for (const price of pricesOf(both.packages)) expect(price.currency).toBe(currency)
        expect((await client.get(`${offers}/subscriptions${query}`)).data).toEqual(both.plans)
        expect((await client.get(`${offers}/packages${query}`)).data).toEqual(both.packages)
        const growth = (await client.get(`${offers}/subscriptions/growth${query}`)).data
        expect(growth).toEqual(both.plans.find(({ code }: { code: string }) => code === 'growth'))
        const one = (await client.get(`${offers}/packages/${featured}${query}`)).data
        expect(one).toEqual(both.packages.find(({ id }: { id: string }) => id === featured))
      }
    const dollars = (await client.get(`${offers}/subscriptions/growth?currency=USD`)).data
    expect(dollars.prices.map(({ interval }: { interval: string }) => interval)).toEqual(['monthly', 'yearly'])
    const yearly = (await client.get(`${offers}/subscriptions/growth?interval=yearly`)).data
    expect(yearly.prices.map(({ currency }: { currency: string }) => currency)).toEqual(['NGN', 'USD'])
  })

  test('packages are filtered by featured', async () => {
    const ids = async (query: string) => {
      const { data, body } = await client.get(`${offers}/packages${query}`)
      expect(body.meta.pagination.total).toBe(data.length)
      return data.map(({ id }: { id: string }) => id)
    }
    expect(await ids('?featured=true')).toEqual([featured])
    expect(await ids('?featured=false')).toEqual(packages.map(({ id }) => id).filter((id) => id !== featured))
    expect(await ids('?featured=true&currency=USD&interval=monthly')).toEqual([featured])
  })

  test('costs are listed by section, independent of the filters', async () => {
    const costs = await client.get(`${offers}/credit-costs`)
    expect(costs.data.map(({ section }: { section: string }) => section)).toEqual(['Invoices', 'Buyers', 'Tax numbers'])
    const actions = costs.data.flatMap((one: { actions: { action: string; credits: number }[] }) => one.actions)
    expect(
      Object.fromEntries(actions.map(({ action, credits }: { action: string; credits: number }) => [action, credits])),
    ).toEqual({
      'invoice.create': 1,
      'invoice.submit': 10,
      'buyer.create': 1,
      'buyer.update': 1,
      'buyer.verify_tax_id': 5,
      'reachability.check': 2,
      'tax_id.lookup': 2,
    })
    const filtered = await client.get(`${offers}/credit-costs?currency=USD&interval=yearly`)
    expect(filtered.data).toEqual(costs.data)
  })

  test('an invalid filter is refused by name', async () => {
    for (const path of [...lists, ...single])
      for (const query of ['currency=EUR', 'currency=ngn', 'currency=', 'interval=weekly', 'interval=', 'colour=red']) {
        const refused = await client.get(`${path}?${query}`)
        expectRefusal(refused, 'request.invalid')
        expect([refused.status, refused.body.error.code, faultPaths(refused)], `${path}?${query}`).toEqual([
          400,
          'VAL001',
          [query.split('=')[0]],
        ])
      }
    for (const featuredness of ['yes', '1', '', 'TRUE'])
      expectRefusal(await client.get(`${offers}/packages?featured=${featuredness}`), 'request.invalid')
    // Only the list of packages has featured ones to choose.
    for (const path of [...lists, ...single].filter((path) => path !== `${offers}/packages`))
      expect(faultPaths(await client.get(`${path}?featured=true`)), path).toEqual(['featured'])
    const several = await client.get(`${offers}/packages?currency=EUR&interval=weekly&featured=perhaps`)
    expect(faultPaths(several)).toEqual(['currency', 'featured', 'interval'])
  })

  test('an unknown code or id of any shape is not found', async () => {
    for (const path of [
      'subscriptions/enterprise',
      'subscriptions/Growth',
      `subscriptions/${'x'.repeat(50)}`,
      `packages/${randomUUID()}`,
      'packages/500',
      'packages/constructor',
      'subscriptions/__proto__',
    ]) {
      const refused = await client.get(`${offers}/${path}`)
      expectRefusal(refused, 'resource.not_found')
      expect(refused.status).toBe(404)
    }
  })

  test('no route changes anything', async () => {
    for (const path of [...lists, ...single]) {
      const refused = await client.post(path, { body: {} })
      expect([refused.status, refused.headers.get('allow')?.includes('GET')], path).toEqual([405, true])
    }
  })
})
