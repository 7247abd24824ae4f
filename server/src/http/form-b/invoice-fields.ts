import Type, { type Static } from 'typebox'
import { type Decimal, decimalText } from '../../kernel/decimal.ts'
import { documentTypes } from '../../kernel/invoice-document.ts'
import { majorOf } from '../../kernel/money-words.ts'
import type { Fault } from '../../kernel/refusals.ts'
import type { BuyerId } from '../../modules/buyers/index.ts'
import {
  type DraftInput,
  derivedStatuses,
  type Invoice,
  type InvoiceStatus,
  type InvoiceSummary,
  invoiceStatuses,
} from '../../modules/invoices/index.ts'
import type { SellerId } from '../../modules/sellers/index.ts'
import type { Moment } from '../definitions/describe-route.ts'
import { Day, Fields, List, Maybe, means, Named, named, OneOf, Prose, Text, Uuid } from '../definitions/fields.ts'
import { amountsCheck, decimalFrom, decimalOrNull, decimalOrUndefined, money, unitPrice } from '../shared/amounts.ts'
import { invoiceCurrencies } from '../shared/contract-words.ts'
import { exchangeRateField, ForeignCurrencyView, toForeignCurrency } from '../shared/home-tax.ts'
import { instalmentsField, toInstalments } from '../shared/instalments.ts'
import {
  paymentStatus,
  SharedLineView,
  SharedView,
  SupplyDate,
  toSharedLine,
  toSharedView,
} from '../shared/invoices.ts'
import { sentFields, toWrittenViews, writtenInputs, writtenViews } from '../shared/written-fields.ts'

export const paymentStatuses = ['unpaid', 'partially_paid', 'paid', 'overdue'] as const
export const statuses = [
  'draft',
  'finalised',
  'queued',
  'pending',
  'accepted',
  'rejected',
  'failed',
  'cancelled',
] as const
type StatusHere = (typeof statuses)[number]

/** The status of this form for each status of the core. */
export const statusHere: Readonly<Record<InvoiceStatus, StatusHere>> = {
  draft: 'draft',
  finalised: 'finalised',
  queued: 'queued',
  signed: 'pending',
  transmitted: 'pending',
  accepted: 'accepted',
  rejected: 'rejected',
  failed: 'failed',
  cancellation_pending: 'cancelled',
  cancelled: 'cancelled',
}
export const statusesMeant = (status: StatusHere): InvoiceStatus[] =>
  invoiceStatuses.filter((core) => statusHere[core] === status)

const Line = Named('NewInvoiceLine', {
  description: means('What is sold, as printed on the document.', Prose(1, 500)),
  hsnCode: Type.Optional(
    means(
      'The customs code of goods (HS), from the code list `product-codes`. Required unless `isicCode` is sent.',
      Maybe(Text(1, 20)),
    ),
  ),
  productCategory: Type.Optional(means('The kind of goods, as text.', Maybe(Text(1, 500)))),
  isicCode: Type.Optional(
    means(
      'The code of a service (ISIC), from the code list `service-codes`. Must be left out if `hsnCode` is sent.',
      Maybe(Text(1, 20)),
    ),
  ),
  serviceCategory: Type.Optional(
    means('The kind of service, as text. Must be left out if `productCategory` is sent.', Maybe(Text(1, 500))),
  ),
  quantity: means('The number of units, at least 0.001.', Type.Number()),
  unitCode: means('The unit, from the code list `units` (UN/ECE Recommendation 20).', Text(1, 10)),
  unitPrice: means('The price of one unit before tax, in major units such as dollars.', Type.Number()),
  discountAmount: Type.Optional(means('The discount on the line, in major units such as dollars.', Type.Number())),
  taxPercent: means('The tax rate in percent, from 0 to 100.', Type.Number()),
})

const needsCode = (line: Record<string, unknown>, path: string): Fault[] => {
  const faults: Fault[] = []
  if (line.hsnCode == null && line.isicCode == null)
    faults.push({ path: `${path}.hsnCode`, rule: 'required', message: 'is required unless isicCode is sent' })
  if (line.productCategory != null && line.serviceCategory != null)
    faults.push({
      path: `${path}.serviceCategory`,
      rule: 'unwanted',
      message: 'must be left out if productCategory is sent',
    })
  return faults
}

const thousandth = { decimals: 6, atLeast: 1_000n, atMost: 10n ** 9n }
const percent = { decimals: 4, atLeast: 0n, atMost: 100n }
export const checkDraft = amountsCheck(
  { allowanceAmount: money, chargeAmount: money },
  { quantity: thousandth, unitPrice, discountAmount: money, taxPercent: percent },
  needsCode,
)

const shared = {
  invoiceDate: means('The day of issue of the document.', Day),
  dueDate: Type.Optional(means('The day on which payment is due. Not before `invoiceDate`.', Maybe(Day))),
  instalments: instalmentsField(Type.Number()),
  exchangeRate: exchangeRateField(Type.Number()),
  supplyDate: Type.Optional(SupplyDate),
  currency: Type.Optional(
    means(
      'The currency of all amounts of the document (ISO 4217). The default for a new document is `NGN`.',
      named('InvoiceCurrency', OneOf(...invoiceCurrencies)),
    ),
  ),
  lineItems: Type.Array(Line, {
    minItems: 1,
    maxItems: 500,
    description: 'The lines of the document. In a change they replace all lines of the draft.',
  }),
  allowanceAmount: Type.Optional(
    means('The discount on the whole document, in major units such as dollars.', Maybe(Type.Number())),
  ),
  chargeAmount: Type.Optional(
    means('The charge added to the whole document, in major units such as dollars.', Maybe(Type.Number())),
  ),
  paymentStatus: Type.Optional(
    means(
      'The payment status that you declare: `unpaid`, `partially_paid` or `paid`. It counts until the first payment is recorded. `overdue` is saved as `unpaid`.',
      OneOf(...paymentStatuses),
    ),
  ),
  ...writtenInputs('B'),
}

