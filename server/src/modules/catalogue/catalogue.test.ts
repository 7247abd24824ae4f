import { expect, test } from 'vitest'
import { costSections, costs, packages, packagesFor, plans, plansFor } from './catalogue.ts'
import { currencies, intervals } from './prices.ts'

const unique = (values: readonly string[]) => new Set(values).size === values.length

test('every offer has one price per currency, and per interval of a plan', () => {
  const pairs = currencies.flatMap((currency) => intervals.map((interval) => `${currency} ${interval}`)).sort()
  for (const plan of plans.filter(({ code }) => code !== 'free'))
    expect(plan.prices.map(({ currency, interval }) => `${currency} ${interval}`).sort(), plan.code).toEqual(pairs)
  for (const one of packages)
    expect(one.prices.map(({ currency }) => currency).sort(), one.name).toEqual([...currencies].sort())
  for (const { prices } of [...plans, ...packages])
    for (const { amountMinor } of prices) expect(amountMinor > 0n).toBe(true)
})

test('codes and ids are unique', () => {
  expect(unique(plans.map(({ code }) => code))).toBe(true)
  expect(unique(packages.map(({ id }) => id))).toBe(true)
})

test('a larger package never costs more per credit, and a year costs less than twelve months', () => {
  for (const currency of currencies) {
    const perCredit = packages.map(({ credits, prices }) => {
      const price = prices.find((candidate) => candidate.currency === currency)
      return Number(price?.amountMinor) / Number(credits)
    })
    expect(perCredit).toEqual([...perCredit].sort((a, b) => b - a))
    for (const plan of plansFor({ currency }).filter(({ prices }) => prices.length > 0)) {
      const [monthly, yearly] = intervals.map((interval) => plan.prices.find((price) => price.interval === interval))
      expect(Number(yearly?.amountMinor)).toBeLessThan(12 * Number(monthly?.amountMinor))
    }
  }
})

test('filters select prices', () => {
  expect(plansFor({ currency: 'USD', interval: 'yearly' }).find(({ code }) => code === 'growth')?.prices).toEqual([
    { currency: 'USD', interval: 'yearly', amountMinor: 20_000n },
  ])
  expect(packagesFor({ currency: 'NGN' }, true).map(({ name, prices }) => [name, prices.length])).toEqual([
    ['500 credits', 1],
  ])
})

test('every billable action is listed in exactly one section', () => {
  const listed = costSections().flatMap(({ actions }) => actions.map(({ action }) => action))
  expect(listed.sort()).toEqual(Object.keys(costs).sort())
})
