import { type Decimal, parseDecimal } from '../decimal.ts'
import type { HomeTax } from '../exchange-rate.ts'
import type { Wording } from './wording.ts'

/** The tax of a document in the home currency, with the rate and its day. */
export const homeTaxText = ({ currency, taxMinor, rate, day }: HomeTax, foreign: string, wording: Wording): string =>
  wording.say('tax.in_home', {
    currency,
    amount: wording.money(taxMinor, currency),
    rate: wording.quantity(parseDecimal(rate) as Decimal),
    foreign,
    date: wording.day(day),
  })
