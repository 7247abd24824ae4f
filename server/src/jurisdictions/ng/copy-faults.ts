import { divideRounded, roundedTo, spelled, tenTo, times } from '../../kernel/decimal.ts'
import type { Fault } from '../../kernel/refusals.ts'
import type { AuthorityCopy, CopyLine, CopyTax, ListsInForce } from '../port.ts'
import { isIrn, issueDateIn } from './irn.ts'

const shown = (minor: bigint): string => spelled(minor, 2)
const sumOf = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, amount) => sum + amount, 0n)

/** Faults in a document of another issuer. We cannot correct them, but the payer should know them. */
export function faultsOfCopy(copy: AuthorityCopy, lists: ListsInForce): Fault[] {
  return [
    ...faultsOfHead(copy, lists),
    ...copy.lines.flatMap((line, at) => faultsOfLine(line, at, lists)),
    ...faultsOfTotals(copy, lists),
  ]
}

function faultsOfHead(copy: AuthorityCopy, lists: ListsInForce): Fault[] {
  const faults: Fault[] = []
  const fault = (path: string, rule: string, message: string) => faults.push({ path, rule, message })
  if (!isIrn(copy.reference) || issueDateIn(copy.reference) !== copy.issueDate)
    fault('invoiceDate', 'copy.reference', 'is another day than the one in the reference')
  if (copy.dueDate !== null && copy.dueDate < copy.issueDate)
    fault('dueDate', 'copy.due_date', 'is before the day of issue')
  if (copy.seller.name === null) fault('seller.name', 'copy.seller', 'is missing')
  if (copy.seller.taxIdNormal === null) fault('seller.taxId', 'copy.seller', 'is no Nigerian tax number')
  if (copy.buyer === null && copy.kind !== 'B2C') fault('buyer.name', 'copy.buyer', 'is missing')
  if (!lists.has('currencies', copy.currency)) fault('currency', 'copy.currency', 'is not on the list of currencies')
  if (!lists.has('invoice-types', copy.typeCode)) fault('invoiceType', 'copy.type', 'is not on the list of types')
  if (copy.type !== 'standard' && copy.corrects.length === 0)
    fault('originalInvoiceNumber', 'copy.original', 'is missing: a note names what it corrects')
  return faults
}

function faultsOfLine(line: CopyLine, at: number, lists: ListsInForce): Fault[] {
  const faults: Fault[] = []
  const fault = (field: string, rule: string, message: string) =>
    faults.push({ path: `lineItems[${at}].${field}`, rule, message })
  if ((line.hsnCode === null) === (line.serviceCode === null))
    fault('hsnCode', 'copy.line_code', 'should be a product code or a service code, and one of the two')
  if (line.hsnCode !== null && !lists.has('product-codes', line.hsnCode))
    fault('hsnCode', 'copy.line_code', 'is not on the list of product codes')
  if (line.serviceCode !== null && !lists.has('service-codes', line.serviceCode))
    fault('isicCode', 'copy.line_code', 'is not on the list of service codes')
  const due = roundedTo(times(line.quantity, line.unitPrice), 2) - line.discountMinor + line.feeMinor
  if (line.netMinor !== due)
    fault('netMinor', 'copy.line_net', `should be ${shown(due)}, and is ${shown(line.netMinor)}`)
  return faults
}

function faultsOfTotals(copy: AuthorityCopy, lists: ListsInForce): Fault[] {
  const faults: Fault[] = []
  const must = (path: string, rule: string, has: bigint, due: bigint) => {
    if (has !== due) faults.push({ path, rule, message: `should be ${shown(due)}, and is ${shown(has)}` })
  }
  must('netMinor', 'copy.net', copy.netMinor, sumOf(copy.lines.map(({ netMinor }) => netMinor)))
  must('netMinor', 'copy.exclusive', copy.exclusiveMinor, copy.netMinor - copy.allowanceMinor + copy.chargeMinor)
  must('taxMinor', 'copy.tax', copy.taxMinor, sumOf(copy.taxes.map(({ taxMinor }) => taxMinor)))
  must('payableMinor', 'copy.inclusive', copy.inclusiveMinor, copy.exclusiveMinor + copy.taxMinor)
  if (copy.payableMinor > copy.inclusiveMinor)
    must('payableMinor', 'copy.payable', copy.payableMinor, copy.inclusiveMinor)
  return [...faults, ...copy.taxes.flatMap((tax) => faultsOfTax(tax, lists))]
}

function faultsOfTax({ category, rate, taxableMinor, taxMinor }: CopyTax, lists: ListsInForce): Fault[] {
  const fault = (message: string): Fault[] => [{ path: 'taxMinor', rule: 'copy.tax', message }]
  if (!lists.has('tax-categories', category)) return fault(`${category} is not on the list of tax categories`)
  if (rate === null) return []
  const due = divideRounded(taxableMinor * rate.units, tenTo(rate.scale + 2))
  return taxMinor === due ? [] : fault(`should have ${shown(due)} of ${category}, and has ${shown(taxMinor)}`)
}
