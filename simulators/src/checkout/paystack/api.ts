import { randomUUID } from 'node:crypto'
import { jsonReply, type Reply, type Request } from '../../shared/http.ts'
import { asMetadata, type Ledger } from '../ledger.ts'
import { type Metadata, type Payment, Refusal, type RefusalReason } from '../payment.ts'
import { bearer, dispatch, isWebAddress, type Route } from '../provider-api.ts'
import { authorizationCode, type Domain, disputeObject, refundObject, transactionObject } from './objects.ts'

export interface PaystackSettings {
  readonly key: string
  readonly domain: Domain
  /** where the page of a payment is */
  pageOf(payment: Payment): string
}

/** Paystack remembers every card and everybody, and its pages stay open. */
const always = { keepsCard: true, makesCustomer: true, expiresAt: undefined }

type Fields = Readonly<Record<string, unknown>>

/** Says no in the middle of a request; `api` turns it into Paystack's envelope. */
class ApiRefusal extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

const yes = (message: string, data: unknown, more: object = {}): Reply =>
  jsonReply(200, { status: true, message, data, ...more })

const no = (status: number, code: string, message: string): Reply =>
  jsonReply(status, { status: false, message, meta: { nextStep: 'See the message' }, type: 'validation_error', code })

/** Paystack's API, below `/paystack`. */
export function paystackApi(ledger: Ledger, settings: PaystackSettings): (request: Request) => Reply {
  const routes = routesOf(ledger, settings)
  return (request) => {
    if (bearer(request) !== settings.key) return no(401, 'invalid_Key', 'Invalid key')
    try {
      const path = request.path.replace(/^\/paystack/, '')
      return dispatch(routes, request, path) ?? no(404, 'not_found', `Cannot ${request.method} ${path}`)
    } catch (error) {
      if (error instanceof ApiRefusal) return no(error.status, error.code, error.message)
      if (error instanceof Refusal) return no(400, codeOf[error.reason], messageOf[error.reason])
      throw error
    }
  }
}

const codeOf: Record<RefusalReason, string> = {
  not_open: 'invalid_transaction',
  not_paid: 'transaction_not_successful',
  too_little: 'invalid_amount',
  too_much: 'invalid_amount',
  all_refunded: 'transaction_reversed',
  disputed: 'transaction_disputed',
  no_dispute: 'dispute_not_found',
}

const messageOf: Record<RefusalReason, string> = {
  not_open: 'Transaction cannot be completed',
  not_paid: 'Only successful transactions can be refunded',
  too_little: 'Invalid Amount Sent',
  too_much: 'Refund amount cannot be more than what is left of the transaction',
  all_refunded: 'Transaction has been fully reversed',
  disputed: 'Transaction has a dispute',
  no_dispute: 'Dispute not found',
}

