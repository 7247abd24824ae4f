import { type Behaviour, behaviourFrom, wellBehaved } from '../behaviour.ts'
import { invalid, notFound, success } from '../envelope.ts'
import { receivedInvoice } from '../received.ts'
import type { Call, Group, RouteReply } from '../routes.ts'
import { keyFileOf, stampIn } from '../stamps.ts'
import { type PaymentStatus, type PaymentUpdate, paymentStatuses } from '../state.ts'
import { exchange, type TransmitParts } from './transmit.ts'

export interface ControlParts extends TransmitParts {
  behave(next: Behaviour): void
}

/** Routes for testers, which the real authority lacks. Faults do not apply to them. */
export const controlRoutes = (authority: ControlParts): Group => ({
  handler: 'control',
  routes: [
    { on: 'GET /control/behaviour', handle: () => success(authority.behaviour()) },
    { on: 'PUT /control/behaviour', handle: (call) => behave(authority, wellBehaved, call) },
    { on: 'PATCH /control/behaviour', handle: (call) => behave(authority, authority.behaviour(), call) },
    { on: 'GET /control/acceptances', handle: () => success(acceptancesOf(authority)) },
    { on: 'GET /control/acceptances/:irn', handle: (call) => success(acceptanceOf(authority, call.named('irn'))) },
    { on: 'GET /control/payments/:irn', handle: (call) => success(paymentsOf(authority, call.named('irn'))) },
    { on: 'PUT /control/callbacks', handle: (call) => setCallbacks(authority, call) },
    { on: 'POST /control/received-invoices', handle: (call) => success({ irn: receive(authority, call.fields()) }) },
    { on: 'PUT /control/payments/:irn', handle: (call) => setPayment(authority, call) },
    { on: 'GET /control/key-files/:business', handle: (call) => success({ text: keyFileFor(authority, call) }) },
    { on: 'POST /control/stamps', handle: (call) => readStamp(authority, call) },
  ],
})

function behave(authority: ControlParts, before: Behaviour, call: Call): RouteReply {
  const next = behaviourFrom(before, call.fields())
  if (typeof next === 'string') throw invalid(next)
  authority.behave(next)
  return success(next)
}

export interface Acceptances {
  readonly documents: number
  /** number of registrations; higher only if duplicates are accepted */
  readonly accepted: number
  /** number of refused duplicates */
  readonly repeated: number
  /** highest number of registrations of one document */
  readonly mostOfOne: number
}

export function acceptancesOf({ records }: ControlParts): Acceptances {
  const all = [...records.signed.values()]
  return {
    documents: all.length,
    accepted: all.reduce((sum, { accepted }) => sum + accepted, 0),
    repeated: all.reduce((sum, { repeated }) => sum + repeated, 0),
    mostOfOne: all.reduce((most, { accepted }) => Math.max(most, accepted), 0),
  }
}

export function acceptanceOf({ records }: ControlParts, irn: string): { accepted: number; repeated: number } {
  const { accepted = 0, repeated = 0 } = records.signed.get(irn) ?? {}
  return { accepted, repeated }
}

/** The payment status of a document: from the document itself, and from later updates. */
export interface Payments {
  readonly document: unknown
  readonly updates: readonly PaymentUpdate[]
  readonly status: PaymentStatus
}

export function paymentsOf({ records }: ControlParts, irn: string): Payments {
  const signed = records.signed.get(irn)
  if (signed === undefined) throw notFound('invoice')
  const { payment_status: document = null } = records.documentOf(signed)
  return { document, updates: [...signed.payments], status: signed.paymentStatus }
}

function setCallbacks({ records }: ControlParts, call: Call): RouteReply {
  const { url } = call.fields()
  if (url !== null && (typeof url !== 'string' || URL.parse(url) === null))
    throw invalid('url must be an address, or null')
  records.note({ what: 'callbacks', url })
  return success({ url })
}

/** Another business signs and transmits an invoice to one of ours, which is registered with us if it was not. */
export function receive(authority: ControlParts, fields: Readonly<Record<string, unknown>>): string {
  const { records, now } = authority
  const document = receivedInvoice(
    { ...issuerOf(authority, fields.corrects), ...fields },
    now().toISOString().slice(0, 10),
  )
  const irn = String(document.irn)
  if (records.signed.has(irn)) throw invalid('irn is there already: give it another number')
  const { tin } = document.accounting_customer_party as { tin: string }
  if (!records.ownTins.has(tin)) records.note({ what: 'receiver', tin })
  records.note({ what: 'signed', at: now().getTime(), document })
  const signed = records.signed.get(irn)
  if (signed) exchange(authority, signed)
  return irn
}

/** By default, a credit note has the issuer and currency of the document that it corrects. */
function issuerOf({ records }: ControlParts, corrects: unknown): Readonly<Record<string, unknown>> {
  const signed = records.signed.get(String(corrects))
  if (signed === undefined) return {}
  const { party_name, tin } = records.documentOf(signed).accounting_supplier_party as Readonly<Record<string, unknown>>
  return { supplierName: party_name, supplierTin: tin, currency: signed.currency }
}

function setPayment(authority: ControlParts, call: Call): RouteReply {
  const status = paymentStatuses.find((one) => one === call.fields().status)
  if (status === undefined) throw invalid(`status must be one of ${paymentStatuses.join(', ')}`)
  pay(authority, call.named('irn'), status)
  return success({ status })
}

/** The supplier reports a payment or recalls the document. A buyer that we serve gets a callback. */
export function pay({ records, notifier, behaviour }: ControlParts, irn: string, status: PaymentStatus): void {
  const signed = records.signed.get(irn)
  if (signed === undefined) throw invalid('irn is not signed')
  records.note({ what: 'paid', irn, status })
  if (records.ownTins.has(signed.customerTin ?? ''))
    notifier.tell({ irn, message: 'TRANSMITTED' }, behaviour().callbacks)
}

const keyFileFor = ({ records }: ControlParts, call: Call): string => keyFileOf(records, call.named('business'))

function readStamp({ records }: ControlParts, call: Call): RouteReply {
  const { businessId, text } = call.fields()
  const stamp = stampIn(records, String(businessId), String(text))
  if (stamp === undefined) throw invalid('text is no stamp of this business')
  return success(stamp)
}
