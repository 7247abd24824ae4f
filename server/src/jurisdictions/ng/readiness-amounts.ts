import { type Decimal, divideRounded, roundedTo, spelled, tenTo, times, trimmed } from '../../kernel/decimal.ts'
import type { DocumentLine, DocumentTaxGroup, InvoiceDocument } from '../../kernel/invoice-document.ts'
import type { Fault } from '../../kernel/refusals.ts'

const minorScale = 2
const money = (minor: bigint): string => spelled(minor, minorScale)
const sumOf = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, amount) => sum + amount, 0n)

/**
 * Recalculates the document as the authority does, from its lines. A fault here is our error, because nobody writes
 * these amounts by hand. Such a document must not be sent.
 */
export function faultsOfAmounts(document: InvoiceDocument): Fault[] {
  const faults: Fault[] = []
  const must = (path: string, rule: string, has: bigint, due: bigint) => {
    if (has !== due) faults.push({ path, rule, message: `must be ${money(due)}, and is ${money(has)}: save it again` })
  }
  document.lines.forEach((line, at) => {
    faults.push(...faultsOfDiscount(line, at))
    const gross = roundedTo(times(line.quantity, line.unitPrice), minorScale)
    must(`lineItems[${at}].grossMinor`, 'line.gross', line.grossMinor, gross)
    must(`lineItems[${at}].netMinor`, 'line.net', line.netMinor, gross - line.discountMinor + line.feeMinor)
  })
  faults.push(...faultsOfGroups(document))
  const { lines, taxGroups, type } = document
  must('netMinor', 'total.net', document.netMinor, sumOf(lines.map(({ netMinor }) => netMinor)))
  const ofGroups = (amount: (group: DocumentTaxGroup) => bigint): bigint => sumOf(taxGroups.map(amount))
  must(
    'allowanceAmount',
    'total.allowance',
    document.allowanceMinor,
    ofGroups(({ allowanceMinor }) => allowanceMinor),
  )
  must(
    'chargeAmount',
    'total.charge',
    document.chargeMinor,
    ofGroups(({ chargeMinor }) => chargeMinor),
  )
  must(
    'taxMinor',
    'total.tax',
    document.taxMinor,
    ofGroups(({ taxMinor }) => taxMinor),
  )
  const rounding = type === 'credit_note' ? document.roundingMinor : 0n
  must('roundingMinor', 'total.rounding', document.roundingMinor, rounding)
  const { netMinor, allowanceMinor, chargeMinor, taxMinor, payableMinor } = document
  must('payableMinor', 'total.payable', payableMinor, netMinor - allowanceMinor + chargeMinor + taxMinor + rounding)
  return faults
}

function faultsOfDiscount({ grossMinor, discountMinor, feeMinor }: DocumentLine, at: number): Fault[] {
  const faults: Fault[] = []
  const fault = (field: string, message: string) =>
    faults.push({ path: `lineItems[${at}].${field}`, rule: 'line.discount', message })
  if (discountMinor < 0n) fault('discountAmount', 'must not be below zero: make it a fee')
  if (discountMinor > grossMinor) fault('discountAmount', 'must not be more than the line: lower it')
  if (feeMinor < 0n) fault('feeAmount', 'must not be below zero: make it a discount')
  return faults
}

function groupKey(category: string, rate: Decimal): string {
  const { units, scale } = trimmed(rate)
  return `${category} at ${spelled(units, scale)} per cent`
}

/** Tax groups: each category and rate once, with all of its lines, taxed on their sum. */
function faultsOfGroups({ lines, taxGroups }: InvoiceDocument): Fault[] {
  const wrong = (what: string): Fault => ({
    path: 'taxMinor',
    rule: 'tax',
    message: `${what}: save the document again`,
  })
  const nets = new Map<string, bigint>()
  for (const { taxCategory, taxRate, netMinor } of lines) {
    const key = groupKey(taxCategory, taxRate)
    nets.set(key, (nets.get(key) ?? 0n) + netMinor)
  }
  const faults: Fault[] = []
  for (const { category, rate, netMinor, allowanceMinor, chargeMinor, taxableMinor, taxMinor } of taxGroups) {
    const key = groupKey(category, rate)
    const due = divideRounded(taxableMinor * rate.units, tenTo(rate.scale + 2))
    if (nets.get(key) !== netMinor) faults.push(wrong(`must tax ${money(nets.get(key) ?? 0n)} of lines of ${key} once`))
    else if (taxableMinor !== netMinor - allowanceMinor + chargeMinor || taxableMinor < 0n)
      faults.push(wrong(`must tax what is left of ${key} after allowance and charge`))
    else if (taxMinor !== due) faults.push(wrong(`must have ${money(due)} of ${key}`))
    nets.delete(key)
  }
  return [...faults, ...[...nets.keys()].map((key) => wrong(`must tax the lines of ${key}`))]
}
