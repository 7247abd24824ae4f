import { type Jurisdiction, type ListType, taxCategoryFrom } from '../../../jurisdictions/port.ts'
import { type Decimal, parseDecimal, trimmed } from '../../../kernel/decimal.ts'
import { currencyDigits, minorOf, tooManyDecimals } from '../../../kernel/money-words.ts'
import type { Fault } from '../../../kernel/refusals.ts'
import type { Item, ItemId } from '../../items/index.ts'
import { type CodeLists, findProductCode } from '../../reference/index.ts'
import { lineTotals } from '../amounts/totals.ts'
import type { InvoiceLine } from '../invoice.ts'
import type { LineInput } from './draft.ts'

/** What lines are resolved against. */
export interface LineContext {
  readonly jurisdiction: Pick<Jurisdiction, 'country' | 'taxCategoryAliases' | 'taxRateOn'>
  readonly codeLists: Pick<CodeLists, 'list'>
  /** the saved items that the lines name */
  readonly items: ReadonlyMap<ItemId, Item>
  /** the day whose tax rates apply */
  readonly taxDay: string
  readonly currency: string
}

/** Longest description and longest category, in characters. */
const longestText = 500
const nothing: Decimal = { units: 0n, scale: 0 }

/** A saved item's price in major units. */
function priceOf({ unitPriceMinor, currency }: Item): Decimal {
  const { units, scale } = parseDecimal(unitPriceMinor) as Decimal
  return { units, scale: scale + currencyDigits(currency) }
}

/** The first characters of a text, without cutting one in half. */
const firstCharacters = (text: string, most: number): string =>
  text.length <= most ? text : [...text].slice(0, most).join('')

/** The line with absent fields filled from its saved item. */
function filledFrom(line: LineInput, item: Item | undefined): LineInput {
  if (!item) return line
  const saysCode = line.hsnCode !== undefined || line.serviceCode !== undefined
  return {
    ...line,
    description: line.description ?? firstCharacters(item.description ?? item.name, longestText),
    itemName: line.itemName === undefined ? item.name : line.itemName,
    hsnCode: saysCode ? line.hsnCode : item.hsnCode,
    serviceCode: saysCode ? line.serviceCode : item.serviceCode,
    productCategory: line.productCategory === undefined && !saysCode ? item.productCategory : line.productCategory,
    unitCode: line.unitCode ?? item.unitCode,
    unitPrice: line.unitPrice ?? priceOf(item),
    ...(line.taxPercent === undefined ? { taxCategory: line.taxCategory ?? item.taxCategory } : {}),
  }
}

/** Converts amounts in major units to minor units. An amount with too many decimals becomes a fault. */
export const minorUnitsIn =
  (currency: string, faults: Fault[]) =>
  (path: string, amount: Decimal | undefined): bigint => {
    const minor = minorOf(amount ?? nothing, currency)
    if (minor === undefined) faults.push(tooManyDecimals(path, currency))
    return minor ?? 0n
  }

const required = (path: string): Fault => ({ path, rule: 'required', message: 'is required on a line without itemId' })

/**
 * Lines with the spelling of their code lists, their tax rates and their amounts. Reports all faults of all lines at
 * once, each with its place.
 */
export function resolveLines(
  lines: readonly LineInput[],
  context: LineContext,
): { lines: InvoiceLine[]; faults: Fault[] } {
  const { jurisdiction, codeLists, items, taxDay, currency } = context
  const { country, taxCategoryAliases, taxRateOn } = jurisdiction
  const faults: Fault[] = []

  function find(
    path: string,
    list: ListType,
    code: string,
    line: LineInput,
  ): { code: string; name: string | undefined } {
    if (line.isKept) return { code, name: undefined }
    const held = codeLists.list(country, list)
    const entry = held.find(code)
    const found = entry?.code ?? (list === 'product-codes' ? findProductCode(held, code) : undefined)
    if (found === undefined)
      faults.push({
        path,
        rule: 'code',
        message: `is not on the list of ${list}`,
        see: `list:${list}`,
      })
    return { code: found ?? code, name: entry?.name }
  }

  function taxOf(path: string, line: LineInput): { category: string; rate: Decimal } {
    const { taxCategory, taxPercent } = line
    if (taxPercent !== undefined) {
      const alias = taxPercent.units === 0n ? 'zero' : 'standard'
      return { category: taxCategoryAliases[alias], rate: trimmed(taxPercent) }
    }
    if (taxCategory === undefined) {
      faults.push(required(`${path}.taxCategory`))
      return { category: '', rate: nothing }
    }
    const meant = taxCategoryFrom(taxCategory, taxCategoryAliases)
    const { code } = find(`${path}.taxCategory`, 'tax-categories', meant, line)
    const percent = taxRateOn(code, taxDay)
    if (percent === undefined && !faults.some((fault) => fault.path === `${path}.taxCategory`))
      faults.push({
        path: `${path}.taxCategory`,
        rule: 'rate',
        message: 'has no legal tax rate on this day; choose another category',
      })
    return { category: code, rate: percent === undefined ? nothing : (parseDecimal(percent) as Decimal) }
  }

  const minorAt = minorUnitsIn(currency, faults)
  const resolved = lines.map((sent, at): InvoiceLine => {
    const path = `lineItems[${at}]`
    const item = sent.itemId === undefined ? undefined : items.get(sent.itemId)
    const line = filledFrom(sent, item)
    const takesItsPrice = item !== undefined && sent.unitPrice === undefined
    if (takesItsPrice && item.currency !== currency)
      faults.push({
        path: `${path}.unitPrice`,
        rule: 'currency',
        message: `is required: the price of the item is in ${item.currency}`,
      })
    for (const name of ['description', 'unitCode', 'unitPrice'] as const)
      if (line[name] === undefined) faults.push(required(`${path}.${name}`))
    if (line.hsnCode && line.serviceCode)
      faults.push({
        path: `${path}.isicCode`,
        rule: 'unwanted',
        message: 'must be left out if a product code is sent',
      })
    const product = line.hsnCode ? find(`${path}.hsnCode`, 'product-codes', line.hsnCode, line) : undefined
    const service = line.serviceCode ? find(`${path}.isicCode`, 'service-codes', line.serviceCode, line) : undefined
    const codeName = product?.name ?? service?.name
    const tax = taxOf(path, line)
    const amounts = {
      quantity: trimmed(line.quantity),
      unitPrice: trimmed(line.unitPrice ?? nothing),
      discountMinor: minorAt(`${path}.discountAmount`, line.discount),
      feeMinor: minorAt(`${path}.feeAmount`, line.fee),
      taxCategory: tax.category,
      taxRate: tax.rate,
    }
    return {
      itemId: sent.itemId ?? null,
      description: line.description ?? '',
      itemName: line.itemName ?? null,
      hsnCode: product?.code ?? null,
      serviceCode: service?.code ?? null,
      productCategory: line.productCategory ?? (codeName === undefined ? null : firstCharacters(codeName, longestText)),
      unitCode: line.unitCode === undefined ? '' : find(`${path}.unitCode`, 'units', line.unitCode, line).code,
      ...amounts,
      ...lineTotals(amounts, currencyDigits(currency)),
    }
  })
  return { lines: resolved, faults }
}
