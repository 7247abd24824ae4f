import { invoiceSchema } from '@e-invoice-eu/core'
import { type Rule, rule, ruleOfEach } from './rule.ts'
import { all, cent, counted, type Element, has, magnitude, one, sum, text, value, within } from './tree.ts'

/** The code lists of the standard, as a library that is not ours holds them. */
const lists = invoiceSchema.$defs?.codeLists as unknown as Readonly<Record<string, { enum: readonly string[] }>>
export const isIn = (list: string, code: string | undefined): boolean =>
  code !== undefined && (lists[list] as { enum: readonly string[] }).enum.includes(code)

export const lines = (root: Element) => [...all(root, 'cac:InvoiceLine'), ...all(root, 'cac:CreditNoteLine')]
export const sellerOf = (root: Element) => all(root, 'cac:AccountingSupplierParty/cac:Party')
export const buyerOf = (root: Element) => all(root, 'cac:AccountingCustomerParty/cac:Party')
const totals = (root: Element) => all(root, 'cac:LegalMonetaryTotal')
export const subtotals = (root: Element) => all(root, 'cac:TaxTotal/cac:TaxSubtotal')
const withIndicator = (charge: boolean) => (of: Element) => text(of, 'cbc:ChargeIndicator') === String(charge)
export const adjustments = (root: Element, charge: boolean) =>
  all(root, 'cac:AllowanceCharge').filter(withIndicator(charge))
export const lineAdjustments = (root: Element, charge: boolean) =>
  lines(root).flatMap((line) => adjustments(line, charge))
const references = (root: Element) => all(root, 'cac:AdditionalDocumentReference')
const named = (name: string) => (root: Element) => within(root).filter((element) => element.name === name)
export const amounts = (root: Element) => within(root).filter(({ name }) => name.endsWith('Amount'))
const quantities = (root: Element) => within(root).filter(({ name }) => name.endsWith('Quantity'))
const vatNumbers = (root: Element) =>
  named('cac:PartyTaxScheme')(root).filter((scheme) => text(scheme, 'cac:TaxScheme/cbc:ID') === 'VAT')

const told = (path: string) => (of: Element) => text(of, path).trim() !== ''
const hasReason = (of: Element) => has(of, 'cbc:AllowanceChargeReason') || has(of, 'cbc:AllowanceChargeReasonCode')
const hasVatCategory = (path: string) => (of: Element) =>
  all(of, path).some((category) => text(category, 'cac:TaxScheme/cbc:ID') === 'VAT' && told('cbc:ID')(category))
const orNothing = (of: Element, path: string): bigint => (has(of, path) ? value(of, path) : 0n)
const sumOf = (elements: readonly Element[], path: string): bigint => sum(elements.map((each) => value(each, path)))
const atMost = (decimals: number, paths: readonly string[]) => (of: Element) =>
  paths.every((path) => (text(of, path).split('.')[1] ?? '').length <= decimals)
/** Half up, as XPath rounds. */
const rounded = (of: bigint, step: bigint): bigint => {
  const moved = of + step / 2n
  return moved - (((moved % step) + step) % step)
}

