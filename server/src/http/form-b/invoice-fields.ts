import Type, { type Static } from 'typebox'
import type { Decimal } from '../../kernel/decimal.ts'
import { documentTypes } from '../../kernel/invoice-document.ts'
import type { Fault } from '../../kernel/refusals.ts'
import type { BuyerId } from '../../modules/buyers/index.ts'
import {
  type DraftInput,
  decimalText,
  type Invoice,
  type InvoiceStatus,
  type InvoiceSummary,
  invoiceCurrencies,
  invoiceStatuses,
  isOverdue,
  type LineInput,
  type PaymentStatus,
} from '../../modules/invoices/index.ts'
import type { SellerId } from '../../modules/sellers/index.ts'
import { amountsCheck, decimalFrom, minorOrNull, minorOrUndefined, money, unitPrice } from '../both/amounts.ts'
import { paymentStatus, SharedLineView, SharedView, SupplyDate, toSharedLine, toSharedView } from '../both/invoices.ts'
import { Day, Fields, List, Maybe, means, Named, named, OneOf, Prose, Text, Uuid } from '../fields.ts'
import type { Moment } from '../speak.ts'

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

/** What several steps of the core are called here. */
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

const codeOfGoods =
  'the customs code of goods (HS), of the code list `product-codes`; needed unless `isicCode` is given'

const Line = Named('NewInvoiceLine', {
  description: Prose(1, 500),
  hsnCode: Type.Optional(means(codeOfGoods, Maybe(Text(1, 20)))),
  productCategory: Type.Optional(Maybe(Text(1, 500))),
  isicCode: Type.Optional(Maybe(Text(1, 20))),
  serviceCategory: Type.Optional(Maybe(Text(1, 500))),
  quantity: Type.Number(),
  unitCode: Text(1, 10),
  unitPrice: Type.Number(),
  discountAmount: Type.Optional(Type.Number()),
  taxPercent: Type.Number(),
})

const needsCode = (line: Record<string, unknown>, path: string): Fault[] => {
  const faults: Fault[] = []
  if (line.hsnCode == null && line.isicCode == null)
    faults.push({ path: `${path}.hsnCode`, rule: 'required', message: 'is required unless isicCode is given' })
  if (line.productCategory != null && line.serviceCategory != null)
    faults.push({
      path: `${path}.serviceCategory`,
      rule: 'unwanted',
      message: 'must be left out where productCategory is sent',
    })
  return faults
}

const thousandth = { decimals: 6, atLeast: 1_000n, atMost: 10n ** 15n }
const percent = { decimals: 4, atLeast: 0n, atMost: 1_000_000n }
export const checkDraft = amountsCheck(
  { allowanceAmount: money, chargeAmount: money },
  { quantity: thousandth, unitPrice, discountAmount: money, taxPercent: percent },
  needsCode,
)

const shared = {
  invoiceDate: Day,
  dueDate: Type.Optional(Maybe(Day)),
  supplyDate: Type.Optional(Maybe(SupplyDate)),
  currency: Type.Optional(named('InvoiceCurrency', OneOf(...invoiceCurrencies))),
  lineItems: Type.Array(Line, { minItems: 1, maxItems: 500 }),
  allowanceAmount: Type.Optional(Maybe(Type.Number())),
  chargeAmount: Type.Optional(Maybe(Type.Number())),
  paymentStatus: Type.Optional(OneOf(...paymentStatuses)),
  paymentTerms: Type.Optional(Maybe(Prose(0, 500))),
  notes: Type.Optional(Maybe(Prose(0, 2000))),
}

export const NewInvoice = Named('NewInvoice', {
  ...shared,
  sellerId: Uuid,
  buyerId: Uuid,
  invoiceNumber: Text(1, 100),
  invoiceType: Type.Optional(OneOf(...documentTypes)),
  originalInvoiceNumber: Type.Optional(Text(1, 100)),
})
const OtherBuyer = Type.String({
  format: 'uuid',
  description:
    'Another buyer. Only for an invoice that the tax authority rejected and that was reopened; otherwise the buyer cannot be changed.',
})
export const InvoiceChange = Type.Partial(Fields({ ...shared, buyerId: OtherBuyer }), {
  additionalProperties: false,
  named: 'InvoiceChange',
})

export const toLine = (line: Static<typeof Line>): LineInput => ({
  description: line.description,
  hsnCode: line.hsnCode,
  serviceCode: line.isicCode,
  productCategory: line.productCategory ?? line.serviceCategory ?? undefined,
  quantity: decimalFrom(line.quantity) as Decimal,
  unitCode: line.unitCode,
  unitPrice: decimalFrom(line.unitPrice) as Decimal,
  discountMinor: minorOrUndefined(line.discountAmount),
  taxPercent: decimalFrom(line.taxPercent) as Decimal,
})

/** `overdue` is what time makes of `unpaid`. */
export const declared = (status: (typeof paymentStatuses)[number] | undefined): PaymentStatus | undefined =>
  status === 'overdue' ? 'unpaid' : status

export const toDraft = (body: Static<typeof NewInvoice>): DraftInput => ({
  type: body.invoiceType ?? 'standard',
  number: body.invoiceNumber,
  sellerId: body.sellerId as SellerId,
  buyerId: body.buyerId as BuyerId,
  issueDate: body.invoiceDate,
  dueDate: body.dueDate,
  supplyDate: body.supplyDate,
  currency: body.currency ?? 'NGN',
  lines: body.lineItems.map(toLine),
  allowanceMinor: minorOrNull(body.allowanceAmount) ?? undefined,
  chargeMinor: minorOrNull(body.chargeAmount) ?? undefined,
  declaredPaymentStatus: declared(body.paymentStatus),
  paymentTerms: body.paymentTerms ?? null,
  notes: body.notes ?? null,
  originalNumber: body.originalInvoiceNumber,
})

const LineView = Named('InvoiceLine', {
  ...SharedLineView,
  serviceCategory: Maybe(Type.String()),
  quantity: Type.Number(),
  unitPrice: Type.Number(),
  discountAmount: Type.Number(),
  taxPercent: Type.Number(),
})

export const view = {
  ...SharedView,
  status: OneOf(...statuses),
  paymentStatus: OneOf(...paymentStatuses, 'payment_failed'),
}
export const SummaryView = Named('InvoiceSummary', view)
export const InvoiceView = Named('Invoice', { ...view, lineItems: List(LineView) })

export const paymentHere = (invoice: InvoiceSummary, today: string) =>
  isOverdue(invoice, today) && paymentStatus(invoice) === 'unpaid' ? ('overdue' as const) : paymentStatus(invoice)

export const toSummary = (invoice: InvoiceSummary, { today, now }: Moment) => {
  const day = today()
  return {
    ...toSharedView(invoice, day, now()),
    status: statusHere[invoice.status],
    paymentStatus: paymentHere(invoice, day),
  }
}

/** Exact decimals of this size are the numbers that they spell. */
const numberOf = (decimal: Decimal): number => Number(decimalText(decimal))

export const toView = (invoice: Invoice, moment: Moment) => ({
  ...toSummary(invoice, moment),
  lineItems: invoice.lines.map((line) => ({
    ...toSharedLine(line),
    productCategory: line.serviceCode === null ? line.productCategory : null,
    serviceCategory: line.serviceCode === null ? null : line.productCategory,
    quantity: numberOf(line.quantity),
    unitPrice: numberOf(line.unitPrice),
    discountAmount: numberOf({ units: line.discountMinor, scale: 2 }),
    taxPercent: numberOf(line.taxRate),
  })),
})
