import { atScale, type Decimal, spelled } from './decimal.ts'
import { type Fault, invalid } from './refusals.ts'

/** ISO 4217 currencies whose minor unit is not a hundredth. */
const otherDigits = new Map<string, number>(
  Object.entries({
    ...{ BIF: 0, CLP: 0, DJF: 0, GNF: 0, ISK: 0, JPY: 0, KMF: 0, KRW: 0, PYG: 0, RWF: 0, UGX: 0, VND: 0, VUV: 0 },
    ...{ XAF: 0, XOF: 0, XPF: 0, BHD: 3, IQD: 3, JOD: 3, KWD: 3, LYD: 3, OMR: 3, TND: 3 },
  }),
)

/** Number of decimals of the currency. */
export const currencyDigits = (currency: string): number => otherDigits.get(currency) ?? 2

/** Minor units as a decimal number of major units. */
export const majorOf = (minor: bigint, currency: string): Decimal => ({ units: minor, scale: currencyDigits(currency) })

/** Minor units of an amount in major units. `undefined` if the currency has fewer decimals. */
export const minorOf = (amount: Decimal, currency: string): bigint | undefined =>
  atScale(amount, currencyDigits(currency))

export const tooManyDecimals = (path: string, currency: string): Fault => ({
  path,
  rule: 'decimals',
  message: `must have at most ${currencyDigits(currency)} decimals`,
})

/** Like `minorOf`, but throws a fault at `path`. */
export function checkedMinor(path: string, amount: Decimal, currency: string): bigint {
  const minor = minorOf(amount, currency)
  if (minor === undefined) throw invalid([tooManyDecimals(path, currency)])
  return minor
}

/** An amount for error messages: `USD 2,096.26`. Callers send major units, so that messages use them too. */
export function moneyInWords(minor: bigint, currency: string): string {
  const [whole = '', fraction] = spelled(minor < 0n ? -minor : minor, currencyDigits(currency)).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return `${currency} ${minor < 0n ? '-' : ''}${grouped}${fraction === undefined ? '' : `.${fraction}`}`
}
