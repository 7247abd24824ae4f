import Type, { type Static } from 'typebox'
import type { Decimal } from '../../kernel/decimal.ts'
import type { Fault } from '../../kernel/refusals.ts'
import {
  decimalText,
  declaredPaymentStatuses,
  type Invoice,
  type InvoiceSummary,
  invoiceStatuses,
  type LineInput,
} from '../../modules/invoices/index.ts'
import type { ItemId } from '../../modules/items/index.ts'
import { Amount, amountsCheck, decimalFrom, minorOrUndefined, money, quantity, unitPrice } from '../both/amounts.ts'
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
} from '../both/invoices.ts'
import { Day, List, Maybe, means, Named, OneOf, Prose, Text, Uuid } from '../fields.ts'
import { ofLinesFromItems } from '../meanings/of-requirements.ts'
import type { Moment } from '../speak.ts'

const Line = Named('NewInvoiceLine', {
  itemId: Type.Optional(Uuid),
  description: Type.Optional(means(ofLinesFromItems.description, Prose(1, 500))),
  itemName: Type.Optional(Maybe(Text(1, 255))),
  hsnCode: Type.Optional(Maybe(Text(1, 20))),
  productCategory: Type.Optional(Maybe(Text(1, 500))),
  isicCode: Type.Optional(Maybe(Text(1, 20))),
  serviceCategory: Type.Optional(Maybe(Text(1, 500))),
  quantity: Amount,
  unitCode: Type.Optional(means(ofLinesFromItems.unitCode, Text(1, 10))),
  unitPrice: Type.Optional(means(ofLinesFromItems.unitPrice, Amount)),
  discountAmount: Type.Optional(Amount),
  feeAmount: Type.Optional(Amount),
  taxCategory: Type.Optional(means(ofLinesFromItems.taxCategory, Text(1, 50))),
})

export const Lines = Type.Array(Line, { minItems: 1, maxItems: 500 })

const oneCategory = (line: Record<string, unknown>, path: string): Fault[] =>
  line.productCategory != null && line.serviceCategory != null
    ? [{ path: `${path}.serviceCategory`, rule: 'unwanted', message: 'must be left out where productCategory is sent' }]
    : []

const lineRules = { quantity, unitPrice, discountAmount: money, feeAmount: money }
export const checkDraft = amountsCheck({ allowanceAmount: money, chargeAmount: money }, lineRules, oneCategory)
export const checkNote = (rules: Parameters<typeof amountsCheck>[0]) => amountsCheck(rules, lineRules, oneCategory)

/** A code that is sent as `null` is none; one that is left out comes from the item. */
export const toLine = (line: Static<typeof Line>): LineInput => ({
  itemId: line.itemId as ItemId | undefined,
  description: line.description,
  itemName: line.itemName,
  hsnCode: line.hsnCode,
  serviceCode: line.isicCode,
  productCategory: line.productCategory ?? line.serviceCategory ?? line.productCategory,
  quantity: decimalFrom(line.quantity) as Decimal,
  unitCode: line.unitCode,
  unitPrice: line.unitPrice === undefined ? undefined : decimalFrom(line.unitPrice),
  discountMinor: minorOrUndefined(line.discountAmount),
  feeMinor: minorOrUndefined(line.feeAmount),
  taxCategory: line.taxCategory,
})

const texts = {
  paymentTerms: Type.Optional(Maybe(Prose(0, 500))),
  notes: Type.Optional(Maybe(Prose(0, 2000))),
  purchaseOrderReference: Type.Optional(Maybe(Text(0, 100))),
  buyerReference: Type.Optional(Maybe(Text(0, 100))),
  accountingCost: Type.Optional(Maybe(Text(0, 100))),
}

const InvoiceNumber = Type.String({
  pattern: '^[A-Za-z0-9]{1,50}$',
  explanation: 'must be 1 to 50 letters and digits, such as INV000001',
})

const optional = {
  sellerId: Type.Optional(Uuid),
  buyerId: Type.Optional(Maybe(Uuid)),
  invoiceNumber: Type.Optional(InvoiceNumber),
  invoiceType: Type.Optional(OneOf('standard')),
  issueTime: Type.Optional(Maybe(TimeOfDay)),
  dueDate: Type.Optional(Maybe(Day)),
  supplyDate: Type.Optional(Maybe(SupplyDate)),
  allowanceAmount: Type.Optional(Maybe(Amount)),
  chargeAmount: Type.Optional(Maybe(Amount)),
  ...texts,
}

export const NewInvoice = Named('NewInvoice', {
  ...optional,
  invoiceKind: InvoiceKind,
  invoiceDate: Day,
  currency: InvoiceCurrency,
  lineItems: Lines,
})

export const InvoiceChange = Named('InvoiceChange', {
  ...optional,
  invoiceKind: Type.Optional(InvoiceKind),
  invoiceDate: Type.Optional(Day),
  currency: Type.Optional(InvoiceCurrency),
  lineItems: Type.Optional(Lines),
})

const LineView = Named('InvoiceLine', {
  ...SharedLineView,
  itemId: Maybe(Uuid),
  itemName: Maybe(Type.String()),
  quantity: Type.String(),
  unitPrice: Type.String(),
  discountAmount: Type.String(),
  feeAmount: Type.String(),
  taxPercent: Type.String(),
})

const view = {
  ...SharedView,
  status: OneOf(...invoiceStatuses),
  invoiceKind: InvoiceKind,
  paymentStatus: OneOf(...declaredPaymentStatuses),
  issueTime: Maybe(Type.String()),
  allowanceAmount: Type.String(),
  chargeAmount: Type.String(),
  purchaseOrderReference: Maybe(Type.String()),
  buyerReference: Maybe(Type.String()),
  accountingCost: Maybe(Type.String()),
}

export const SummaryView = Named('InvoiceSummary', view)
export const InvoiceView = Named('Invoice', { ...view, lineItems: List(LineView) })

export const toSummary = (invoice: InvoiceSummary, { today, now }: Moment) => ({
  ...toSharedView(invoice, today(), now()),
  status: invoice.status,
  invoiceKind: invoice.kind,
  paymentStatus: paymentStatus(invoice),
  issueTime: invoice.issueTime,
  allowanceAmount: majorText(invoice.allowanceMinor),
  chargeAmount: majorText(invoice.chargeMinor),
  purchaseOrderReference: invoice.purchaseOrderReference,
  buyerReference: invoice.buyerReference,
  accountingCost: invoice.accountingCost,
})

export const toView = (invoice: Invoice, moment: Moment) => ({
  ...toSummary(invoice, moment),
  lineItems: invoice.lines.map((line) => ({
    ...toSharedLine(line),
    itemId: line.itemId,
    itemName: line.itemName,
    quantity: decimalText(line.quantity),
    unitPrice: decimalText(line.unitPrice, 2),
    discountAmount: majorText(line.discountMinor),
    feeAmount: majorText(line.feeMinor),
    taxPercent: decimalText(line.taxRate),
  })),
})
