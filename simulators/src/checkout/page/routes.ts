import { jsonReply, type Reply, type Request } from '../../shared/http.ts'
import type { Ledger } from '../ledger.ts'
import { type Payment, type PaymentOutcome, Refusal, type TestCard } from '../payment.ts'
import { paymentPage, unknownPage } from './page.ts'

const outcomes: readonly string[] = ['paid', 'failed', 'abandoned'] satisfies PaymentOutcome[]
const isPaymentOutcome = (text: string | null): text is PaymentOutcome => text !== null && outcomes.includes(text)
const testCards: readonly string[] = ['works', 'declines_later'] satisfies TestCard[]
const isTestCard = (text: string): text is TestCard => testCards.includes(text)

/** The hosted pages, below `/checkout`. `sessionId` is what Stripe calls the page's payment. */
export function hostedPages(ledger: Ledger, sessionId: (payment: Payment) => string): (request: Request) => Reply {
  return (request) => {
    const token = /^\/checkout\/([^/]+)$/.exec(request.path)?.[1] ?? ''
    const payment = ledger.withKey(token)
    if (payment === undefined || payment.origin !== 'page') return unknownPage()
    if (request.method === 'POST') return act(ledger, payment, request, sessionId(payment))
    return paymentPage(payment)
  }
}

function act(ledger: Ledger, payment: Payment, request: Request, sessionId: string): Reply {
  const form = new URLSearchParams(request.body)
  const outcome = form.get('outcome')
  const card = form.get('card') ?? 'works'
  const forProgram = request.headers.accept?.includes('application/json') === true
  if (!isPaymentOutcome(outcome) || !isTestCard(card))
    return forProgram ? jsonReply(400, { error: 'unknown outcome or card' }) : paymentPage(payment, 400)
  try {
    ledger.settle(payment, outcome, card)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return forProgram ? jsonReply(409, { error: error.message }) : paymentPage(payment, 409)
  }
  if (forProgram) return jsonReply(200, { outcome })
  const location = whereNext(payment, outcome, sessionId) ?? request.path
  return { status: 303, headers: { location, 'cache-control': 'no-store' }, body: '' }
}

/** Nowhere after a declined card: both providers let people try another one on the same page. */
function whereNext(payment: Payment, outcome: PaymentOutcome, sessionId: string): string | undefined {
  if (outcome === 'failed') return undefined
  if (payment.provider === 'stripe') {
    if (outcome === 'abandoned') return payment.cancelUrl
    return payment.returnUrl?.replaceAll('{CHECKOUT_SESSION_ID}', sessionId)
  }
  if (outcome === 'abandoned' && payment.cancelUrl !== undefined) return payment.cancelUrl
  if (payment.returnUrl === undefined) return undefined
  const back = new URL(payment.returnUrl)
  back.searchParams.set('trxref', payment.reference)
  back.searchParams.set('reference', payment.reference)
  return back.href
}
