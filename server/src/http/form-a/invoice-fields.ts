import Type, { type Static } from 'typebox'
import { type Decimal, decimalText } from '../../kernel/decimal.ts'
import { currencyDigits } from '../../kernel/money-words.ts'
import type { Fault } from '../../kernel/refusals.ts'
import {
  type DraftInput,
  declaredPaymentStatuses,
  type Invoice,
  type InvoiceSummary,
  invoiceStatuses,
} from '../../modules/invoices/index.ts'
import type { ItemId } from '../../modules/items/index.ts'
import type { Moment } from '../kernel/describe-route.ts'
import { Day, List, Maybe, means, Named, OneOf, Prose, Text, Uuid } from '../kernel/fields.ts'
import { Amount, amountsCheck, decimalFrom, decimalOrUndefined, money, quantity, unitPrice } from '../shared/amounts.ts'
import { instalmentsField } from '../shared/instalments.ts'
import { textFields, textViews, toTexts } from '../shared/invoice-texts.ts'
import {
  InvoiceCurrency,
  InvoiceKind,
  majorText,
  paymentStatus,
  SharedLineView,
  SharedView,
  SupplyDate,
  TimeOfDay,
  toSharedLine,
  toSharedView,
} from '../shared/invoices.ts'

const unlessItem = 'Required without `itemId`; otherwise the default comes from the item.'

const neededWithoutItem = ['description', 'unitCode', 'unitPrice', 'taxCategory']

const lineFields = {
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
    means(`The price of one unit before tax, in major units such as naira. ${unlessItem}`, Amount),
  ),
  discountAmount: Type.Optional(means('The discount on the line, in major units such as naira.', Amount)),
  feeAmount: Type.Optional(means('The fee added to the line, in major units such as naira.', Amount)),
  taxCategory: Type.Optional(
    means(
      `The tax category: a code from the code list \`tax-categories\`, or \`standard\`, \`zero\` or \`exempt\`. ${unlessItem}`,
      Text(1, 50),
    ),
  ),
}

const Line = Named('NewInvoiceLine', lineFields, { eitherRequired: [neededWithoutItem, ['itemId']] })

export const Lines = Type.Array(Line, { minItems: 1, maxItems: 500 })

const oneCategory = (line: Record<string, unknown>, path: string): Fault[] =>
  line.productCategory != null && line.serviceCategory != null
    ? [{ path: `${path}.serviceCategory`, rule: 'unwanted', message: 'must be left out if productCategory is sent' }]
    : []

const lineRules = { quantity, unitPrice, discountAmount: money, feeAmount: money }
export const checkDraft = amountsCheck({ allowanceAmount: money, chargeAmount: money }, lineRules, oneCategory)
export const checkNote = (rules: Parameters<typeof amountsCheck>[0]) => amountsCheck(rules, lineRules, oneCategory)

