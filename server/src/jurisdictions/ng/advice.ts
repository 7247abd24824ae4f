import { type InvoiceDocument, supplyDay } from '../../kernel/invoice-document.ts'
import type { Fault } from '../../kernel/refusals.ts'
import type { ListsInForce } from '../port.ts'
import { suggestedTaxCategory } from './tax-treatment.ts'

/** The Nigeria Tax Act 2025 applies from this day. */
const actFrom = '2026-01-01'

/**
 * Advice: what the law requires although the authority signs without it, and likely slips. Advice blocks nothing,
 * because a business may have reasons that no list knows.
 */
export function adviceOn(
  document: InvoiceDocument,
  lists: ListsInForce,
  { today }: { readonly today: string },
): Fault[] {
  const day = supplyDay(document) ?? document.issueDate
  return [
    ...adviceOnIdentity(document, day),
    ...adviceOnSupply(document, today),
    ...adviceOnTaxes(document, day, lists),
  ]
}

/** s. 153: a VAT invoice shows the supplier's VAT registration number, which differs from the tax number. */
function adviceOnIdentity({ type, seller }: InvoiceDocument, day: string): Fault[] {
  if (day < actFrom || type === 'credit_note' || !seller || seller.registrationNumber?.trim()) return []
  const message = 'should be on a VAT invoice (Nigeria Tax Act 2025, s. 153): add it to the seller'
  return [{ path: 'seller.registrationNumber', rule: 'law.registration_number', message }]
}

/** s. 153 also requires the date of supply. Without one, the day of issue is shown. */
function adviceOnSupply({ type, supplyDate }: InvoiceDocument, today: string): Fault[] {
  if (supplyDate === null || supplyDate <= today || type === 'prepayment') return []
  const message = `should not be after today, ${today}: use a prepayment invoice for what you supply later`
  return [{ path: 'supplyDate', rule: 'law.supply_date', message }]
}

/** VAT categories that are easily confused. A seller who charges another tax does so on purpose. */
const mistakable: ReadonlySet<string> = new Set(['STANDARD_VAT', 'ZERO_VAT', 'EXEMPTED'])

function adviceOnTaxes({ type, lines }: InvoiceDocument, day: string, lists: ListsInForce): Fault[] {
  // A note has the tax of its original.
  if (type === 'credit_note' || type === 'debit_note') return []
  return lines.flatMap((line, at) => {
    const suggested = suggestedTaxCategory(line, day, lists)
    if (!suggested || !mistakable.has(line.taxCategory) || line.taxCategory === suggested.taxCategory) return []
    const is = suggested.taxCategory === 'ZERO_VAT' ? 'zero-rated' : 'exempt'
    const law = day >= actFrom ? ' (Nigeria Tax Act 2025, ss. 186–187)' : ''
    const message = `should be ${suggested.taxCategory}: on ${day} this code is ${is} as ${suggested.group.toLowerCase()}${law}`
    return [{ path: `lineItems[${at}].taxCategory`, rule: 'law.tax_category', message }]
  })
}
