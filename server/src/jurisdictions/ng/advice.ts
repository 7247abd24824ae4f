import { type InvoiceDocument, supplyDay } from '../../kernel/invoice-document.ts'
import type { Fault } from '../../kernel/refusals.ts'
import type { ListsInForce } from '../port.ts'
import { suggestedTaxCategory } from './tax-treatment.ts'

/** The Nigeria Tax Act 2025 counts from this day on. */
const actFrom = '2026-01-01'

/**
 * What the law asks of a document although the authority signs it without, and what looks like a slip. It stands in nobody's way: a
 * business may have reasons that no list knows.
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

/** s. 153: a VAT invoice shows the supplier's registration number, which is another one than the tax number. */
function adviceOnIdentity({ type, seller }: InvoiceDocument, day: string): Fault[] {
  if (day < actFrom || type === 'credit_note' || !seller || seller.registrationNumber?.trim()) return []
  const message = 'should be on a VAT invoice (Nigeria Tax Act 2025, s. 153): add it to the seller'
  return [{ path: 'seller.registrationNumber', rule: 'law.registration_number', message }]
}

/** s. 153 wants the date of supply too. Where none is named it is the day of issue, and that is shown. */
function adviceOnSupply({ type, supplyDate }: InvoiceDocument, today: string): Fault[] {
  if (supplyDate === null || supplyDate <= today || type === 'prepayment') return []
  const message = `should not be after today, ${today}: what is still to be supplied is asked for by a prepayment`
  return [{ path: 'supplyDate', rule: 'law.supply_date', message }]
}

/** The categories of VAT that are taken for one another; who charges another tax knows why. */
const mistakable: ReadonlySet<string> = new Set(['STANDARD_VAT', 'ZERO_VAT', 'EXEMPTED'])

function adviceOnTaxes({ type, lines }: InvoiceDocument, day: string, lists: ListsInForce): Fault[] {
  // A note is taxed as what it corrects was.
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