/** A code sent as `null` means no code. A code that is left out comes from the item. */
export const toLine = (line: Static<typeof Line>): DraftInput['lines'][number] => ({
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

const InvoiceNumber = Type.String({
  pattern: '^[A-Za-z0-9]{1,50}$',
  explanation: 'must be 1 to 50 letters and digits, such as INV000001',
})

const optional = {
  sellerId: Type.Optional(
    means('The seller that issues the invoice. The default is the primary seller of the organisation.', Uuid),
  ),
  buyerId: Type.Optional(means('The buyer of the invoice. Not needed for `B2C`.', Maybe(Uuid))),
  invoiceNumber: Type.Optional(
    means('Your own number of the invoice. The default is the next number of your series.', InvoiceNumber),
  ),
  invoiceType: Type.Optional(means('The type of document. Notes have routes of their own.', OneOf('standard'))),
  issueTime: Type.Optional(means('The time of day of the issue.', Maybe(TimeOfDay))),
  dueDate: Type.Optional(means('The day on which payment is due. Not before `invoiceDate`.', Maybe(Day))),
  instalments: instalmentsField(Amount),
  supplyDate: Type.Optional(SupplyDate),
  allowanceAmount: Type.Optional(
    means('The discount on the whole document, in major units such as naira.', Maybe(Amount)),
  ),
  chargeAmount: Type.Optional(
    means('The charge added to the whole document, in major units such as naira.', Maybe(Amount)),
  ),
  ...textFields('A'),
}

const required = {
  invoiceKind: means('Seller and buyer by kind: business (`B`), consumer (`C`) or government (`G`).', InvoiceKind),
  invoiceDate: means('The day of issue of the invoice.', Day),
  currency: means('The currency of all amounts of the invoice (ISO 4217).', InvoiceCurrency),
}

export const NewInvoice = Named('NewInvoice', {
  ...optional,
  ...required,
  lineItems: means('The lines of the invoice, at most 500.', Lines),
})

export const InvoiceChange = Named('InvoiceChange', {
  ...optional,
  invoiceKind: Type.Optional(required.invoiceKind),
  invoiceDate: Type.Optional(required.invoiceDate),
  currency: Type.Optional(required.currency),
  lineItems: Type.Optional(means('The new lines, at most 500. They replace all lines of the draft.', Lines)),
})

const LineView = Named('InvoiceLine', {
  ...SharedLineView,
  itemId: means('The saved item that the line was filled from. Null if none was.', Maybe(Uuid)),
  itemName: means('A short name of what is sold. Null if the line has none.', Maybe(Type.String())),
  quantity: means('The number of units, as a decimal number.', Type.String()),
  unitPrice: means('The price of one unit before tax, in major units such as naira.', Type.String()),
  discountAmount: means('The discount on the line, in major units such as naira.', Type.String()),
  feeAmount: means('The fee added to the line, in major units such as naira.', Type.String()),
  taxPercent: means('The tax rate in percent, as a decimal number.', Type.String()),
})

const view = {
  ...SharedView,
  status: means(
    '`draft`: can be changed. `finalised`: issued. `queued`: waits for the tax authority. `signed`: registered there. `transmitted`: passed on to the buyer. `accepted` and `rejected`: the decision. `failed`: no clear answer came. `cancellation_pending`: its credit note waits for the tax authority. `cancelled`: taken back.',
    OneOf(...invoiceStatuses),
  ),
  invoiceKind: required.invoiceKind,
  paymentStatus: means(
    'How much of the document is paid. `payment_failed`: a payment was tried and failed.',
    OneOf(...declaredPaymentStatuses),
  ),
  issueTime: means('The time of day of the issue. Null if the sender set none.', Maybe(Type.String())),
  allowanceAmount: means('The discount on the whole document, in major units such as naira.', Type.String()),
  chargeAmount: means('The charge added to the whole document, in major units such as naira.', Type.String()),
  ...textViews('A'),
}

export const SummaryView = Named('InvoiceSummary', view)
export const InvoiceView = Named('Invoice', {
  ...view,
  lineItems: means('The lines of the document, in their order.', List(LineView)),
})

export const toSummary = (invoice: InvoiceSummary, { today, now }: Moment) => ({
  ...toSharedView(invoice, today(), now()),
  status: invoice.status,
  invoiceKind: invoice.kind,
  paymentStatus: paymentStatus(invoice),
  issueTime: invoice.issueTime,
  allowanceAmount: majorText(invoice.allowanceMinor, invoice.currency),
  chargeAmount: majorText(invoice.chargeMinor, invoice.currency),
  ...toTexts('A', invoice),
})

export const toView = (invoice: Invoice, moment: Moment) => ({
  ...toSummary(invoice, moment),
  lineItems: invoice.lines.map((line) => ({
    ...toSharedLine(line),
    itemId: line.itemId,
    itemName: line.itemName,
    quantity: decimalText(line.quantity),
    unitPrice: decimalText(line.unitPrice, currencyDigits(invoice.currency)),
    discountAmount: majorText(line.discountMinor, invoice.currency),
    feeAmount: majorText(line.feeMinor, invoice.currency),
    taxPercent: decimalText(line.taxRate),
  })),
})