const presence: readonly Rule[] = [
  rule('BR-01', told('cbc:CustomizationID')),
  rule('BR-02', told('cbc:ID')),
  rule('BR-03', told('cbc:IssueDate')),
  rule('BR-04', (root) => told('cbc:InvoiceTypeCode')(root) || told('cbc:CreditNoteTypeCode')(root)),
  rule('BR-05', told('cbc:DocumentCurrencyCode')),
  rule('BR-06', (root) => sellerOf(root).some(told('cac:PartyLegalEntity/cbc:RegistrationName'))),
  rule('BR-07', (root) => buyerOf(root).some(told('cac:PartyLegalEntity/cbc:RegistrationName'))),
  rule('BR-08', (root) => sellerOf(root).some((seller) => has(seller, 'cac:PostalAddress'))),
  ruleOfEach(
    'BR-09',
    (root) => sellerOf(root).flatMap((of) => all(of, 'cac:PostalAddress')),
    told('cac:Country/cbc:IdentificationCode'),
  ),
  rule('BR-10', (root) => buyerOf(root).some((buyer) => has(buyer, 'cac:PostalAddress'))),
  ruleOfEach(
    'BR-11',
    (root) => buyerOf(root).flatMap((of) => all(of, 'cac:PostalAddress')),
    told('cac:Country/cbc:IdentificationCode'),
  ),
  ruleOfEach('BR-12', totals, told('cbc:LineExtensionAmount')),
  ruleOfEach('BR-13', totals, told('cbc:TaxExclusiveAmount')),
  ruleOfEach('BR-14', totals, told('cbc:TaxInclusiveAmount')),
  ruleOfEach('BR-15', totals, told('cbc:PayableAmount')),
  rule('BR-16', (root) => lines(root).length > 0),
  ruleOfEach('BR-21', lines, told('cbc:ID')),
  ruleOfEach('BR-22', lines, (line) => told('cbc:InvoicedQuantity')(line) || told('cbc:CreditedQuantity')(line)),
  ruleOfEach('BR-23', lines, (line) => quantities(line).every(({ attributes }) => attributes.unitCode !== undefined)),
  ruleOfEach('BR-24', lines, told('cbc:LineExtensionAmount')),
  ruleOfEach('BR-25', lines, told('cac:Item/cbc:Name')),
  ruleOfEach('BR-26', lines, told('cac:Price/cbc:PriceAmount')),
  ruleOfEach('BR-27', lines, (line) => orNothing(line, 'cac:Price/cbc:PriceAmount') >= 0n),
  ruleOfEach('BR-31', (root) => adjustments(root, false), told('cbc:Amount')),
  ruleOfEach('BR-32', (root) => adjustments(root, false), hasVatCategory('cac:TaxCategory')),
  ruleOfEach('BR-33', (root) => adjustments(root, false), hasReason),
  ruleOfEach('BR-36', (root) => adjustments(root, true), told('cbc:Amount')),
  ruleOfEach('BR-37', (root) => adjustments(root, true), hasVatCategory('cac:TaxCategory')),
  ruleOfEach('BR-38', (root) => adjustments(root, true), hasReason),
  ruleOfEach('BR-41', (root) => lineAdjustments(root, false), told('cbc:Amount')),
  ruleOfEach('BR-42', (root) => lineAdjustments(root, false), hasReason),
  ruleOfEach('BR-43', (root) => lineAdjustments(root, true), told('cbc:Amount')),
  ruleOfEach('BR-44', (root) => lineAdjustments(root, true), hasReason),
  ruleOfEach('BR-45', subtotals, told('cbc:TaxableAmount')),
  ruleOfEach('BR-46', subtotals, told('cbc:TaxAmount')),
  ruleOfEach('BR-47', subtotals, hasVatCategory('cac:TaxCategory')),
  ruleOfEach('BR-48', subtotals, told('cac:TaxCategory/cbc:Percent')),
  ruleOfEach('BR-49', named('cac:PaymentMeans'), told('cbc:PaymentMeansCode')),
  ruleOfEach('BR-50', named('cac:PayeeFinancialAccount'), told('cbc:ID')),
  ruleOfEach('BR-52', references, told('cbc:ID')),
  ruleOfEach('BR-54', named('cac:AdditionalItemProperty'), (of) => told('cbc:Name')(of) && told('cbc:Value')(of)),
  ruleOfEach('BR-55', named('cac:BillingReference'), told('cac:InvoiceDocumentReference/cbc:ID')),
  ruleOfEach(
    'BR-61',
    named('cac:PaymentMeans'),
    (means) =>
      !['30', '58'].includes(text(means, 'cbc:PaymentMeansCode')) || told('cac:PayeeFinancialAccount/cbc:ID')(means),
  ),
  ruleOfEach(
    'BR-62',
    (root) => sellerOf(root).flatMap((of) => all(of, 'cbc:EndpointID')),
    ({ attributes }) => 'schemeID' in attributes,
  ),
  ruleOfEach(
    'BR-63',
    (root) => buyerOf(root).flatMap((of) => all(of, 'cbc:EndpointID')),
    ({ attributes }) => 'schemeID' in attributes,
  ),
  ruleOfEach('BR-65', named('cbc:ItemClassificationCode'), ({ attributes }) => 'listID' in attributes),
  ruleOfEach(
    'UBL-SR-43',
    references,
    (of) => !has(of, 'cbc:DocumentTypeCode') || text(of, 'cbc:DocumentTypeCode') === '130',
  ),
]

