import {
  daysThatARateLasts,
  faultsOfHomeTotal,
  type HomeTax,
  homeTaxOf,
  type UsedRate,
} from '../../../kernel/exchange-rate.ts'
import type { Fault } from '../../../kernel/refusals.ts'
import type { Invoice } from '../invoice.ts'

export interface KnownRates {
  /** the document that a note corrects */
  readonly original: Pick<Invoice, 'homeTax'> | undefined
  readonly fromTable: UsedRate | null
}

export interface ForeignTax {
  /** null in the home currency, and if no rate is known */
  readonly homeTax: HomeTax | null
  readonly faults: readonly Fault[]
  readonly advice: readonly Fault[]
}

/** A note takes back or adds tax at the rate of its original, unless it has a rate of its own. */
function usedRate(
  { exchangeRate, issueDate }: Pick<Invoice, 'exchangeRate' | 'issueDate'>,
  { original, fromTable }: KnownRates,
): UsedRate | null {
  if (exchangeRate !== null) return { rate: exchangeRate, day: issueDate, source: 'entered' }
  if (!original?.homeTax) return fromTable
  const { rate, day } = original.homeTax
  return { rate, day, source: 'original' }
}

/**
 * The tax of a document in the home currency. A document without a rate can be issued, with advice: the tax return
 * then asks for the rate of its day.
 */
export function foreignTaxOf(
  invoice: Pick<Invoice, 'currency' | 'issueDate' | 'exchangeRate' | 'taxGroups' | 'payableMinor'>,
  known: KnownRates,
  home: string,
): ForeignTax {
  const { currency, issueDate } = invoice
  if (currency === home) return { homeTax: null, faults: [], advice: [] }
  const used = usedRate(invoice, known)
  if (used) {
    const faults = faultsOfHomeTotal(invoice, used, home)
    return { homeTax: faults.length > 0 ? null : homeTaxOf(invoice, used, home), faults, advice: [] }
  }
  const missing: Fault = {
    path: 'exchangeRate',
    rule: 'rate_missing',
    message: `is not known for ${currency} on ${issueDate} or the ${daysThatARateLasts} days before: enter the rate on the document or in the exchange rates, so that the document shows its tax in ${home}`,
  }
  return { homeTax: null, faults: [], advice: [missing] }
}
