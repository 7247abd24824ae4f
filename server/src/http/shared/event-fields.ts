import Type, { type TProperties } from 'typebox'
import { invoiceKinds } from '../../jurisdictions/invoice-kinds.ts'
import { documentTypes } from '../../kernel/invoice-document.ts'
import { modes } from '../../kernel/tenant.ts'
import { endReasons, paymentKinds, paymentStatuses, subscriptionStatuses } from '../../modules/billing/index.ts'
import { bulkJobs } from '../../modules/bulk-jobs/index.ts'
import { intervals } from '../../modules/catalogue/index.ts'
import { reconciliationStatuses } from '../../modules/collection/index.ts'
import { invoiceStatuses } from '../../modules/invoices/index.ts'
import { itemTypes } from '../../modules/items/index.ts'
import { connectionProblems, connectionStatuses } from '../../modules/tax-connection/index.ts'
import { taxIdStatuses } from '../../modules/tax-identities/index.ts'
import { List, Maybe, means, OneOf } from '../definitions/fields.ts'
import { wireTaxIdTypes } from './contract-words.ts'
import { meaningOf } from './value-meanings.ts'

/** Open objects: receivers must ignore fields that are added later. */
export const Data = <P extends TProperties>(properties: P) => Type.Object(properties)

export const text = (description: string) => Type.String({ description })
export const whole = (description: string) => Type.Integer({ description })
export const yes = (description: string) => Type.Boolean({ description })
export const texts = (description: string) => means(description, List(Type.String()))
export const oneOf = <const V extends readonly string[]>(description: string, values: V) =>
  means(description, OneOf(...values))
export const maybe = (description: string) => Maybe(text(description))
export const minor = (what: string) => whole(`${what}, in minor units such as cents.`)

const id = (of: string) => text(`Unique identifier of the ${of} (UUIDv7).`)
const maybeId = (of: string, when: string) => maybe(`Unique identifier of the ${of}. ${when}`)
const currency = text('ISO 4217 code, such as `NGN`.')
const instant = (what: string) => text(`${what} (ISO 8601, UTC).`)

