import { randomBytes } from 'node:crypto'
import { jsonReply, type Reply, type Request } from '../../shared/http.ts'
import type { Store } from '../../shared/json-store.ts'
import type { Ledger } from '../ledger.ts'
import { type Metadata, type Payment, Refusal } from '../payment.ts'
import { bearer, dispatch, type Route } from '../provider-api.ts'
import type { State } from '../state.ts'
import { invalid, missing, refused, StripeError, unknownObject } from './errors.ts'
import { Form } from './form.ts'
import { onceForKey } from './idempotency.ts'
import { customerId, idsOf, type StripeObjects } from './objects.ts'
import { cardOrder, sessionOrder, wholeNumber } from './orders.ts'

export interface StripeSettings {
  readonly key: string
  readonly live: boolean
  readonly objects: StripeObjects
  readonly store: Store<State>
}

/** Stripe's API, below `/v1`. */
export function stripeApi(ledger: Ledger, settings: StripeSettings): (request: Request) => Reply {
  const routes = routesOf(ledger, settings)
  return (request) => {
    const reply = answer(() => {
      if (bearer(request) !== settings.key) throw new StripeError(401, 'Invalid API Key provided.')
      return onceForKey(settings.store, request, () => answer(() => run(routes, request)))
    })
    return { ...reply, headers: { ...reply.headers, 'request-id': `req_${randomBytes(7).toString('hex')}` } }
  }
}

function run(routes: readonly Route[], request: Request): Reply {
  const reply = dispatch(routes, request, request.path)
  if (reply !== undefined) return reply
  throw new StripeError(404, `Unrecognized request URL (${request.method}: ${request.path}).`)
}

function answer(work: () => Reply): Reply {
  try {
    return work()
  } catch (error) {
    if (error instanceof StripeError) return error.reply
    if (error instanceof Refusal) return refused(error).reply
    throw error
  }
}

const found = (object: unknown): Reply => jsonReply(200, object)
/** A page of them, as large as asked for, after the one that the last page ended with. */
function listed({ path, query }: Request, all: readonly { readonly id: string }[]): Reply {
  const after = all.findIndex(({ id }) => id === query.get('starting_after')) + 1
  const end = after + Number(query.get('limit') ?? 10)
  return found({ object: 'list', data: all.slice(after, end), has_more: end < all.length, url: path })
}

/** Searches have pages of another kind: each names the next one. */
function searched({ path, query }: Request, all: readonly object[]): Reply {
  const from = Number(query.get('page') ?? 0)
  const end = from + Number(query.get('limit') ?? 10)
  const more = end < all.length
  const next_page = more ? String(end) : null
  return found({ object: 'search_result', data: all.slice(from, end), has_more: more, next_page, url: path })
}

