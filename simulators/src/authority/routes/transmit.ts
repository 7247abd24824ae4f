import { randomUUID } from 'node:crypto'
import type { CallbackBehaviour } from '../behaviour.ts'
import { companyNameFrom, pick, uuidFrom } from '../derived.ts'
import { Failure, invalid, success, unavailable } from '../envelope.ts'
import type { Call, Group, RouteReply } from '../routes.ts'
import type { SignedDocument } from '../state.ts'
import { buyerIs, endsIn, knownTin } from '../tin.ts'
import { type InvoiceParts, signedAt } from './invoices.ts'

export type TransmitParts = InvoiceParts

export const transmitRoutes = (authority: TransmitParts): Group => ({
  handler: 'transmit_actions',
  routes: [
    { on: 'GET /api/v1/invoice/transmit/lookup/tin/:tin', handle: lookUpTin },
    { on: 'GET /api/v1/invoice/transmit/lookup/:irn', handle: (call) => lookUpExchange(authority, call) },
    { on: 'GET /api/v1/invoice/transmit/self-health-check', handle: () => testCallbacks(authority) },
    { on: 'GET /api/v1/invoice/transmit/pull', handle: (call) => pull(authority, call) },
    { on: 'POST /api/v1/invoice/transmit/:irn', handle: (call) => transmit(authority, call) },
    { on: 'PATCH /api/v1/invoice/transmit/:irn', handle: (call) => acknowledge(authority, call) },
  ],
})

const accessPoints = ['Gangare Access Point', 'Oke Exchange', 'Mmiri Networks']

/**
 * The authority's real reply is not public. This one has the necessary facts: the business, its provider and its
 * reachability.
 */
function lookUpTin(call: Call): RouteReply {
  const tin = knownTin(call.named('tin'))
  const accessPoint = pick(accessPoints, tin)
  return success({
    tin,
    party_name: companyNameFrom(tin),
    app_reference: uuidFrom(`access point ${accessPoint}`),
    app_name: accessPoint,
    is_active: !endsIn(tin, 'inactive'),
  })
}

function lookUpExchange(authority: TransmitParts, call: Call): RouteReply {
  const { irn, supplierTin, customerTin, transmitted, delivered } = signedAt(authority, call.named('irn'))
  const parties = [
    { tin: supplierTin, acknowledged: transmitted },
    ...(customerTin === undefined ? [] : [{ tin: customerTin, acknowledged: delivered }]),
  ]
  return success({ irn, transmitted, parties })
}

const noCallbacks = () => new Failure(400, 'webhook url is not setup', 'webhook url is not setup')

function testCallbacks({ records, notifier, behaviour }: TransmitParts): RouteReply {
  if (records.callbackUrl === undefined) throw noCallbacks()
  notifier.tell({ irn: `TEST-${'0'.repeat(8)}-19700101`, message: 'TEST' }, behaviour().callbacks)
  return success({ ok: true, id: randomUUID() })
}

/** Delay of a buyer's automatic answer. Buyers that we serve acknowledge through us instead. */
const buyerMs = 20
const lateBuyerMs = 1_500

function transmit(authority: TransmitParts, call: Call): RouteReply {
  const { records, behaviour } = authority
  const { network } = behaviour()
  if (network === 'away') throw unavailable()
  const signed = signedAt(authority, call.named('irn'))
  if (signed.customerTin === undefined) throw invalid('a party needs to be added before an invoice is transmitted')
  if (records.callbackUrl === undefined) throw noCallbacks()
  const tin = knownTin(signed.customerTin)
  if (endsIn(tin, 'inactive')) throw invalid('party is not onboarded')
  if (!signed.transmitted && network === 'normal') exchange(authority, signed)
  return success({ ok: true })
}

/** Starts the transmission and sends the callbacks. */
export function exchange(authority: TransmitParts, signed: SignedDocument): void {
  const { records, notifier, behaviour } = authority
  const { irn, customerTin } = signed
  records.note({ what: 'transmitted', irn })
  const ofBuyer = behaviourOf(customerTin, behaviour().callbacks)
  if (records.ownTins.has(customerTin ?? '')) {
    notifier.tell({ irn, message: 'TRANSMITTING' }, ofBuyer)
    return
  }
  answerFor(authority, signed)
}

/** The buyer's side of it, where somebody else serves them. */
function answerFor(authority: TransmitParts, signed: SignedDocument): void {
  const afterMs = buyerIs(signed.customerTin, 'answeredLate') ? lateBuyerMs : buyerMs
  setTimeout(() => deliver(authority, signed), afterMs).unref()
}

/** Buyers who had not answered when the process ended do so now. */
export function resumeExchanges(authority: TransmitParts): void {
  for (const [tin, waiting] of authority.records.inTransit)
    if (!authority.records.ownTins.has(tin))
      for (const signed of waiting) if (!signed.delivered) answerFor(authority, signed)
}

function deliver({ records, notifier, behaviour }: TransmitParts, signed: SignedDocument): void {
  const { irn, customerTin, delivered } = signed
  if (delivered || records.isClosed) return
  records.note({ what: 'delivered', irn })
  const ofBuyer = behaviourOf(customerTin, behaviour().callbacks)
  // The one that should come first comes last.
  if (ofBuyer === 'late') notifier.tell({ irn, message: 'TRANSMITTED' }, ofBuyer, 300)
  notifier.tell({ irn, message: 'ACKNOWLEDGED' }, ofBuyer)
}

function behaviourOf(tin: string | undefined, usual: CallbackBehaviour): CallbackBehaviour {
  if (usual !== 'normal') return usual
  if (buyerIs(tin, 'answeredTwice')) return 'twice'
  return buyerIs(tin, 'answeredLate') ? 'late' : 'normal'
}

function acknowledge(authority: TransmitParts, call: Call): RouteReply {
  const signed = signedAt(authority, call.named('irn'))
  if (!signed.transmitted) throw invalid('invoice is not in transmission')
  if (!signed.delivered) deliver(authority, signed)
  return success({ ok: true })
}

/** What is under way to those who chose us; what they have acknowledged is among it only with `confirmed=true`. */
function pull(authority: TransmitParts, call: Call): RouteReply {
  const { records } = authority
  const { query } = call.request
  const [from, to] = [query.get('from') ?? '', query.get('to') ?? '']
  for (const [name, day] of Object.entries({ from, to }))
    if (day !== '' && !/^\d{4}-\d{2}-\d{2}$/.test(day)) throw invalid(`${name} must be a valid date value yyyy-mm-dd`)
  const invoices = [...records.ownTins]
    .flatMap((tin) => records.inTransit.get(tin) ?? [])
    .filter(({ at, delivered }) => {
      const day = new Date(at).toISOString().slice(0, 10)
      return (
        (from === '' || day >= from) && (to === '' || day <= to) && (!delivered || query.get('confirmed') === 'true')
      )
    })
    .map(({ irn }) => ({ irn }))
  return success({ invoices: invoices.length === 0 ? null : invoices })
}
