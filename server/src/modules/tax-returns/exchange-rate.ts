import { type Decimal, decimalText, parseDecimal, tenTo, trimmed } from '../../kernel/decimal.ts'
import { currencyDigits } from '../../kernel/money-words.ts'

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
