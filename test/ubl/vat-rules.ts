import { adjustments, lines, sellerOf, subtotals } from './core-rules.ts'
import { type Rule, rule, ruleOfEach } from './rule.ts'
import { all, cent, type Element, has, magnitude, one, sum, text, value } from './tree.ts'

const lineCategory = 'cac:Item/cac:ClassifiedTaxCategory'
const categoryOfLine = (line: Element) => all(line, lineCategory)[0] as Element
const categoryIn = (of: Element) => all(of, 'cac:TaxCategory')[0] as Element

const isOf = (code: string, category: Element): boolean => text(category, 'cbc:ID') === code
const hasTaxNumber = (root: Element): boolean =>
  sellerOf(root).some((seller) => has(seller, 'cac:PartyTaxScheme/cbc:CompanyID'))
const percentOf = (category: Element): bigint => value(category, 'cbc:Percent')

const linesOf = (root: Element, code: string) => lines(root).filter((line) => isOf(code, categoryOfLine(line)))
const adjustmentsOf = (root: Element, charge: boolean, code: string) =>
  adjustments(root, charge).filter((each) => isOf(code, categoryIn(each)))
const subtotalsOf = (root: Element, code: string) => subtotals(root).filter((each) => isOf(code, categoryIn(each)))

/** What the lines, allowances and charges of a category come to, at one rate where a rate is given. */
function base(root: Element, code: string, rate?: bigint): bigint {
  const at = (category: Element) => rate === undefined || percentOf(category) === rate
  const taken = (charge: boolean) =>
    sum(
      adjustmentsOf(root, charge, code)
        .filter((each) => at(categoryIn(each)))
        .map((each) => value(each, 'cbc:Amount')),
    )
  const net = sum(
    linesOf(root, code)
      .filter((line) => at(categoryOfLine(line)))
      .map((line) => value(line, 'cbc:LineExtensionAmount')),
  )
  return net + taken(true) - taken(false)
}

const isUsed = (root: Element, code: string): boolean =>
  linesOf(root, code).length + adjustmentsOf(root, false, code).length + adjustmentsOf(root, true, code).length > 0

/** What the categories have in common: BR-S-01 to -07, BR-Z-01 to -07 and BR-E-01 to -07. */
function rulesOf(code: 'S' | 'Z' | 'E', isRate: (percent: bigint) => boolean): Rule[] {
  const id = (number: string) => `BR-${code}-${number}`
  const needsNumber = (used: (root: Element) => boolean) => (root: Element) => !used(root) || hasTaxNumber(root)
  return [
    rule(id('01'), (root) => {
      const count = subtotalsOf(root, code).length
      if (!isUsed(root, code)) return count === 0
      return code === 'S' ? count > 0 : count === 1
    }),
    rule(
      id('02'),
      needsNumber((root) => linesOf(root, code).length > 0),
    ),
    rule(
      id('03'),
      needsNumber((root) => adjustmentsOf(root, false, code).length > 0),
    ),
    rule(
      id('04'),
      needsNumber((root) => adjustmentsOf(root, true, code).length > 0),
    ),
    ruleOfEach(
      id('05'),
      (root) => linesOf(root, code),
      (line) => isRate(percentOf(categoryOfLine(line))),
    ),
    ruleOfEach(
      id('06'),
      (root) => adjustmentsOf(root, false, code),
      (each) => isRate(percentOf(categoryIn(each))),
    ),
    ruleOfEach(
      id('07'),
      (root) => adjustmentsOf(root, true, code),
      (each) => isRate(percentOf(categoryIn(each))),
    ),
  ]
}

const hasReason = (subtotal: Element): boolean =>
  has(subtotal, 'cac:TaxCategory/cbc:TaxExemptionReason') || has(subtotal, 'cac:TaxCategory/cbc:TaxExemptionReasonCode')

/** Of a category that charges nothing. */
const untaxedRules = (code: 'Z' | 'E'): Rule[] => [
  ...rulesOf(code, (percent) => percent === 0n),
  ruleOfEach(
    `BR-${code}-08`,
    (root) => subtotalsOf(root, code),
    (subtotal, root) => value(subtotal, 'cbc:TaxableAmount') === base(root, code),
  ),
  ruleOfEach(
    `BR-${code}-09`,
    (root) => subtotalsOf(root, code),
    (subtotal) => value(subtotal, 'cbc:TaxAmount') === 0n,
  ),
  ruleOfEach(
    `BR-${code}-10`,
    (root) => subtotalsOf(root, code),
    (subtotal) => hasReason(subtotal) === (code === 'E'),
  ),
]

export const vatRules: readonly Rule[] = [
  ...rulesOf('S', (percent) => percent > 0n),
  // The published rule lets one unit of the currency pass; we are exact.
  ruleOfEach(
    'BR-S-08',
    (root) => subtotalsOf(root, 'S'),
    (subtotal, root) => value(subtotal, 'cbc:TaxableAmount') === base(root, 'S', percentOf(categoryIn(subtotal))),
  ),
  // Two taxes of one rate are one breakdown here, each rounded for itself: half a minor unit off, each.
  ruleOfEach(
    'BR-S-09',
    (root) => subtotalsOf(root, 'S'),
    (subtotal) => {
      const due = (value(subtotal, 'cbc:TaxableAmount') * percentOf(categoryIn(subtotal))) / (100n * one)
      return magnitude(value(subtotal, 'cbc:TaxAmount') - due) <= 2n * cent
    },
  ),
  ruleOfEach(
    'BR-S-10',
    (root) => subtotalsOf(root, 'S'),
    (subtotal) => !hasReason(subtotal),
  ),
  ...untaxedRules('Z'),
  ...untaxedRules('E'),
]