const arithmetic: readonly Rule[] = [
  ruleOfEach('BR-CO-04', lines, hasVatCategory('cac:Item/cac:ClassifiedTaxCategory')),
  // Greece may write EL.
  ruleOfEach(
    'BR-CO-09',
    vatNumbers,
    (scheme) => /^EL/.test(text(scheme, 'cbc:CompanyID')) || isIn('ISO3166', text(scheme, 'cbc:CompanyID').slice(0, 2)),
  ),
  ruleOfEach(
    'BR-CO-10',
    totals,
    (total, root) => value(total, 'cbc:LineExtensionAmount') === sumOf(lines(root), 'cbc:LineExtensionAmount'),
  ),
  ruleOfEach(
    'BR-CO-11',
    totals,
    (total, root) => orNothing(total, 'cbc:AllowanceTotalAmount') === sumOf(adjustments(root, false), 'cbc:Amount'),
  ),
  ruleOfEach(
    'BR-CO-12',
    totals,
    (total, root) => orNothing(total, 'cbc:ChargeTotalAmount') === sumOf(adjustments(root, true), 'cbc:Amount'),
  ),
  ruleOfEach(
    'BR-CO-13',
    totals,
    (total) =>
      value(total, 'cbc:TaxExclusiveAmount') ===
      value(total, 'cbc:LineExtensionAmount') -
        orNothing(total, 'cbc:AllowanceTotalAmount') +
        orNothing(total, 'cbc:ChargeTotalAmount'),
  ),
  ruleOfEach(
    'BR-CO-14',
    (root) => all(root, 'cac:TaxTotal'),
    (total) => value(total, 'cbc:TaxAmount') === sumOf(all(total, 'cac:TaxSubtotal'), 'cbc:TaxAmount'),
  ),
  ruleOfEach(
    'BR-CO-15',
    totals,
    (total, root) =>
      value(total, 'cbc:TaxInclusiveAmount') ===
      value(total, 'cbc:TaxExclusiveAmount') + value(root, 'cac:TaxTotal/cbc:TaxAmount'),
  ),
  ruleOfEach(
    'BR-CO-16',
    totals,
    (total) =>
      value(total, 'cbc:PayableAmount') ===
      value(total, 'cbc:TaxInclusiveAmount') -
        orNothing(total, 'cbc:PrepaidAmount') +
        orNothing(total, 'cbc:PayableRoundingAmount'),
  ),
  ruleOfEach('BR-CO-17', subtotals, (subtotal) => {
    const [percent, tax] = [value(subtotal, 'cac:TaxCategory/cbc:Percent'), value(subtotal, 'cbc:TaxAmount')]
    if (rounded(percent, one) === 0n) return rounded(tax, one) === 0n
    const due = rounded((magnitude(value(subtotal, 'cbc:TaxableAmount')) * percent) / (100n * one), cent)
    return magnitude(magnitude(tax) - due) < one
  }),
  rule('BR-CO-18', (root) => subtotals(root).length > 0),
  ruleOfEach('BR-CO-21', (root) => adjustments(root, false), hasReason),
  ruleOfEach('BR-CO-22', (root) => adjustments(root, true), hasReason),
  ruleOfEach('BR-CO-23', (root) => lineAdjustments(root, false), hasReason),
  ruleOfEach('BR-CO-24', (root) => lineAdjustments(root, true), hasReason),
  rule(
    'BR-CO-25',
    (root) =>
      root.name !== 'Invoice' ||
      value(root, 'cac:LegalMonetaryTotal/cbc:PayableAmount') <= 0n ||
      has(root, 'cbc:DueDate') ||
      told('cac:PaymentTerms/cbc:Note')(root),
  ),
  ruleOfEach(
    'BR-CO-26',
    sellerOf,
    (seller) =>
      has(seller, 'cac:PartyIdentification/cbc:ID') ||
      has(seller, 'cac:PartyLegalEntity/cbc:CompanyID') ||
      vatNumbers(seller).length > 0,
  ),
]

const twoDecimals = (id: string, contexts: (root: Element) => readonly Element[], ...paths: string[]): Rule =>
  ruleOfEach(id, contexts, atMost(2, paths))

const decimals: readonly Rule[] = [
  twoDecimals('BR-DEC-01', (root) => adjustments(root, false), 'cbc:Amount'),
  twoDecimals('BR-DEC-05', (root) => adjustments(root, true), 'cbc:Amount'),
  twoDecimals('BR-DEC-09', totals, 'cbc:LineExtensionAmount'),
  twoDecimals('BR-DEC-10', totals, 'cbc:AllowanceTotalAmount'),
  twoDecimals('BR-DEC-11', totals, 'cbc:ChargeTotalAmount'),
  twoDecimals('BR-DEC-12', totals, 'cbc:TaxExclusiveAmount'),
  twoDecimals('BR-DEC-13', (root) => all(root, 'cac:TaxTotal'), 'cbc:TaxAmount'),
  twoDecimals('BR-DEC-14', totals, 'cbc:TaxInclusiveAmount'),
  twoDecimals('BR-DEC-16', totals, 'cbc:PrepaidAmount'),
  twoDecimals('BR-DEC-17', totals, 'cbc:PayableRoundingAmount'),
  twoDecimals('BR-DEC-18', totals, 'cbc:PayableAmount'),
  twoDecimals('BR-DEC-19', subtotals, 'cbc:TaxableAmount'),
  twoDecimals('BR-DEC-20', subtotals, 'cbc:TaxAmount'),
  twoDecimals('BR-DEC-23', lines, 'cbc:LineExtensionAmount'),
  twoDecimals('BR-DEC-24', (root) => lineAdjustments(root, false), 'cbc:Amount'),
  twoDecimals('BR-DEC-27', (root) => lineAdjustments(root, true), 'cbc:Amount'),
]

