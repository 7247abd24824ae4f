import { type Decimal, parseDecimal, spelled, tenTo, trimmed } from '../../kernel/decimal.ts'
import { type DocumentLine, type InvoiceDocument, taxDay } from '../../kernel/invoice-document.ts'
import type { Fault } from '../../kernel/refusals.ts'
import type { ListsInForce } from '../port.ts'
import { taxRateOn } from './tax-rates.ts'

export function faultsOfLines(document: InvoiceDocument, lists: ListsInForce): Fault[] {
  if (document.lines.length === 0)
    return [{ path: 'lineItems', rule: 'lines', message: 'must have at least one line: add it' }]
  const days = [document, ...(document.original ? [document.original] : [])].map(taxDay)
  return document.lines.flatMap((line, at) =>
    [...faultsOfCodes(line, lists), ...faultsOfWorth(line, lists), ...faultsOfRate(line, days, lists)].map((fault) => ({
      ...fault,
      path: `lineItems[${at}].${fault.path}`,
    })),
  )
}

const isBlank = (text: string | null): boolean => !text?.trim()

/** Goods have a product code and category, services a service code and category; a line has one of both. */
function faultsOfCodes(
  { description, hsnCode, serviceCode, productCategory }: DocumentLine,
  lists: ListsInForce,
): Fault[] {
  const faults: Fault[] = []
  const fault = (path: string, rule: string, message: string) => faults.push({ path, rule, message })
  if (isBlank(description)) fault('description', 'line.description', 'must say what was sold: add it')
  const [isGoods, isService] = [!isBlank(hsnCode), !isBlank(serviceCode)]
  if (!isGoods && !isService)
    fault('hsnCode', 'line.code', 'must have a product code, or a service code as isicCode: add one')
  if (isGoods && isService)
    fault('isicCode', 'line.code', 'must be left out where there is a product code: keep one of the two')
  if (isGoods && !/^\d{4}\.\d{2}$/.test(hsnCode as string))
    fault('hsnCode', 'line.code_format', 'must have six digits with a dot after four, such as 8471.30')
  else if (isGoods && !lists.has('product-codes', hsnCode as string))
    fault('hsnCode', 'line.code_list', 'must be on the list of product-codes: choose one from it')
  if (isService && !lists.has('service-codes', serviceCode as string))
    fault('isicCode', 'line.code_list', 'must be on the list of service-codes: choose one from it')
  if (isBlank(productCategory) && isGoods)
    fault('productCategory', 'line.category', 'must say what the product code stands for: add it')
  if (isBlank(productCategory) && isService && !isGoods)
    fault('serviceCategory', 'line.category', 'must say what the service code stands for: add it')
  return faults
}

function faultsOfWorth({ quantity, unitPrice, unitCode }: DocumentLine, lists: ListsInForce): Fault[] {
  const faults: Fault[] = []
  if (quantity.units <= 0n) faults.push({ path: 'quantity', rule: 'line.quantity', message: 'must be more than zero' })
  if (unitPrice.units < 0n)
    faults.push({
      path: 'unitPrice',
      rule: 'line.price',
      message: 'must not be below zero: issue a credit note instead',
    })
  if (!lists.has('units', unitCode))
    faults.push({ path: 'unitCode', rule: 'line.unit', message: 'must be on the list of units: choose one from it' })
  return faults
}

const plain = (rate: Decimal): string => {
  const { units, scale } = trimmed(rate)
  return spelled(units, scale)
}

/** A note may have the rate of its original's day. If no law fixes a rate, any percentage is valid. */
function faultsOfRate({ taxCategory, taxRate }: DocumentLine, days: readonly string[], lists: ListsInForce): Fault[] {
  const path = 'taxCategory'
  if (!lists.has('tax-categories', taxCategory))
    return [{ path, rule: 'line.tax_category', message: 'must be on the list of tax-categories: choose one from it' }]
  const lawful = [...new Set(days.flatMap((day) => taxRateOn(taxCategory, day) ?? []))]
  const isPercentage = taxRate.units >= 0n && taxRate.units <= 100n * tenTo(taxRate.scale)
  if (lawful.length === 0)
    return isPercentage ? [] : [{ path, rule: 'line.tax_rate', message: 'must have a rate from 0 to 100 per cent' }]
  if (lawful.some((rate) => plain(parseDecimal(rate) as Decimal) === plain(taxRate))) return []
  const message = `must have the rate of ${lawful.join(' or ')} per cent, and has ${plain(taxRate)}: choose the category that fits`
  return [{ path, rule: 'line.tax_rate', message }]
}
