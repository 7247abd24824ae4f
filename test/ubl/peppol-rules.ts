import { adjustments, amounts, buyerOf, isIn, lineAdjustments, lines, sellerOf, subtotals } from './core-rules.ts'
import { type Rule, rule, ruleOfEach } from './rule.ts'
import { all, cent, type Element, has, magnitude, one, sum, text, value, within } from './tree.ts'

const id = (name: string): string => `PEPPOL-EN16931-${name}`
const startsWith = (root: Element, path: string, start: string): boolean => text(root, path).startsWith(start)

/** The types of billing process 01, which are fewer than the standard has. */
const invoiceTypes =
  '71 80 82 84 102 218 219 326 331 380 382 383 384 386 388 393 395 553 575 623 780 817 870 875 876 877'.split(' ')
const creditNoteTypes = '381 396 81 83 532'.split(' ')

/** Peppol's own list is shorter than the standard's: no e-mail, for one. */
const isPeppolScheme = (scheme: string | undefined): boolean => isIn('eas', scheme) && /^\d{4}$/.test(scheme as string)

const dates = (root: Element) => within(root).filter(({ name }) => name.endsWith('Date'))
const isDay = (day: string): boolean => /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day))

const anyAdjustments = (root: Element) =>
  [true, false].flatMap((charge) => [...adjustments(root, charge), ...lineAdjustments(root, charge)])

const sumOfAmounts = (elements: readonly Element[]): bigint => sum(elements.map((each) => value(each, 'cbc:Amount')))

/** Which category each of the union's exemption codes belongs to. */
const exemptionRules: readonly Rule[] = Object.entries({
  P0104: 'G',
  P0105: 'O',
  P0106: 'IC K',
  P0107: 'AE',
  P0108: 'D E',
  P0109: 'F E',
  P0110: 'I E',
  P0111: 'J E',
}).map(([name, pair]) => {
  const [code, category = code] = pair.split(' ')
  return ruleOfEach(id(name), subtotals, (subtotal) => {
    const told = text(subtotal, 'cac:TaxCategory/cbc:TaxExemptionReasonCode').toUpperCase()
    return told !== `VATEX-EU-${code}` || text(subtotal, 'cac:TaxCategory/cbc:ID') === category
  })
})

export const peppolRules: readonly Rule[] = [
  rule(id('R001'), (root) => has(root, 'cbc:ProfileID')),
  rule(id('R002'), (root) => all(root, 'cbc:Note').length <= 1),
  rule(id('R003'), (root) => has(root, 'cbc:BuyerReference') || has(root, 'cac:OrderReference/cbc:ID')),
  rule(id('R004'), (root) =>
    startsWith(
      root,
      'cbc:CustomizationID',
      'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0',
    ),
  ),
  rule(id('R007'), (root) => /^urn:fdc:peppol\.eu:2017:poacc:billing:\d\d:1\.0$/.test(text(root, 'cbc:ProfileID'))),
  ruleOfEach(id('R010'), buyerOf, (buyer) => has(buyer, 'cbc:EndpointID')),
  ruleOfEach(id('R020'), sellerOf, (seller) => has(seller, 'cbc:EndpointID')),
  ruleOfEach(id('R041'), anyAdjustments, (of) => !has(of, 'cbc:MultiplierFactorNumeric') || has(of, 'cbc:BaseAmount')),
  ruleOfEach(id('R042'), anyAdjustments, (of) => !has(of, 'cbc:BaseAmount') || has(of, 'cbc:MultiplierFactorNumeric')),
  ruleOfEach(
    id('R043'),
    (root) => within(root).filter(({ name }) => name === 'cac:AllowanceCharge'),
    (of) => ['true', 'false'].includes(text(of, 'cbc:ChargeIndicator')),
  ),
  ruleOfEach(
    id('R051'),
    amounts,
    ({ attributes }, root) => attributes.currencyID === text(root, 'cbc:DocumentCurrencyCode'),
  ),
  rule(id('R053'), (root) => all(root, 'cac:TaxTotal').filter((total) => has(total, 'cac:TaxSubtotal')).length === 1),
  rule(id('R054'), (root) => all(root, 'cac:TaxTotal').every((total) => has(total, 'cac:TaxSubtotal'))),
  ruleOfEach(id('R120'), lines, (line) => {
    const quantity = text(line, 'cbc:InvoicedQuantity')
      ? value(line, 'cbc:InvoicedQuantity')
      : value(line, 'cbc:CreditedQuantity')
    const gross = (quantity * value(line, 'cac:Price/cbc:PriceAmount')) / one
    const due = gross + sumOfAmounts(adjustments(line, true)) - sumOfAmounts(adjustments(line, false))
    return magnitude(value(line, 'cbc:LineExtensionAmount') - due) <= 2n * cent
  }),
  ruleOfEach(
    id('R121'),
    lines,
    (line) => !has(line, 'cac:Price/cbc:BaseQuantity') || value(line, 'cac:Price/cbc:BaseQuantity') > 0n,
  ),
  ruleOfEach(id('F001'), dates, ({ text: day }) => isDay(day)),
  rule(id('P0100'), (root) => root.name !== 'Invoice' || invoiceTypes.includes(text(root, 'cbc:InvoiceTypeCode'))),
  rule(
    id('P0101'),
    (root) => root.name !== 'CreditNote' || creditNoteTypes.includes(text(root, 'cbc:CreditNoteTypeCode')),
  ),
  // 326 and 384 are for German parties.
  rule(id('P0112'), (root) => !['326', '384'].includes(text(root, 'cbc:InvoiceTypeCode'))),
  ruleOfEach(
    id('CL002'),
    (root) => anyAdjustments(root).filter((of) => text(of, 'cbc:ChargeIndicator') === 'false'),
    (of) => !has(of, 'cbc:AllowanceChargeReasonCode') || isIn('UNCL5189', text(of, 'cbc:AllowanceChargeReasonCode')),
  ),
  ruleOfEach(
    id('CL003'),
    (root) => anyAdjustments(root).filter((of) => text(of, 'cbc:ChargeIndicator') === 'true'),
    (of) => !has(of, 'cbc:AllowanceChargeReasonCode') || isIn('UNCL7161', text(of, 'cbc:AllowanceChargeReasonCode')),
  ),
  ruleOfEach(id('CL007'), amounts, ({ attributes }) => isIn('ISO4217', attributes.currencyID)),
  ruleOfEach(
    id('CL008'),
    (root) => within(root).filter(({ name }) => name === 'cbc:EndpointID'),
    ({ attributes }) => isPeppolScheme(attributes.schemeID),
  ),
  ...exemptionRules,
]