export const NewInvoice = Named('NewInvoice', {
  ...shared,
  sellerId: means('The seller that issues the document.', Uuid),
  buyerId: means('The buyer of the document.', Uuid),
  invoiceNumber: means('Your own number of the document. Each number can be used once.', Text(1, 100)),
  invoiceType: Type.Optional(
    means(
      'The type of document. `standard`, the default: an invoice. `credit_note` and `debit_note`: corrections of an invoice. `prepayment`: an invoice for a payment in advance.',
      OneOf(...documentTypes),
    ),
  ),
  originalInvoiceNumber: Type.Optional(
    means(
      'The number of the invoice that a note corrects. Required on a credit note or debit note. Must be left out otherwise.',
      Text(1, 100),
    ),
  ),
})
const OtherBuyer = Type.String({
  format: 'uuid',
  description: 'Another buyer. Possible only on a reopened invoice that the tax authority rejected.',
})
export const InvoiceChange = Type.Partial(Fields({ ...shared, buyerId: OtherBuyer }), {
  additionalProperties: false,
  named: 'InvoiceChange',
})

export const toLine = (line: Static<typeof Line>): DraftInput['lines'][number] => ({
  description: line.description,
  hsnCode: line.hsnCode,
  serviceCode: line.isicCode,
  productCategory: line.productCategory ?? line.serviceCategory ?? undefined,
  quantity: decimalFrom(line.quantity) as Decimal,
  unitCode: line.unitCode,
  unitPrice: decimalFrom(line.unitPrice) as Decimal,
  discount: decimalOrUndefined(line.discountAmount),
  taxPercent: decimalFrom(line.taxPercent) as Decimal,
})

/** `overdue` is not declared: it is calculated from `unpaid` and the due date. */
export const declared = (status: (typeof paymentStatuses)[number] | undefined): DraftInput['declaredPaymentStatus'] =>
  status === 'overdue' ? 'unpaid' : status

export const toDraft = (body: Static<typeof NewInvoice>): DraftInput => ({
  type: body.invoiceType ?? 'standard',
  number: body.invoiceNumber,
  sellerId: body.sellerId as SellerId,
  buyerId: body.buyerId as BuyerId,
  issueDate: body.invoiceDate,
  dueDate: body.dueDate,
  instalments: toInstalments(body.instalments),
  exchangeRate: decimalOrNull(body.exchangeRate),
  supplyDate: body.supplyDate,
  currency: body.currency ?? 'NGN',
  lines: body.lineItems.map(toLine),
  allowance: decimalOrNull(body.allowanceAmount) ?? undefined,
  charge: decimalOrNull(body.chargeAmount) ?? undefined,
  declaredPaymentStatus: declared(body.paymentStatus),
  ...sentFields(body),
  originalNumber: body.originalInvoiceNumber,
})

const LineView = Named('InvoiceLine', {
  ...SharedLineView,
  serviceCategory: means('The kind of service, as text. Null for goods.', Maybe(Type.String())),
  quantity: means('The number of units on the line.', Type.Number()),
  unitPrice: means('The price of one unit before tax, in major units such as dollars.', Type.Number()),
  discountAmount: means('The discount on the line, in major units such as dollars.', Type.Number()),
  taxPercent: means('The tax rate of the line in percent.', Type.Number()),
})

export const view = {
  ...SharedView,
  status: means(
    '`draft`: can be changed. `finalised`: issued. `queued`: waits for the tax authority. `pending`: registered there, not decided. `accepted` and `rejected`: the decision. `failed`: no clear answer came. `cancelled`: taken back, or about to be.',
    OneOf(...statuses),
  ),
  paymentStatus: means(
    'How much of the document is paid. `unpaid`: nothing was paid. `partially_paid`: a part was. `paid`: something was paid, and nothing is left after credit notes. `overdue`: something is still due after its due date, even if a part is paid. `payment_failed`: you declared it, and nothing was paid since.',
    OneOf(...paymentStatuses, 'payment_failed'),
  ),
  ...writtenViews('B'),
}
export const SummaryView = Named('InvoiceSummary', view)
export const InvoiceView = Named('Invoice', {
  ...view,
  ...ForeignCurrencyView,
  lineItems: means('The lines of the document, in their order.', List(LineView)),
})

/** Past its due date, regardless of payments: the filter of the list uses the same rule. */
export const paymentHere = (invoice: InvoiceSummary, today: string) =>
  derivedStatuses.isOverdue(invoice, today) ? ('overdue' as const) : paymentStatus(invoice)

export const toSummary = (invoice: InvoiceSummary, { today, now }: Moment) => {
  const day = today()
  return {
    ...toSharedView(invoice, day, now()),
    status: statusHere[invoice.status],
    paymentStatus: paymentHere(invoice, day),
    ...toWrittenViews('B', invoice),
  }
}

/** Decimals of this size are exact as JSON numbers. */
const numberOf = (decimal: Decimal): number => Number(decimalText(decimal))

export const toView = (invoice: Invoice, moment: Moment) => ({
  ...toSummary(invoice, moment),
  ...toForeignCurrency(invoice),
  lineItems: invoice.lines.map((line) => ({
    ...toSharedLine(line),
    productCategory: line.serviceCode === null ? line.productCategory : null,
    serviceCategory: line.serviceCode === null ? null : line.productCategory,
    quantity: numberOf(line.quantity),
    unitPrice: numberOf(line.unitPrice),
    discountAmount: numberOf(majorOf(line.discountMinor, invoice.currency)),
    taxPercent: numberOf(line.taxRate),
  })),
})
