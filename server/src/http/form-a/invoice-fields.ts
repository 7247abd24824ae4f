import Type from 'typebox'
import {
  declaredPaymentStatuses,
  type Invoice,
  type InvoiceSummary,
  invoiceStatuses,
} from '../../modules/invoices/index.ts'
import type { Moment } from '../definitions/describe-route.ts'
import { Day, List, Maybe, means, Named, OneOf, Uuid } from '../definitions/fields.ts'
import { Amount, money } from '../shared/amounts.ts'
import { checkLines, lineFields, lineOptions, lineView, toLineView } from '../shared/draft-lines.ts'
import { exchangeRateField, ForeignCurrencyView, toForeignCurrency } from '../shared/home-tax.ts'
import { instalmentsField } from '../shared/instalments.ts'
import {
  InvoiceCurrency,
  InvoiceKind,
  majorText,
  paymentStatus,
  SharedView,
  SupplyDate,
  TimeOfDay,
  toSharedView,
} from '../shared/invoices.ts'
import { toWrittenViews, writtenInputs, writtenViews } from '../shared/written-fields.ts'

const Line = Named('NewInvoiceLine', lineFields, lineOptions)

export const Lines = Type.Array(Line, { minItems: 1, maxItems: 500 })

export const checkDraft = checkLines({ allowanceAmount: money, chargeAmount: money })

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
  invoiceType: Type.Optional(
    means('The type of document: always `standard`. Notes have routes of their own.', OneOf('standard')),
  ),
  issueTime: Type.Optional(means('The time of day of the issue.', Maybe(TimeOfDay))),
  dueDate: Type.Optional(means('The day on which payment is due. Not before `invoiceDate`.', Maybe(Day))),
  instalments: instalmentsField(Amount),
  exchangeRate: exchangeRateField(Amount),
  supplyDate: Type.Optional(SupplyDate),
  allowanceAmount: Type.Optional(
    means('The discount on the whole document, in major units such as dollars.', Maybe(Amount)),
  ),
  chargeAmount: Type.Optional(
    means('The charge added to the whole document, in major units such as dollars.', Maybe(Amount)),
  ),
  ...writtenInputs('A'),
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

const LineView = Named('InvoiceLine', lineView)

const view = {
  ...SharedView,
  status: means(
    '`draft`: can be changed. `finalised`: issued. `queued`: waits for the tax authority. `signed`: registered there. `transmitted`: passed on to the buyer. `accepted` and `rejected`: the decision. `failed`: no clear answer came. `cancellation_pending`: its credit note waits for the tax authority. `cancelled`: taken back.',
    OneOf(...invoiceStatuses),
  ),
  invoiceKind: required.invoiceKind,
  paymentStatus: means(
    'How much of the document is paid. `unpaid`: nothing was paid. `partially_paid`: a part was. `paid`: something was paid, and nothing is left after credit notes. `payment_failed`: you declared it, and nothing was paid since.',
    OneOf(...declaredPaymentStatuses),
  ),
  issueTime: means('The time of day of the issue. Null if the sender set none.', Maybe(Type.String())),
  allowanceAmount: means('The discount on the whole document, in major units such as dollars.', Type.String()),
  chargeAmount: means('The charge added to the whole document, in major units such as dollars.', Type.String()),
  ...writtenViews('A'),
}

export const SummaryView = Named('InvoiceSummary', view)
export const InvoiceView = Named('Invoice', {
  ...view,
  ...ForeignCurrencyView,
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
  ...toWrittenViews('A', invoice),
})

export const toView = (invoice: Invoice, moment: Moment) => ({
  ...toSummary(invoice, moment),
  ...toForeignCurrency(invoice),
  lineItems: invoice.lines.map(toLineView(invoice.currency)),
})
