import Type, { type TSchema } from 'typebox'
import type { HomeTax } from '../../kernel/exchange-rate.ts'
import type { Invoice } from '../../modules/invoices/index.ts'
import { Day, Maybe, MinorUnits, means, Named, OneOf } from '../definitions/fields.ts'

/** The rate on a draft. Each form has its own way to write a number. */
export const exchangeRateField = <Number extends TSchema>(number: Number) =>
  Type.Optional(
    means(
      'What one unit of `currency` costs in the currency of your country, such as `1536.25`. Above 0 and below 1,000,000,000, with at most 10 decimals. Without it, a document takes the rate of its day from your exchange rates when it is issued. A note then takes the rate of the document that it corrects. Only for a foreign currency.',
      Maybe(number),
    ),
  )

const HomeTaxView = Named('HomeTax', {
  currency: means('The currency of your country (ISO 4217).', Type.String()),
  taxMinor: means('The tax of the document in this currency, in minor units.', MinorUnits),
  exchangeRate: means(
    'What one unit of the currency of the document costs in this currency, as a decimal number.',
    Type.String(),
  ),
  rateDay: means(
    'The day of the rate: the issue date or one of the 7 days before. A note has the day of the rate of its original.',
    Day,
  ),
  source: means(
    '`entered`: the sender entered the rate on the document. `original`: a note has the rate of the document that it corrects. `table`: it is from your exchange rates.',
    OneOf('entered', 'original', 'table'),
  ),
})

export const ForeignCurrencyView = {
  exchangeRate: means(
    'The exchange rate that was entered on the document, as a decimal number. Null if none was.',
    Maybe(Type.String()),
  ),
  homeTax: means(
    'The tax in the currency of your country, fixed when the document is issued. Null on drafts, in the currency of your country, and if no rate was known.',
    Maybe(HomeTaxView),
  ),
}

export const PlannedHomeTax = means(
  'The tax in the currency of your country, by the rates that are known now. Null in this currency itself, and without a rate.',
  Maybe(HomeTaxView),
)

export const toHomeTax = (tax: HomeTax | null) =>
  tax && {
    currency: tax.currency,
    taxMinor: Number(tax.taxMinor),
    exchangeRate: tax.rate,
    rateDay: tax.day,
    source: tax.source,
  }

export const toForeignCurrency = ({ exchangeRate, homeTax }: Pick<Invoice, 'exchangeRate' | 'homeTax'>) => ({
  exchangeRate,
  homeTax: toHomeTax(homeTax),
})
