import Type, { type Static } from 'typebox'
import { type Decimal, decimalText } from '../../kernel/decimal.ts'
import { currencyDigits } from '../../kernel/money-words.ts'
import type { Fault } from '../../kernel/refusals.ts'
import type { DraftInput, Invoice } from '../../modules/invoices/index.ts'
import type { ItemId } from '../../modules/items/index.ts'
import { Fields, Maybe, means, Prose, Text, Uuid } from '../definitions/fields.ts'
import { Amount, amountsCheck, decimalFrom, decimalOrUndefined, money, quantity, unitPrice } from './amounts.ts'
import { majorText, SharedLineView, toSharedLine } from './invoices.ts'

const unlessItem = 'Required without `itemId`; otherwise the default comes from the item.'

/** The fields of a line that may take what it leaves out from a saved item. */
export const lineFields = {
  itemId: Type.Optional(means('The saved item that fills the fields which the line leaves out.', Uuid)),
  description: Type.Optional(means(`What is sold, as printed on the document. ${unlessItem}`, Prose(1, 500))),
  itemName: Type.Optional(means('A short name of what is sold.', Maybe(Text(1, 255)))),
  hsnCode: Type.Optional(
    means('The customs code of goods (HS), from the code list `product-codes`.', Maybe(Text(1, 20))),
  ),
  productCategory: Type.Optional(means('The kind of goods or service, as text.', Maybe(Text(1, 500)))),
  isicCode: Type.Optional(
    means(
      'The code of a service (ISIC), from the code list `service-codes`. Must be left out if `hsnCode` is sent.',
      Maybe(Text(1, 20)),
    ),
  ),
  serviceCategory: Type.Optional(
    means('The kind of service, as text. Must be left out if `productCategory` is sent.', Maybe(Text(1, 500))),
  ),
  quantity: means('The number of units, with at most 6 decimals.', Amount),
  unitCode: Type.Optional(
    means(`The unit, from the code list \`units\` (UN/ECE Recommendation 20). ${unlessItem}`, Text(1, 10)),
  ),
  unitPrice: Type.Optional(
    means(`The price of one unit before tax, in major units such as dollars. ${unlessItem}`, Amount),
  ),
  discountAmount: Type.Optional(means('The discount on the line, in major units such as dollars.', Amount)),
  feeAmount: Type.Optional(means('The fee added to the line, in major units such as dollars.', Amount)),
  taxCategory: Type.Optional(
    means(
      `The tax category: a code from the code list \`tax-categories\`, or \`standard\`, \`zero\` or \`exempt\`. ${unlessItem}`,
      Text(1, 50),
    ),
  ),
}

export const lineOptions = {
  eitherRequired: [['description', 'unitCode', 'unitPrice', 'taxCategory'], ['itemId']],
}
const LineFields = Fields(lineFields)

const oneCategory = (line: Record<string, unknown>, path: string): Fault[] =>
  line.productCategory != null && line.serviceCategory != null
    ? [{ path: `${path}.serviceCategory`, rule: 'unwanted', message: 'must be left out if productCategory is sent' }]
    : []

const lineRules = { quantity, unitPrice, discountAmount: money, feeAmount: money }
/** Checks the amounts of lines, and those of the document by their own rules. */
export const checkLines = (rules: Parameters<typeof amountsCheck>[0]) => amountsCheck(rules, lineRules, oneCategory)

/** A code sent as `null` means no code. A code that is left out comes from the item. */
export const toLine = (line: Static<typeof LineFields>): DraftInput['lines'][number] => ({
  itemId: line.itemId as ItemId | undefined,
  description: line.description,
  itemName: line.itemName,
  hsnCode: line.hsnCode,
  serviceCode: line.isicCode,
  productCategory: line.productCategory ?? line.serviceCategory ?? line.productCategory,
  quantity: decimalFrom(line.quantity) as Decimal,
  unitCode: line.unitCode,
  unitPrice: line.unitPrice === undefined ? undefined : decimalFrom(line.unitPrice),
  discount: decimalOrUndefined(line.discountAmount),
  fee: decimalOrUndefined(line.feeAmount),
  taxCategory: line.taxCategory,
})

/** A line as single documents show it. */
export const lineView = {
  ...SharedLineView,
  itemId: means('The saved item that the line was filled from. Null if none was.', Maybe(Uuid)),
  itemName: means('A short name of what is sold. Null if the line has none.', Maybe(Type.String())),
  quantity: means('The number of units, as a decimal number.', Type.String()),
  unitPrice: means('The price of one unit before tax, in major units such as dollars.', Type.String()),
  discountAmount: means('The discount on the line, in major units such as dollars.', Type.String()),
  feeAmount: means('The fee added to the line, in major units such as dollars.', Type.String()),
  taxPercent: means('The tax rate in percent, as a decimal number.', Type.String()),
}

export const toLineView = (currency: string) => (line: Invoice['lines'][number]) => ({
  ...toSharedLine(line),
  itemId: line.itemId,
  itemName: line.itemName,
  quantity: decimalText(line.quantity),
  unitPrice: decimalText(line.unitPrice, currencyDigits(currency)),
  discountAmount: majorText(line.discountMinor, currency),
  feeAmount: majorText(line.feeMinor, currency),
  taxPercent: decimalText(line.taxRate),
})
