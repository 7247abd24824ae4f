import { type Decimal, decimalText, divideRounded, parseDecimal, tenTo, trimmed } from './decimal.ts'
import { currencyDigits, moneyInWords } from './money-words.ts'
import type { Fault } from './refusals.ts'

/** What one unit of a foreign currency was worth on a day, in units of the home currency. */
export interface ExchangeRate {
  readonly currency: string
  readonly day: string
  /** exact decimal text, such as `1536.25` */
  readonly rate: string
}

/** A rate counts on its day and, if later days have none, on so many days after it: banks publish none on weekends. */
export const daysThatARateLasts = 7

const shifted = ({ units, scale }: Decimal, places: number): Decimal =>
  scale - places >= 0 ? { units, scale: scale - places } : { units: units * tenTo(places - scale), scale: 0 }

/** The rate between the minor units of both currencies, which may have different numbers of decimals. */
export function minorRateOf({ currency, rate }: Pick<ExchangeRate, 'currency' | 'rate'>, home: string): string {
  const exact = parseDecimal(rate) as Decimal
  return decimalText(trimmed(shifted(exact, currencyDigits(home) - currencyDigits(currency))))
}

/** The rate between the units, from that between the minor units. */
export function rateOf(currency: string, minorRate: string, home: string): string {
  const exact = parseDecimal(minorRate) as Decimal
  return decimalText(trimmed(shifted(exact, currencyDigits(currency) - currencyDigits(home))))
}

/** `entered`: on the document itself; `original`: that of the document that a note corrects; `table`: from the table of rates. */
export type RateSource = 'entered' | 'original' | 'table'

/** The rate that converts the tax of one document. */
export interface UsedRate {
  readonly rate: string
  readonly day: string
  readonly source: RateSource
}

/** The tax of a document in the home currency, with its rate. Fixed when the document is issued. */
export interface HomeTax extends UsedRate {
  /** the home currency */
  readonly currency: string
  readonly taxMinor: bigint
}

/** An amount in minor units of the home currency, rounded half away from zero. */
const convertedMinor = (minor: bigint, minorRate: string): bigint => {
  const { units, scale } = parseDecimal(minorRate) as Decimal
  return divideRounded(minor * units, tenTo(scale))
}

/** Each tax group is converted by itself, as in the tax return, so that both give the same sum. */
export function homeTaxOf(
  { currency, taxGroups }: { readonly currency: string; readonly taxGroups: readonly { readonly taxMinor: bigint }[] },
  used: UsedRate,
  home: string,
): HomeTax {
  const minorRate = minorRateOf({ currency, rate: used.rate }, home)
  const taxMinor = taxGroups.reduce((sum, group) => sum + convertedMinor(group.taxMinor, minorRate), 0n)
  return { ...used, currency: home, taxMinor }
}

/** As JSON in the database. The tax return reads `minorRate`. */
export interface StoredHomeTax extends Omit<HomeTax, 'taxMinor'> {
  readonly taxMinor: string
  readonly minorRate: string
}

export const storedHomeTax = (tax: HomeTax, currency: string): StoredHomeTax => ({
  ...tax,
  taxMinor: String(tax.taxMinor),
  minorRate: minorRateOf({ currency, rate: tax.rate }, tax.currency),
})

export const homeTaxFrom = ({ currency, taxMinor, rate, day, source }: StoredHomeTax): HomeTax => ({
  ...{ currency, rate, day, source },
  taxMinor: BigInt(taxMinor),
})

const largestRate = 10n ** 9n

/** The largest total in the home currency, so that every sum of amounts stays exact wherever it is read. */
const largestHomeMinor = 10n ** 15n

/** What is wrong with the rate of a document that is issued with it. */
export function faultsOfHomeTotal(
  { currency, payableMinor }: { readonly currency: string; readonly payableMinor: bigint },
  { rate }: Pick<UsedRate, 'rate'>,
  home: string,
): Fault[] {
  if (convertedMinor(payableMinor, minorRateOf({ currency, rate }, home)) <= largestHomeMinor) return []
  const message = `makes the total larger than ${moneyInWords(largestHomeMinor, home)}, the largest total of a document`
  return [{ path: 'exchangeRate', rule: 'maximum', message }]
}

/** What is wrong with the rate that a document names. */
export function faultsOfRate({ units, scale }: Decimal, currency: string, home: string): Fault[] {
  const fault = (rule: string, message: string): Fault[] => [{ path: 'exchangeRate', rule, message }]
  if (currency === home) return fault('unwanted', `must be left out: the document is in ${home}`)
  if (units <= 0n) return fault('minimum', 'must be above 0')
  if (scale > 10 || units >= largestRate * tenTo(scale))
    return fault('range', 'must be below a thousand million, with at most 10 decimals')
  return []
}
