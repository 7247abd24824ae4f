import type { UblRules, UblTaxCategory } from '../../../jurisdictions/ubl-rules.ts'
import type { Decimal } from '../../../kernel/decimal.ts'
import { decimalText } from '../../../kernel/decimal.ts'
import type { InvoiceDocument } from '../../../kernel/invoice-document.ts'
import { amount, around, optional } from './xml.ts'

export interface UblTaxGroup {
  readonly code: UblTaxCategory['code']
  readonly percent: string
  readonly reasons: Set<string>
  allowanceMinor: bigint
  chargeMinor: bigint
  taxableMinor: bigint
  taxMinor: bigint
}

export const categoryOf = (category: string, rate: Decimal, rules: UblRules): UblTaxCategory =>
  rules.taxCategory(category, rate.units > 0n)

/** Merges groups that the standard cannot distinguish: it allows one breakdown for each code and rate. */
export function ublTaxGroups({ taxGroups }: InvoiceDocument, rules: UblRules): UblTaxGroup[] {
  const groups = new Map<string, UblTaxGroup>()
  for (const group of taxGroups) {
    const { code, reason } = categoryOf(group.category, group.rate, rules)
    const percent = decimalText(group.rate)
    const key = `${code} ${percent}`
    const empty = { allowanceMinor: 0n, chargeMinor: 0n, taxableMinor: 0n, taxMinor: 0n }
    const into = groups.get(key) ?? { code, percent, reasons: new Set<string>(), ...empty }
    if (reason !== null) into.reasons.add(reason)
    into.allowanceMinor += group.allowanceMinor
    into.chargeMinor += group.chargeMinor
    into.taxableMinor += group.taxableMinor
    into.taxMinor += group.taxMinor
    groups.set(key, into)
  }
  return [...groups.values()]
}

interface UblCategory {
  readonly code: string
  readonly percent: string
  readonly reason?: string
}

export const taxCategory = (name: string, { code, percent, reason }: UblCategory, rules: UblRules): string =>
  `<${name}><cbc:ID>${code}</cbc:ID><cbc:Percent>${percent}</cbc:Percent>${optional('cbc:TaxExemptionReason', reason)}<cac:TaxScheme><cbc:ID>${rules.taxScheme}</cbc:ID></cac:TaxScheme></${name}>`

interface Adjustment {
  readonly isCharge: boolean
  readonly reason: string
  /** UNCL5189 for allowances */
  readonly reasonCode?: string
}
/** UNCL5189, 95: discount. */
export const discount: Adjustment = { isCharge: false, reason: 'Discount', reasonCode: '95' }
export const fee: Adjustment = { isCharge: true, reason: 'Fee' }
const surcharge: Adjustment = { isCharge: true, reason: 'Charge' }

/** Writes no element for zero, because an allowance of zero says nothing. */
export function allowanceOrCharge(
  { isCharge, reason, reasonCode }: Adjustment,
  minor: bigint,
  currency: string,
  inner = '',
): string {
  if (minor === 0n) return ''
  return `<cac:AllowanceCharge><cbc:ChargeIndicator>${isCharge}</cbc:ChargeIndicator>${optional('cbc:AllowanceChargeReasonCode', reasonCode)}<cbc:AllowanceChargeReason>${reason}</cbc:AllowanceChargeReason>${amount('cbc:Amount', minor, currency)}${inner}</cac:AllowanceCharge>`
}

/** The document's allowance and charge, one for each tax group that has a share. */
export const documentAdjustments = (groups: readonly UblTaxGroup[], currency: string, rules: UblRules): string =>
  groups
    .map((group) => {
      const category = taxCategory('cac:TaxCategory', { code: group.code, percent: group.percent }, rules)
      return (
        allowanceOrCharge(discount, group.allowanceMinor, currency, category) +
        allowanceOrCharge(surcharge, group.chargeMinor, currency, category)
      )
    })
    .join('')

export function taxTotal(groups: readonly UblTaxGroup[], taxMinor: bigint, currency: string, rules: UblRules): string {
  const subtotals = groups.map(({ code, percent, reasons, taxableMinor, taxMinor: ofGroup }) =>
    around(
      'cac:TaxSubtotal',
      amount('cbc:TaxableAmount', taxableMinor, currency) +
        amount('cbc:TaxAmount', ofGroup, currency) +
        taxCategory('cac:TaxCategory', { code, percent, reason: [...reasons].join('; ') }, rules),
    ),
  )
  return around('cac:TaxTotal', amount('cbc:TaxAmount', taxMinor, currency) + subtotals.join(''))
}
