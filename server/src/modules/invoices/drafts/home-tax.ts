import { daysThatARateLasts, type HomeTax, homeTaxOf, type UsedRate } from '../../../kernel/exchange-rate.ts'
import type { Fault } from '../../../kernel/refusals.ts'
import type { Invoice } from '../invoice.ts'

/** The tax of a document in the home currency. Null in the home currency itself, and if no rate is known. */
export function homeTaxIn(
  invoice: Pick<Invoice, 'currency' | 'issueDate' | 'exchangeRate' | 'taxGroups'>,
  fromTable: UsedRate | null,
  home: string,
): HomeTax | null {
  const { currency, issueDate, exchangeRate } = invoice
  if (currency === home) return null
  const used: UsedRate | null =
    exchangeRate === null ? fromTable : { rate: exchangeRate, day: issueDate, source: 'entered' }
  return used && homeTaxOf(invoice, used, home)
}

/** A document without a rate can be issued: the tax return then asks for the rate of its day. */
export const adviceOnRate = (
  { currency, issueDate }: Pick<Invoice, 'currency' | 'issueDate'>,
  homeTax: HomeTax | null,
  home: string,
): Fault[] =>
  currency === home || homeTax !== null
    ? []
    : [
        {
          path: 'exchangeRate',
          rule: 'rate_missing',
          message: `is not known for ${currency} on ${issueDate} or the ${daysThatARateLasts} days before: enter the rate on the document or in the exchange rates, so that the document shows its tax in ${home}`,
        },
      ]
