import type { Jurisdiction } from '../../jurisdictions/port.ts'
import type { PublicCaller } from '../../kernel/callers.ts'
import { businessDay } from '../../kernel/days.ts'
import { currencyDigits } from '../../kernel/money-words.ts'
import { type Outside, reading } from '../../platform/operations/operation.ts'
import type { CodeLists } from './code-lists.ts'

/** The usual tax categories with their rates today. The default one comes first. */
function usualTaxes(jurisdiction: Jurisdiction, codeLists: Pick<CodeLists, 'list'>, today: string) {
  const { country, taxCategoryAliases, taxLabels, taxRateOn, ublRules } = jurisdiction
  const { standard, zero, exempt } = taxCategoryAliases
  return [...new Set([standard, zero, exempt])].map((code) => {
    const label = taxLabels[code] ?? codeLists.list(country, 'tax-categories').find(code)?.name ?? code
    const rate = taxRateOn(code, today) ?? null
    const isExempt = ublRules.taxCategory(code, Number(rate) !== 0).code === 'E'
    return { code, label, rate: isExempt ? null : rate }
  })
}

/** What a program needs to know about each country: its currencies, kinds, defaults and words. */
export const listJurisdictions = reading(
  { needs: [], refuses: [] },
  async ({ ports, now }: Outside<PublicCaller>, _: undefined) =>
    ports.jurisdictions.all.map((jurisdiction) => ({
      country: jurisdiction.country,
      currency: jurisdiction.currency,
      currencies: jurisdiction.invoiceCurrencies.map((code) => ({ code, decimals: currencyDigits(code) })),
      zone: jurisdiction.zone,
      invoiceKinds: jurisdiction.invoiceKinds,
      taxIdTypes: jurisdiction.taxIds.types,
      taxCategories: usualTaxes(jurisdiction, ports.codeLists, businessDay(now, jurisdiction.zone)),
      words: jurisdiction.words,
      connections: jurisdiction.connections,
    })),
)
