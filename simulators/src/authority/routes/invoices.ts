import type { Behaviour } from '../behaviour.ts'
import { encryptedFor } from '../encryption.ts'
import { ambiguous, created, Failure, failure, invalid, notFound, success, unavailable } from '../envelope.ts'
import { checkInvoice, checkIrn, serviceIdIn, uuid, wrongIrn } from '../invoice-rules.ts'
import type { Notifier } from '../notifier.ts'
import { listReply } from '../paging.ts'
import { xmlOf } from '../resources/xml.ts'
import type { Call, Fields, Group, RouteReply } from '../routes.ts'
import { type Authority, paymentStatuses, type SignedDocument } from '../state.ts'
import { buyerIs } from '../tin.ts'
import { wantsXml } from './resources.ts'

export interface InvoiceParts extends Authority {
  readonly notifier: Notifier
  behaviour(): Behaviour
}

export function invoiceRoutes(authority: InvoiceParts): Group {
  /** number of failed requests for documents of a buyer that fails twice */
  const failures = new Map<string, number>()
  return {
    handler: 'invoice_actions',
    routes: [
      { on: 'POST /api/v1/invoice/irn/validate', handle: (call) => validateIrn(authority, call.fields()) },
      { on: 'POST /api/v1/invoice/validate', handle: (call) => validate(authority, call.fields()) },
      { on: 'POST /api/v1/invoice/sign', handle: (call) => sign(authority, call.fields(), failures) },
      { on: 'GET /api/v1/invoice/confirm/:irn', handle: (call) => confirm(authority, call) },
      { on: 'GET /api/v1/invoice/download/:irn', handle: (call) => download(authority, call) },
      { on: 'PATCH /api/v1/invoice/update/:irn', handle: (call) => update(authority, call) },
      { on: 'GET /api/v1/invoice/:business', handle: (call) => search(authority, call) },
      { on: 'POST /api/v1/vat/postpayment', handle: (call) => reportVat(authority, call.fields()) },
    ],
  }
}

/** A service id belongs to the first business that uses it. Other businesses may not use it in their references. */
function claimService({ records }: Authority, irn: string, businessId: string): void {
  const serviceId = serviceIdIn(irn)
  const owner = records.services.get(serviceId)
  if (owner === undefined) records.note({ what: 'service', serviceId, businessId })
  else if (owner !== businessId) throw wrongIrn()
}

function validateIrn(authority: InvoiceParts, fields: Fields): RouteReply {
  const { invoice_reference: number, business_id: business, irn } = fields
  for (const [name, value] of Object.entries({ invoice_reference: number, business_id: business, irn }))
    if (typeof value !== 'string' || value === '') throw invalid(`irnrequest.${name.replaceAll('_', '')} is required`)
  if (!uuid.test(String(business))) throw invalid(`invalid UUID length: ${String(business).length}`)
  checkIrn(String(irn))
  if (String(irn).split('-')[0] !== number) throw wrongIrn()
  claimService(authority, String(irn), String(business).toLowerCase())
  if (authority.records.signed.has(String(irn))) throw ambiguous()
  return created()
}

function checked(authority: InvoiceParts, invoice: Fields): { irn: string; customerTin: string | undefined } {
  checkInvoice(invoice)
  const irn = String(invoice.irn)
  const customerTin = (invoice.accounting_customer_party as Fields | undefined)?.tin as string | undefined
  claimService(authority, irn, String(invoice.business_id).toLowerCase())
  if (buyerIs(customerTin, 'rejected'))
    throw invalid('invoicerequest.invoice.accountingcustomerparty.tin must be a valid tin')
  return { irn, customerTin }
}

function validate(authority: InvoiceParts, invoice: Fields): RouteReply {
  const { irn } = checked(authority, invoice)
  if (authority.records.signed.has(irn)) throw ambiguous()
  return created()
}

const lateMs = 1_000

/** The only route that registers a document permanently. The buyer's tax number may request a failure. */
function sign(authority: InvoiceParts, invoice: Fields, failures: Map<string, number>): RouteReply {
  const { records, notifier, now, behaviour } = authority
  const { irn, customerTin } = checked(authority, invoice)
  if (buyerIs(customerTin, 'neverAnswered')) return { ...created(), behaviour: { hangs: true } }
  if (buyerIs(customerTin, 'failsTwice')) {
    const failed = failures.get(irn) ?? 0
    failures.set(irn, failed + 1)
    if (failed < 2) throw unavailable()
  }
  const { ambiguous: share, acceptsDuplicates, callsBeforeSignedMs } = behaviour()
  if (records.signed.has(irn)) {
    records.note({ what: acceptsDuplicates ? 'accepted' : 'repeated', irn })
    if (!acceptsDuplicates) throw ambiguous()
    return created()
  }
  if (Math.random() < share) throw ambiguous()
  records.note({ what: 'signed', at: now().getTime(), document: invoice })
  if (callsBeforeSignedMs > 0) {
    notifier.tell({ irn, message: 'TRANSMITTING' }, 'normal')
    return { ...created(), behaviour: { afterMs: callsBeforeSignedMs } }
  }
  if (buyerIs(customerTin, 'lostReply')) return { ...created(), behaviour: { isCut: true } }
  if (buyerIs(customerTin, 'answeredLate')) return { ...created(), behaviour: { afterMs: lateMs } }
  return created()
}

