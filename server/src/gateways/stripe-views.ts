import type { checkoutPort } from '../modules/billing/index.ts'
import {
  type Intent,
  idOf,
  readDisputes,
  readFoundIntents,
  readIntent,
  readSession,
  readSessionIds,
  type Session,
} from './stripe-answers.ts'
import { type Ask, StripeRefusal } from './stripe-calls.ts'

type Look = (handle: string, signal: AbortSignal) => Promise<checkoutPort.ProviderView | undefined>

/** The view of a payment: from its checkout session if it has one, or else from its payment intent. */
export function stripeViews(ask: Ask): Look {
  async function disputeOf(intent: Intent, signal: AbortSignal): Promise<checkoutPort.ProviderView['dispute']> {
    if (!intent.latest_charge?.disputed) return 'none'
    const asked = { payment_intent: intent.id, limit: 100 }
    const { data, has_more } = await ask((stripe) => stripe.disputes.list(asked), readDisputes, signal)
    if (has_more || data.some(({ payment_intent }) => idOf(payment_intent) !== intent.id))
      throw new Error('Stripe answered about other disputes')
    const found = new Set(data.map(({ status }) => outcomes.get(status) ?? 'open'))
    return (['open', 'lost', 'won'] as const).find((outcome) => found.has(outcome)) ?? 'none'
  }

  async function view(
    seen: Pick<checkoutPort.ProviderView, 'reference' | 'state'> & { of: Session | Intent; amount: number | null },
    intent: Intent | null,
    signal: AbortSignal,
  ): Promise<checkoutPort.ProviderView> {
    const { reference, state, of, amount } = seen
    if (amount === null || of.currency === null) throw new Error('Stripe did not say how much this payment is')
    if (state === 'paid' && !intent?.latest_charge) throw new Error('Stripe calls paid what was never charged')
    return {
      reference,
      handle: of.id,
      state,
      amountMinor: BigInt(amount),
      currency: of.currency.toUpperCase(),
      live: of.livemode,
      refundedMinor: BigInt(intent?.latest_charge?.amount_refunded ?? 0),
      dispute: intent === null ? 'none' : await disputeOf(intent, signal),
      authorisation: state === 'paid' ? cardOf(idOf(of.customer) ?? idOf(intent?.customer), intent) : undefined,
    }
  }

  async function lookAtSession(id: string, intent: string | undefined, signal: AbortSignal) {
    const expand = ['payment_intent.latest_charge']
    const session = await ask((stripe) => stripe.checkout.sessions.retrieve(id, { expand }), readSession, signal)
    const { client_reference_id: reference, metadata, payment_intent } = session
    const strange = metadata?.reference !== undefined && metadata.reference !== reference
    if (session.id !== id || strange || (intent !== undefined && payment_intent?.id !== intent))
      throw new Error('Stripe answered about another payment')
    if (!reference) return undefined
    const state = stateOfSession(session)
    return view({ reference, state, of: session, amount: session.amount_total }, payment_intent, signal)
  }

  async function lookAtIntent(id: string, signal: AbortSignal) {
    const asked = { payment_intent: id, limit: 1 }
    const { data } = await ask((stripe) => stripe.checkout.sessions.list(asked), readSessionIds, signal)
    if (data[0] !== undefined) return lookAtSession(data[0].id, id, signal)
    const expand = ['latest_charge']
    const intent = await ask((stripe) => stripe.paymentIntents.retrieve(id, { expand }), readIntent, signal)
    if (intent.id !== id) throw new Error('Stripe answered about another payment')
    const reference = intent.metadata?.reference
    if (!reference) return undefined
    return view({ reference, state: stateOfIntent(intent), of: intent, amount: intent.amount }, intent, signal)
  }

  /**
   * Finds a charge whose answer, and so its handle, was lost. Stripe searches payment intents only, up to a minute
   * late. A session without an intent has a URL that nobody received.
   */
  async function lookForReference(reference: string, signal: AbortSignal) {
    const asked = { query: `metadata['reference']:'${reference}'`, limit: 10 }
    const { data } = await ask((stripe) => stripe.paymentIntents.search(asked), readFoundIntents, signal)
    const found = data.find(({ status }) => status === 'succeeded') ?? data[0]
    const view = found && (await lookAtIntent(found.id, signal))
    if (view && view.reference !== reference) throw new Error('Stripe answered about another payment')
    return view
  }

  return async (handle, signal) => {
    try {
      if (/^cs_\w+$/.test(handle)) return await lookAtSession(handle, undefined, signal)
      if (/^pi_\w+$/.test(handle)) return await lookAtIntent(handle, signal)
      // No quotes, so that the reference stays one word of the query.
      return /^[\w-]{1,200}$/.test(handle) ? await lookForReference(handle, signal) : undefined
    } catch (error) {
      if (error instanceof StripeRefusal && error.code === 'resource_missing') return undefined
      throw error
    }
  }
}

/** An unlisted status stays open, so that a person looks. A closed warning never became a dispute. */
const outcomes = new Map<string, checkoutPort.ProviderView['dispute']>([
  ['won', 'won'],
  ['lost', 'lost'],
  ['warning_closed', 'won'],
  ['prevented', 'none'],
])

function stateOfSession({ status, payment_status, payment_intent }: Session): checkoutPort.ProviderView['state'] {
  if (payment_status === 'paid') return 'paid'
  if (status === 'expired') return 'ended'
  return payment_intent?.last_payment_error ? 'failed' : 'open'
}

function stateOfIntent({ status, last_payment_error }: Intent): checkoutPort.ProviderView['state'] {
  if (status === 'succeeded') return 'paid'
  if (status === 'canceled') return 'ended'
  return status === 'requires_payment_method' && last_payment_error ? 'failed' : 'open'
}

function cardOf(customer: string | undefined, intent: Intent | null): string | undefined {
  const paymentMethod = idOf(intent?.payment_method)
  return customer && paymentMethod ? JSON.stringify({ customer, paymentMethod }) : undefined
}
