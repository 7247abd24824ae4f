import type { UblRules } from '../../../jurisdictions/ubl-rules.ts'
import { decimalText } from '../../../kernel/decimal.ts'
import type { DocumentLine } from '../../../kernel/invoice-document.ts'
import { allowanceOrCharge, categoryOf, discount, fee, taxCategory } from './taxes.ts'
import { amount, escaped, holdable, optional, required } from './xml.ts'

/** For values without an element of their own. */
function property(name: string, value: string | null): string {
  const element = optional('cbc:Value', value)
  return element && `<cac:AdditionalItemProperty><cbc:Name>${name}</cbc:Name>${element}</cac:AdditionalItemProperty>`
}

function item(line: DocumentLine, rules: UblRules): string {
  const category = categoryOf(line.taxCategory, line.taxRate, rules)
  const hsCode = line.hsnCode === null ? '' : holdable(line.hsnCode)
  return [
    '<cac:Item>',
    line.itemName === null || line.itemName === line.description ? '' : optional('cbc:Description', line.description),
    required('cbc:Name', line.itemName ?? line.description),
    hsCode &&
      `<cac:CommodityClassification><cbc:ItemClassificationCode listID="${rules.goodsList}">${escaped(hsCode)}</cbc:ItemClassificationCode></cac:CommodityClassification>`,
    taxCategory('cac:ClassifiedTaxCategory', { code: category.code, percent: decimalText(line.taxRate) }, rules),
    property(rules.servicesList, line.serviceCode),
    property('Category', line.productCategory),
    property('Tax', category.ownName),
    '</cac:Item>',
  ].join('')
}

export interface LineWords {
  readonly line: string
  readonly quantity: string
}
export const invoiceLine: LineWords = { line: 'cac:InvoiceLine', quantity: 'cbc:InvoicedQuantity' }
export const creditNoteLine: LineWords = { line: 'cac:CreditNoteLine', quantity: 'cbc:CreditedQuantity' }

export const lineOf = (line: DocumentLine, at: number, words: LineWords, currency: string, rules: UblRules): string =>
  [
    `<${words.line}><cbc:ID>${at + 1}</cbc:ID>`,
    `<${words.quantity} unitCode="${escaped(holdable(line.unitCode))}">${decimalText(line.quantity)}</${words.quantity}>`,
    amount('cbc:LineExtensionAmount', line.netMinor, currency),
    allowanceOrCharge(discount, line.discountMinor, currency),
    allowanceOrCharge(fee, line.feeMinor, currency),
    item(line, rules),
    `<cac:Price><cbc:PriceAmount currencyID="${currency}">${decimalText(line.unitPrice)}</cbc:PriceAmount></cac:Price>`,
    `</${words.line}>`,
  ].join('')
