import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const intervals = ['monthly', 'yearly'] as const
export type Interval = (typeof intervals)[number]
/** ISO 4217 */
export type Currency = string

export interface Price {
  readonly currency: Currency
  readonly amountMinor: bigint
}

export interface PlanPrice extends Price {
  readonly interval: Interval
}

/** The lines of `prices.tsv` below its header: plan or package, interval of a plan, currency, minor units. */
const rows = readFileSync(join(import.meta.dirname, 'prices.tsv'), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t') as [product: string, interval: string, currency: string, minor: string])

const pricesOf = (product: string) =>
  rows
    .filter(([of]) => of === product)
    .map(([, interval, currency, minor]) => ({ interval, currency, amountMinor: BigInt(minor) }))

export const planPrices = (code: string): PlanPrice[] =>
  pricesOf(code).map((price) => ({ ...price, interval: price.interval as Interval }))

export const packagePrices = (id: string): Price[] =>
  pricesOf(id).map(({ currency, amountMinor }) => ({ currency, amountMinor }))

/** Every currency that something has a price in. */
export const currencies: readonly Currency[] = [...new Set(rows.map(([, , currency]) => currency))]

/** Where the days of billing begin: the place of the operator, who sells to all countries. */
export const billingZone = 'Africa/Lagos'