const codes: readonly Rule[] = [
  rule('BR-CL-01', (root) =>
    root.name === 'Invoice'
      ? isIn('UNCL1001-inv', text(root, 'cbc:InvoiceTypeCode'))
      : isIn('UNCL1001-cn', text(root, 'cbc:CreditNoteTypeCode')),
  ),
  ruleOfEach('BR-CL-03', amounts, ({ attributes }) => isIn('ISO4217', attributes.currencyID)),
  rule('BR-CL-04', (root) => isIn('ISO4217', text(root, 'cbc:DocumentCurrencyCode'))),
  // No note of ours has a subject, so nothing in it may look like the code of one.
  rule(
    'BR-CL-08',
    (root) =>
      [...(text(root, 'cbc:Note').split('#')[1] ?? '')].length !== 3 || text(root, 'cbc:Note').split('#').length < 3,
  ),
  ruleOfEach('BR-CL-10', named('cac:PartyIdentification'), (of) =>
    all(of, 'cbc:ID').every(({ attributes }) => !('schemeID' in attributes) || isIn('ICD', attributes.schemeID)),
  ),
  ruleOfEach('BR-CL-11', named('cac:PartyLegalEntity'), (of) =>
    all(of, 'cbc:CompanyID').every(({ attributes }) => !('schemeID' in attributes) || isIn('ICD', attributes.schemeID)),
  ),
  ruleOfEach('BR-CL-13', named('cbc:ItemClassificationCode'), ({ attributes }) => isIn('UNCL7143', attributes.listID)),
  ruleOfEach('BR-CL-14', named('cac:Country'), (of) => isIn('ISO3166', text(of, 'cbc:IdentificationCode'))),
  ruleOfEach('BR-CL-16', named('cac:PaymentMeans'), (of) => isIn('UNCL4461', text(of, 'cbc:PaymentMeansCode'))),
  ruleOfEach('BR-CL-17', named('cac:TaxCategory'), (of) => isIn('UNCL5305', text(of, 'cbc:ID'))),
  ruleOfEach('BR-CL-18', named('cac:ClassifiedTaxCategory'), (of) => isIn('UNCL5305', text(of, 'cbc:ID'))),
  ruleOfEach(
    'BR-CL-19',
    (root) => [...adjustments(root, false), ...lineAdjustments(root, false)],
    (of) => !has(of, 'cbc:AllowanceChargeReasonCode') || isIn('UNCL5189', text(of, 'cbc:AllowanceChargeReasonCode')),
  ),
  ruleOfEach(
    'BR-CL-20',
    (root) => [...adjustments(root, true), ...lineAdjustments(root, true)],
    (of) => !has(of, 'cbc:AllowanceChargeReasonCode') || isIn('UNCL7161', text(of, 'cbc:AllowanceChargeReasonCode')),
  ),
  ruleOfEach('BR-CL-22', named('cbc:TaxExemptionReasonCode'), ({ text: code }) => isIn('vatex', code)),
  ruleOfEach('BR-CL-23', quantities, ({ attributes }) => isIn('UNECERec20', attributes.unitCode)),
  ruleOfEach(
    'BR-CL-25',
    named('cbc:EndpointID'),
    // The library's list is older than the scheme of Nigeria, which v1.3.16 of the standard's rules knows.
    ({ attributes }) => attributes.schemeID === '0244' || isIn('eas', attributes.schemeID),
  ),
]

/** Every number is one, or the others would not have been checked. */
const numbers = ruleOfEach(
  'UBL-DT-01',
  (root) => [...amounts(root), ...quantities(root)],
  ({ text: number }) => {
    counted(number)
    return /^-?\d+(\.\d+)?$/.test(number)
  },
)

export const coreRules: readonly Rule[] = [...presence, ...arithmetic, ...decimals, ...codes, numbers]
