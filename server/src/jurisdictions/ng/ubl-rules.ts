import type { UblRules, UblTaxCategory } from '../ubl-rules.ts'

/** Value-added taxes on the authority's list; at zero per cent they are zero-rated. */
const valueAdded = new Set(['STANDARD_VAT', 'REDUCED_VAT', 'ZERO_VAT', 'STANDARD_GST', 'REDUCED_GST', 'ZERO_GST'])

const plain = (code: 'S' | 'Z'): UblTaxCategory => ({ code, reason: null, ownName: null })

/**
 * EN 16931 has one tax, VAT. Another charged tax can only be written as S at its rate, and one that is not charged as
 * exempt. The line names the tax, so that nobody takes it for VAT.
 */
function taxCategory(category: string, isCharged: boolean): UblTaxCategory {
  if (valueAdded.has(category)) return plain(isCharged ? 'S' : 'Z')
  if (isCharged) return { code: 'S', reason: null, ownName: category }
  if (category === 'EXEMPTED') return { code: 'E', reason: 'Exempt from VAT under Nigerian law', ownName: null }
  return { code: 'E', reason: `No VAT: the line is under ${category}, at nil`, ownName: category }
}

/** Nigeria's tax ID of thirteen digits (`NG:TID`) is on the list of address schemes; the older numbers are not. */
const addressScheme = (taxIdType: string, taxId: string): string | null =>
  taxIdType === 'national' && /^\d{13}$/.test(taxId) ? '0244' : null

export const ublRules: UblRules = {
  country: 'NG',
  taxScheme: 'VAT',
  taxRegistrationScheme: 'TAX',
  unnamedBuyer: 'Final consumer',
  notNamedYet: 'Not named yet',
  goodsList: 'HS',
  servicesList: 'ISIC Rev. 4',
  authorityReference: 'Invoice Reference Number (IRN) of the Nigeria Revenue Service',
  taxCategory,
  addressScheme,
}