/** The lookup may hide a new document for a while. */
export function signedAt({ records, now, behaviour }: InvoiceParts, irn: string): SignedDocument {
  const signed = records.signed.get(irn)
  if (signed === undefined || now().getTime() - signed.at < behaviour().staleLookupMs) throw notFound('invoice')
  return signed
}

function confirm(authority: InvoiceParts, call: Call): RouteReply {
  const signed = signedAt(authority, call.named('irn'))
  return success({
    irn: signed.irn,
    issue_date: signed.issueDate,
    due_date: signed.dueDate ?? null,
    sync_date: new Date(signed.at).toISOString().slice(0, 10),
    payment_status: signed.paymentStatus,
    transmitted: signed.transmitted,
    delivered: signed.delivered,
  })
}

/** Only for the caller's own keys. Shows the current payment status. */
function download(authority: InvoiceParts, call: Call): RouteReply {
  const signed = signedAt(authority, call.named('irn'))
  const { headers } = call.request
  const document = { ...authority.records.documentOf(signed), payment_status: signed.paymentStatus }
  const envelope = encryptedFor(String(headers['x-api-key']), JSON.stringify(document))
  if (!wantsXml(headers.accept)) return success(envelope)
  return { status: 200, headers: { 'content-type': 'application/xml; charset=utf-8' }, body: xmlOf([envelope]) }
}

/** The words of 2024 (with one L) and of 2026. */
const words: Readonly<Record<string, (typeof paymentStatuses)[number]>> = {
  ...Object.fromEntries(paymentStatuses.map((status) => [status, status])),
  CANCELED: 'REJECTED',
}

function update(authority: InvoiceParts, call: Call): RouteReply {
  const { payment_status: word, amount } = call.fields()
  const status = Object.hasOwn(words, String(word)) ? words[String(word)] : undefined
  if (status === undefined) throw invalid('updaterequest.paymentstatus must be a valid payment status')
  if (status === 'PARTIAL' && !(typeof amount === 'number' && amount > 0))
    throw invalid('updaterequest.amount is required when payment_status is PARTIAL')
  const signed = authority.records.signed.get(call.named('irn'))
  // An unknown document is a failed condition here, not a 404.
  if (signed === undefined)
    return failure(new Failure(400, 'invoice is not signed', 'only a signed invoice can be updated'))
  authority.records.note({
    what: 'paid',
    irn: signed.irn,
    status,
    ...(status === 'PARTIAL' ? { amount: amount as number } : {}),
  })
  return success({ ok: true })
}

function search({ records }: InvoiceParts, call: Call): RouteReply {
  const business = call.named('business')
  if (!uuid.test(business)) throw invalid(`invalid UUID length: ${business.length}`)
  const { query } = call.request
  const irn = query.get('irn')
  const candidates = irn ? [records.signed.get(irn)] : [...records.signed.values()]
  const found = candidates.filter((signed) => signed?.businessId.toLowerCase() === business.toLowerCase())
  return listReply(
    found.map((signed) => ({
      irn: signed?.irn,
      issue_date: signed?.issueDate,
      payment_status: signed?.paymentStatus,
      invoice_type_code: signed?.typeCode,
      document_currency_code: signed?.currency,
    })),
    query,
  )
}

const reported = [
  'agent_tin',
  'base_amount',
  'beneficiary_tin',
  'currency',
  'irn',
  'total_amount',
  'transaction_date',
  'vat_calculated',
  'vat_rate',
  'vat_status',
]

/** All of it is text. */
function reportVat({ records }: InvoiceParts, fields: Fields): RouteReply {
  for (const name of reported)
    if (typeof fields[name] !== 'string' || fields[name] === '')
      throw invalid(`postpaymentrequest.${name.replaceAll('_', '')} is required`)
  if (!records.signed.has(String(fields.irn))) throw invalid('postpaymentrequest.irn must be a valid irn')
  return success({ ...fields, received_at: new Date().toISOString() })
}