function routesOf(ledger: Ledger, { domain, pageOf }: PaystackSettings): readonly Route[] {
  const transactions = () => ledger.payments('paystack')
  const byReference = (reference: string) => transactions().find((payment) => payment.reference === reference)
  /** by its id or its reference: Paystack takes either */
  const named = (name: string) =>
    transactions().find(({ number, reference }) => [`${number}`, reference].includes(name))
  const asked = ({ query }: Request): Payment[] => {
    const name = query.get('transaction') ?? query.get('reference')
    return name === null ? transactions() : [named(name) ?? []].flat()
  }
  const freshReference = (given: unknown): string => {
    const reference = given === undefined ? randomUUID() : String(given)
    if (!/^[A-Za-z0-9.=-]+$/.test(reference))
      throw new ApiRefusal(400, 'invalid_params', 'Invalid character in transaction reference')
    if (byReference(reference)) throw new ApiRefusal(400, 'duplicate_reference', 'Duplicate Transaction Reference')
    return reference
  }
  const orderOf = (fields: Fields) => {
    const metadata = metadataOf(fields.metadata)
    const order = { email: emailOf(fields.email), amount: amountOf(fields.amount), currency: nairaOf(fields.currency) }
    const reference = freshReference(fields.reference)
    const description = typeof metadata.description === 'string' ? metadata.description : `Payment ${reference}`
    return { provider: 'paystack' as const, ...order, reference, description, metadata, intentMetadata: {} }
  }

  return [
    {
      on: 'POST /transaction/initialize',
      handle(request) {
        const fields = fieldsOf(request)
        const order = orderOf(fields)
        const returnUrl = addressOf(fields.callback_url)
        const cancelUrl = isWebAddress(order.metadata.cancel_action) ? order.metadata.cancel_action : undefined
        const payment = ledger.openPage({ ...order, ...always, returnUrl, cancelUrl })
        const answer = { authorization_url: pageOf(payment), access_code: payment.key, reference: payment.reference }
        return yes('Authorization URL created', answer)
      },
    },
    {
      on: 'GET /transaction/verify/:',
      handle(_request, reference) {
        const payment = byReference(reference)
        if (payment === undefined)
          throw new ApiRefusal(400, 'transaction_not_found', 'Transaction reference not found.')
        return yes('Verification successful', transactionObject(payment, domain))
      },
    },
    {
      on: 'POST /transaction/charge_authorization',
      handle(request) {
        const fields = fieldsOf(request)
        const order = orderOf(fields)
        const card = ledger.cards('paystack').find((saved) => authorizationCode(saved) === fields.authorization_code)
        if (card === undefined) throw new ApiRefusal(400, 'invalid_params', 'Invalid Authorization Code')
        if (card.email !== order.email)
          throw new ApiRefusal(400, 'invalid_params', 'Email does not match Authorization code. Please confirm.')
        return yes('Charge attempted', transactionObject(ledger.chargeCard(card, order), domain))
      },
    },
    {
      on: 'POST /refund',
      handle(request) {
        const fields = fieldsOf(request)
        const payment = named(String(fields.transaction))
        if (payment === undefined) throw new ApiRefusal(404, 'transaction_not_found', 'Transaction not found')
        const amount = fields.amount === undefined ? undefined : amountOf(fields.amount)
        const notes = { merchantNote: textOf(fields.merchant_note), customerNote: textOf(fields.customer_note) }
        const refund = ledger.refund(payment, { amount, ...notes })
        // answered as pending although it is done at once: real ones take days, and the answer never says more
        const transaction = transactionObject(payment, domain)
        const data = { ...refundObject(payment, refund, domain, 'pending'), transaction }
        return yes('Refund has been queued for processing', data)
      },
    },
    {
      on: 'GET /refund',
      handle(request) {
        const all = asked(request).flatMap((payment) =>
          payment.refunds.toReversed().map((refund) => refundObject(payment, refund, domain)),
        )
        return page('Refunds retrieved', all, request)
      },
    },
    {
      on: 'GET /dispute',
      handle: (request) =>
        page(
          'Disputes retrieved',
          asked(request).flatMap((payment) => disputeObject(payment, domain) ?? []),
          request,
        ),
    },
  ]
}

function page(message: string, all: readonly object[], { query }: Request): Reply {
  const perPage = Number(query.get('perPage') ?? 50)
  const number = Number(query.get('page') ?? 1)
  const skipped = (number - 1) * perPage
  const meta = { total: all.length, skipped, perPage, page: number, pageCount: Math.ceil(all.length / perPage) }
  return yes(message, all.slice(skipped, skipped + perPage), { meta })
}

function fieldsOf({ body }: Request): Fields {
  try {
    return asMetadata(JSON.parse(body))
  } catch {
    throw new ApiRefusal(400, 'invalid_params', 'Invalid JSON')
  }
}

/** Paystack takes digits as a number or as text. */
function amountOf(given: unknown): number {
  const amount = typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : given
  if (!Number.isSafeInteger(amount) || (amount as number) <= 0)
    throw new ApiRefusal(400, 'invalid_params', 'Invalid Amount Sent')
  return amount as number
}

function emailOf(given: unknown): string {
  if (given === undefined || given === '')
    throw new ApiRefusal(400, 'invalid_params', 'Email is not allowed to be empty')
  if (typeof given !== 'string' || !/^[^\s@]+@[^\s@]+$/.test(given))
    throw new ApiRefusal(400, 'invalid_email_address', 'Invalid Email Address Passed')
  return given
}

function nairaOf(given: unknown = 'NGN'): string {
  if (given !== 'NGN') throw new ApiRefusal(403, 'unsupported_currency', 'Currency not supported by merchant')
  return given
}

function addressOf(given: unknown): string | undefined {
  if (given === undefined || isWebAddress(given)) return given
  throw new ApiRefusal(400, 'invalid_params', 'Invalid callback URL')
}

const textOf = (given: unknown): string | undefined => (typeof given === 'string' ? given : undefined)

/** Given as an object, or as the JSON text of one. */
function metadataOf(given: unknown): Metadata {
  if (typeof given !== 'string') return asMetadata(given)
  try {
    return asMetadata(JSON.parse(given))
  } catch {
    return {}
  }
}