/** Of Stripe's language for searches this knows one question: `metadata['name']:'value'`. */
function metadataQuery({ query }: Request): (metadata: Metadata) => boolean {
  const asked = query.get('query')
  if (!asked) throw missing('query')
  const [, , name, , value] = /^metadata\[(['"])([^'"]+)\1\]:(['"])([^'"]*)\3$/.exec(asked) ?? []
  if (name === undefined) throw invalid('This simulator searches by one field of the metadata only.', 'query')
  return (metadata) => metadata[name] === value
}

function routesOf(ledger: Ledger, { live, objects }: StripeSettings): readonly Route[] {
  const payments = () => ledger.payments('stripe')
  const session = (id: string): Payment => {
    const payment = payments().find((each) => each.origin === 'page' && idsOf(each, live).session === id)
    if (payment === undefined) throw unknownObject('checkout.session', id, 'session')
    return payment
  }
  /** a payment intent exists from the first attempt on */
  const intent = (id: string, param = 'intent'): Payment => {
    const payment = payments().find((each) => each.attempted && idsOf(each, live).intent === id)
    if (payment === undefined) throw unknownObject('payment_intent', id, param)
    return payment
  }
  const charge = (id: string, param = 'charge'): Payment => {
    const payment = payments().find((each) => each.attempted && idsOf(each, live).charge === id)
    if (payment === undefined) throw unknownObject('charge', id, param)
    return payment
  }
  /** those that the query narrows to; all of them when it does not */
  const asked = ({ query }: Request): Payment[] => {
    const [intentId, chargeId] = [query.get('payment_intent'), query.get('charge')]
    if (intentId !== null) return [intent(intentId, 'payment_intent')]
    return chargeId === null ? payments() : [charge(chargeId)]
  }
  const expandOf = ({ query, body }: Request): string[] => [
    ...new Form(query).list('expand'),
    ...new Form(body).list('expand'),
  ]

  return [
    {
      on: 'POST /v1/checkout/sessions',
      handle(request) {
        const payment = ledger.openPage(sessionOrder(new Form(request.body), ledger.now()))
        return found(objects.session(payment, expandOf(request)))
      },
    },
    {
      on: 'GET /v1/checkout/sessions',
      handle(request) {
        const pages = asked(request).filter(({ origin }) => origin === 'page')
        const expand = expandOf(request).map((path) => path.replace(/^data\./, ''))
        return listed(
          request,
          pages.map((payment) => objects.session(payment, expand)),
        )
      },
    },
    {
      on: 'GET /v1/checkout/sessions/:',
      handle: (request, id) => found(objects.session(session(id), expandOf(request))),
    },
    {
      on: 'POST /v1/checkout/sessions/:/expire',
      handle(request, id) {
        const payment = session(id)
        ledger.expire(payment)
        return found(objects.session(payment, expandOf(request)))
      },
    },
    {
      on: 'POST /v1/payment_intents',
      handle(request) {
        const form = new Form(request.body)
        const order = cardOrder(form)
        const method = form.text('payment_method') ?? ''
        const card = ledger.cards('stripe').find(({ key, reusable }) => reusable && `pm_${key}` === method)
        if (card === undefined) throw unknownObject('PaymentMethod', method, 'payment_method')
        if (form.text('customer') !== customerId(card))
          throw invalid('The payment method does not belong to the customer.', 'customer')
        const payment = ledger.chargeCard(card, { ...order, email: card.email })
        if (payment.state !== 'paid') throw new StripeError(402, 'Your card was declined.', objects.declined(payment))
        return found(objects.intent(payment, expandOf(request)))
      },
    },
    {
      on: 'GET /v1/payment_intents/search',
      handle(request) {
        const matches = metadataQuery(request)
        const all = payments().filter((each) => each.attempted && matches(each.intentMetadata))
        return searched(
          request,
          all.map((payment) => objects.intent(payment)),
        )
      },
    },
    {
      on: 'GET /v1/payment_intents/:',
      handle: (request, id) => found(objects.intent(intent(id), expandOf(request))),
    },
    { on: 'GET /v1/charges/:', handle: (_request, id) => found(objects.charge(charge(id))) },
    {
      on: 'POST /v1/refunds',
      handle(request) {
        const form = new Form(request.body)
        const [intentId, chargeId] = [form.text('payment_intent'), form.text('charge')]
        if (intentId === undefined && chargeId === undefined) throw missing('payment_intent')
        const payment = intentId === undefined ? charge(chargeId ?? '') : intent(intentId, 'payment_intent')
        const amount = form.text('amount') === undefined ? undefined : wholeNumber(form, 'amount')
        const refund = ledger.refund(payment, { amount, metadata: form.metadata('metadata') })
        return found(objects.refund(payment, refund))
      },
    },
    {
      on: 'GET /v1/refunds',
      handle(request) {
        const all = asked(request).flatMap((payment) =>
          payment.refunds.toReversed().map((refund) => objects.refund(payment, refund)),
        )
        return listed(request, all)
      },
    },
    {
      on: 'GET /v1/disputes',
      handle: (request) =>
        listed(
          request,
          asked(request).flatMap((payment) => objects.dispute(payment) ?? []),
        ),
    },
  ]
}
