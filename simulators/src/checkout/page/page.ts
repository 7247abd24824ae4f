import { createHash } from 'node:crypto'
import { html, Markup } from '../../shared/html.ts'
import type { Reply } from '../../shared/http.ts'
import { type Payment, refundedAmount } from '../payment.ts'
import { formatMoney } from './money.ts'
import { style } from './style.ts'

/**
 * No script at all, and no style but ours. Where forms may lead is left open on purpose: browsers hold `form-action` against
 * every redirect after the form too, and where the merchant sends people on from its return address is not ours to know.
 */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "form-action 'self' http: https:",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

const names = { paystack: 'Paystack', stripe: 'Stripe' } as const

export function paymentPage(payment: Payment, status = 200): Reply {
  const amount = formatMoney(payment.amount, payment.currency)
  const body = html`
<div class="inside">
<h1>${payment.description}</h1>
<p class="amount">${amount}</p>
<dl>
<div><dt>Email</dt><dd>${payment.email ?? 'not given'}</dd></div>
<div><dt>Reference</dt><dd>${payment.reference || 'none'}</dd></div>
</dl>
${payment.state === 'open' || payment.state === 'failed' ? form(payment, amount) : ending(payment)}
</div>`
  return page(status, `${amount} · ${names[payment.provider]} simulator`, names[payment.provider], body)
}

export const unknownPage = (): Reply =>
  page(
    404,
    'Not found · Checkout simulator',
    'Checkout',
    html`<div class="inside"><p class="state">There is no such payment</p><p>The address may be cut short, or the simulator forgot it when it was started again.</p></div>`,
  )

const form = (payment: Payment, amount: string): Markup => html`
${payment.state === 'failed' ? html`<p class="declined" role="alert">The card was declined. You can try again.</p>` : ''}
<form method="post">
<fieldset>
<legend>Test card</legend>
<label><input type="radio" name="card" value="works" checked><span>Works<small>now, and whenever it is charged again</small></span></label>
<label><input type="radio" name="card" value="declines_later"><span>Declined at the next renewal<small>works now, fails when it is charged again</small></span></label>
</fieldset>
<button class="pay" name="outcome" value="paid">Pay ${amount}</button>
<div class="others">
<button name="outcome" value="failed">Fail (card declined)</button>
<button name="outcome" value="abandoned">Abandon</button>
</div>
</form>`

function ending(payment: Payment): Markup {
  const back = payment.returnUrl ? 'You can go back to the merchant.' : 'You can close this page.'
  if (payment.state === 'expired')
    return html`<p class="state">This checkout has expired</p><p>Nobody can pay it any more.</p>`
  if (refundedAmount(payment) === payment.amount)
    return html`<p class="state">Paid, and refunded in full</p><p>${back}</p>`
  return html`<p class="state">This is paid</p><p>${back}</p>`
}

function page(status: number, title: string, provider: string, body: Markup): Reply {
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${new Markup(style)}</style>
</head>
<body>
<main>
<p class="simulator"><strong>${provider} simulator.</strong> This is a test page: no money moves, and no card is needed.</p>
${body}
</main>
</body>
</html>
`
  return { status, headers, body: document.text }
}