export const invoice = {
  invoiceId: id('invoice'),
  invoiceNumber: text('The number of the document, as printed on it.'),
  invoiceType: oneOf(meaningOf.documentTypes, documentTypes),
  invoiceKind: oneOf(meaningOf.invoiceKinds, invoiceKinds),
  status: oneOf('Status of the invoice after the event. `Invoice.status` explains the values.', invoiceStatuses),
  buyerId: maybeId('buyer', 'Null if the invoice names no saved buyer.'),
  currency,
  payableMinor: minor('Total to pay, tax included'),
  taxMinor: minor('Tax in the total'),
  originalInvoiceId: maybeId('corrected invoice', 'Null unless the document is a credit or debit note.'),
  jurisdiction: maybe('ISO 3166 code of the country whose rules apply, such as `NG`. Null if a job caused the event.'),
  authorityReference: maybe(
    'The number that the tax authority knows the document by (NRS: IRN). Null until it has one.',
  ),
  submittedAt: Maybe(instant('When the document was submitted to the authority. Null until it was')),
}
export const uses = {
  itemUses: Type.Record(Type.String(), Type.Integer(), {
    description: 'How many new lines were made from which saved items: item id to number of lines.',
  }),
}
export const amounts = {
  paidMinor: minor('Paid so far'),
  dueMinor: minor('Left to pay'),
  nextDueDate: maybe(
    'The due date of the oldest instalment that is not settled, or of the invoice (YYYY-MM-DD). Null if nothing is left to pay, or without a due date. Absent in older events.',
  ),
}
export const creditNote = { creditNoteId: Type.Optional(text('The credit note that cancels the invoice.')) }
export const reasons = { reasons: Type.Optional(texts('What the authority says is wrong, one sentence each.')) }
export const invoicePayment = {
  paymentId: text('Unique identifier of the recorded payment.'),
  amountMinor: minor('Amount of the payment'),
}
export const buyer = {
  buyerId: id('buyer'),
  name: text('Name of the buyer.'),
  taxId: maybe('Tax number of the buyer. Null if none is known.'),
  taxIdType: oneOf(meaningOf.taxIdTypes, wireTaxIdTypes),
  taxIdStatus: oneOf(
    'What is known of the tax number after the event. `BuyerTaxIdStatus` explains the values.',
    taxIdStatuses,
  ),
}
export const seller = {
  sellerId: id('seller'),
  name: text('Name of the seller.'),
  taxId: maybe('Tax number of the seller. Null if none is known.'),
  isPrimary: yes('Whether it is the seller of the organisation itself.'),
}
export const registered = {
  registeredName: maybe('The name under which the authority knows the tax number. Null if it knows none.'),
}
export const checked = {
  ...seller,
  ...registered,
  status: oneOf('What the authority says of the tax number. `BuyerTaxIdStatus` explains the values.', taxIdStatuses),
}
export const connection = {
  connectionId: id('connection to the tax authority'),
  status: oneOf(
    '`pending`: the connection is incomplete, and `problem` says why. `connected`: invoices can be submitted. `revoked`: a user ended it.',
    connectionStatuses,
  ),
  businessId: text('The business id that the authority gave.'),
  serviceId: text('The service id that the authority gave.'),
  businessName: maybe('The name under which the authority knows the business. Null until it was asked.'),
  problem: Maybe(
    oneOf(
      'Why the connection is `pending`. `not_asked`: the authority has not answered yet. `no_access`: this installation has no access to it. `no_answer`: it does not answer. `keys_refused`: it refuses your keys. `unknown_business`: it has no business with this id. `other_service_id`, `other_tax_number`, `other_name`: it has another one for this business. `tax_number_unconfirmed`: your tax number is not confirmed in live mode. `other_organisation`: another organisation is connected as this business. `key_file_missing`: send the key file. Null if nothing is wrong.',
      connectionProblems,
    ),
  ),
}
export const item = {
  itemId: id('saved item'),
  name: text('Name of the item.'),
  sku: maybe('Stock keeping unit. Null if it has none.'),
  itemType: oneOf('Whether the item is `goods` or a `service`.', itemTypes),
}
export const bulkJob = {
  bulkJobId: id('bulk job'),
  action: oneOf('What the job did with each document. `BulkJob.action` explains the values.', bulkJobs.actions),
  status: oneOf(
    '`done`: every document has its result. `cancelled`: a member cancelled the job. `stopped`: the member or API key that started it lost the permission, or it kept failing.',
    ['done', 'cancelled', 'stopped'],
  ),
  total: whole('Number of documents of the job.'),
  done: whole('Number of documents on which the action succeeded.'),
  failed: whole('Number of documents that were refused. The results of the job have the reasons.'),
  skipped: whole('Number of documents whose turn had not come when the job was cancelled or stopped.'),
}
const clockMove = {
  moveId: id('move of the test clock'),
  fromAt: text('Time of the sandbox before the move (ISO 8601, UTC).'),
}
export const clockMoving = { ...clockMove, toAt: text('Time at which the move ends (ISO 8601, UTC).') }
export const clockMoved = {
  ...clockMove,
  reachedAt: text('Time of the sandbox after the move (ISO 8601, UTC).'),
  steps: whole('Number of moments at which something was due.'),
}
export const inboundInvoice = {
  inboundInvoiceId: id('received invoice'),
  authorityReference: text('The number that the tax authority knows the document by (NRS: IRN).'),
  invoiceNumber: text('The number that the supplier gave it.'),
  invoiceType: oneOf(meaningOf.documentTypes, documentTypes),
  sellerName: maybe('Name of the supplier. Null if the document names none.'),
  sellerTaxId: maybe('Tax number of the supplier. Null if the document names none.'),
  issueDate: text('Date of the document (YYYY-MM-DD).'),
  dueDate: maybe('When it is to be paid (YYYY-MM-DD). Null if the document names no date.'),
  currency,
  taxMinor: minor('Tax in the total'),
  payableMinor: minor('Total to pay, tax included'),
  isValid: yes('Whether our own checks found nothing wrong with it.'),
  inputTaxClaimable: yes('Whether its tax can be claimed as input tax.'),
}
export const payment = {
  paymentId: id('payment'),
  kind: oneOf(meaningOf.paymentKinds, paymentKinds),
  status: oneOf(`Status of the payment after the event. ${meaningOf.paymentStatuses}`, paymentStatuses),
  amountMinor: minor('Amount of the payment'),
  refundedMinor: minor('Refunded so far'),
  currency,
  credits: whole('How many credits it buys.'),
  subscriptionId: Type.Optional(text('The subscription that it pays for. Only for subscriptions and renewals.')),
}
export const subscription = {
  subscriptionId: id('subscription'),
  planCode: text('Code of the plan.'),
  interval: oneOf('How often the plan is paid: `monthly` or `yearly`.', intervals),
  currency,
  status: oneOf(`Status of the subscription after the event. ${meaningOf.subscriptionStatuses}`, subscriptionStatuses),
  cancelAtPeriodEnd: yes('Whether it ends with the period that is paid.'),
  endReason: Maybe(oneOf(`Why the subscription ended. ${meaningOf.endReasons} Null until it ends.`, endReasons)),
}
export const received = {
  paymentId: id('received payment'),
  accountId: text('The virtual account that the money came to.'),
  buyerId: maybeId('buyer', 'Null if the payer is not known.'),
  amountMinor: minor('Amount that was received'),
  appliedMinor: minor('Part that paid invoices'),
  creditedMinor: minor('Part that is credit of the buyer'),
  refundedMinor: minor('Part that was refunded'),
  unmatchedMinor: minor('Part that belongs to no invoice or buyer yet'),
  currency,
  reconciliationStatus: oneOf(
    `How the money was matched after the event. ${meaningOf.reconciliation}`,
    reconciliationStatuses,
  ),
  receivedAt: instant('When the money was received'),
}
export const refund = {
  ...received,
  refundId: id('refund'),
  refundAmountMinor: minor('Amount of this refund'),
}
export const virtualAccount = {
  accountId: id('virtual account'),
  reference: text('The reference that you gave when you opened it.'),
  accountNumber: text('Number of the bank account that payers transfer to.'),
  bankName: text('The bank that holds it.'),
  sellerId: text('The seller who is paid.'),
  buyerId: maybeId('buyer', 'Null unless the account is for one buyer.'),
  invoiceId: maybeId('invoice', 'Null unless the account is for one invoice.'),
}
export const endpoint = {
  endpointId: id('webhook endpoint'),
  host: text('Host of its address. The rest of the address is in no event.'),
  events: texts('The event types and patterns that it subscribes to.'),
}
export const program = {
  name: text('Name of the program, as it gave it.'),
  capabilities: texts('What the program may do from now on, by name, as far as the member may.'),
}
export const key = {
  name: text('Name of the API key.'),
  mode: oneOf('The mode that the key works in: `sandbox` or `live`.', modes),
}
export const byMail = { email: text('Email address of the person.') }
export const role = {
  name: text('Name of the role.'),
  capabilities: texts('What the role allows, by name.'),
}
export const changed = { changed: texts('The fields that changed, by name.') }

export const exchangeRates = {
  currencies: texts('Currencies of the saved rates (ISO 4217).'),
  rates: Type.Integer({ description: 'How many rates were saved.' }),
  from: text('The first day that got a rate (ISO 8601).'),
  to: text('The last day that got a rate (ISO 8601).'),
}

export const taxReturn = {
  taxReturnId: id('closed tax return'),
  period: text('The month that was closed, as `2026-01`.'),
  currency: text('Currency of all amounts (ISO 4217).'),
  outputTaxMinor: Type.Integer({ description: 'Tax on your own documents, in minor units.' }),
  inputTaxMinor: Type.Integer({ description: 'Tax on received documents that you claim, in minor units.' }),
  payableMinor: Type.Integer({
    description: 'Output tax less input tax, in minor units. Negative if you get money back.',
  }),
  closedAt: text('When the month was closed (ISO 8601, UTC).'),
}
