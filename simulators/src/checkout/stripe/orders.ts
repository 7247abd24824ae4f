import type { CardOrder, PageOrder } from '../ledger.ts'
import { isWebAddress } from '../provider-api.ts'
import { invalid, missing } from './errors.ts'
import type { Form } from './form.ts'

const minute = 60_000
const shortestLife = 30 * minute
const longestLife = 24 * 60 * minute

export function wholeNumber(form: Form, name: string): number {
  const text = form.text(name)
  if (text === undefined) throw missing(name)
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(number)) throw invalid(`Invalid integer: ${text}`, name, 'parameter_invalid_integer')
  if (number < 1) throw invalid('This value must be greater than or equal to 1.', name, 'parameter_invalid_integer')
  return number
}

function currency(form: Form, name: string): string {
  const code = form.text(name)?.toLowerCase()
  if (code === undefined) throw missing(name)
  if (!/^[a-z]{3}$/.test(code)) throw invalid(`Invalid currency: ${code}.`, name)
  return code
}

function address(form: Form, name: string): string | undefined {
  const url = form.text(name)
  if (url === undefined || isWebAddress(url)) return url
  throw invalid('Not a valid URL', name, 'url_invalid')
}

/** What `POST /v1/checkout/sessions` asks for. */
export function sessionOrder(form: Form, now: Date): PageOrder {
  if (form.text('mode') !== 'payment') throw invalid('This simulator knows mode=payment only.', 'mode')
  const items = lineItems(form)
  const keepsCard = form.text('payment_intent_data[setup_future_usage]') === 'off_session'
  const returnUrl = address(form, 'success_url')
  if (returnUrl === undefined) throw missing('success_url')
  return {
    provider: 'stripe',
    reference: form.text('client_reference_id') ?? '',
    ...items,
    email: form.text('customer_email'),
    returnUrl,
    cancelUrl: address(form, 'cancel_url'),
    metadata: form.metadata('metadata'),
    intentMetadata: form.metadata('payment_intent_data[metadata]'),
    keepsCard,
    // one who may be charged again is remembered in any case
    makesCustomer: keepsCard || form.text('customer_creation') === 'always',
    expiresAt: expiry(form, now),
  }
}

function lineItems(form: Form): Pick<PageOrder, 'amount' | 'currency' | 'description'> {
  const count = form.count('line_items')
  if (count === 0) throw missing('line_items')
  const items = Array.from({ length: count }, (_, at) => {
    const item = `line_items[${at}]`
    const name = form.text(`${item}[price_data][product_data][name]`)
    if (name === undefined) throw missing(`${item}[price_data][product_data][name]`)
    const amount = wholeNumber(form, `${item}[price_data][unit_amount]`) * wholeNumber(form, `${item}[quantity]`)
    return { name, amount, currency: currency(form, `${item}[price_data][currency]`) }
  })
  const [first] = items as [(typeof items)[number]]
  if (items.some((item) => item.currency !== first.currency))
    throw invalid('All line items must have the same currency.', 'line_items')
  return {
    amount: items.reduce((sum, { amount }) => sum + amount, 0),
    currency: first.currency,
    description: items.map(({ name }) => name).join(', '),
  }
}

function expiry(form: Form, now: Date): number {
  if (form.text('expires_at') === undefined) return now.getTime() + longestLife
  const at = wholeNumber(form, 'expires_at') * 1000
  // whole seconds: half a second must not refuse what was just right when it was sent
  const life = at - Math.floor(now.getTime() / 1000) * 1000
  if (life < shortestLife || life > longestLife)
    throw invalid('`expires_at` must be between 30 minutes and 24 hours from now.', 'expires_at')
  return at
}

/** What `POST /v1/payment_intents` asks for: only ever a saved card, charged at once. */
export function cardOrder(form: Form): Omit<CardOrder, 'email'> {
  if (form.text('confirm') !== 'true' || form.text('off_session') !== 'true')
    throw invalid('This simulator knows confirm=true with off_session=true only.', 'confirm')
  for (const name of ['customer', 'payment_method']) if (form.text(name) === undefined) throw missing(name)
  const metadata = form.metadata('metadata')
  return {
    provider: 'stripe',
    reference: typeof metadata.reference === 'string' ? metadata.reference : '',
    amount: wholeNumber(form, 'amount'),
    currency: currency(form, 'currency'),
    description: form.text('description') ?? '',
    metadata,
    intentMetadata: metadata,
  }
}
