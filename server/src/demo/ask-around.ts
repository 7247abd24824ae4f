import { businessDay } from '../kernel/days.ts'
import { systemClock } from '../platform/clock.ts'
import type { OutboundHttp } from '../platform/outbound/outbound-http.ts'

const json = { 'content-type': 'application/json' }

/** Requests of a web shop on a bad day. They create nothing but a bulk job, and cost nothing. */
const questions = (today: string) =>
  [
    ['GET', '/a/v1/auth/me'],
    ['GET', '/i/v1/items?limit=50'],
    ['GET', '/i/v1/buyers?search=bello'],
    ['GET', '/i/v1/invoices?limit=20'],
    // No line, and an unknown currency.
    ['POST', '/i/v1/invoices', { invoiceKind: 'B2C', invoiceDate: today, currency: 'XXX', lineItems: [] }],
    ['POST', '/i/v1/buyers', { name: '', email: 'not an address' }],
    // A typo, an unknown id, and an action that no key may do.
    ['GET', '/i/v1/invocies'],
    ['GET', '/i/v1/invoices/00000000-0000-7000-8000-000000000000'],
    ['POST', '/a/v1/organizations/me/invitations', { email: 'friend@example.test' }],
    ['GET', '/i/v1/invoices/resources/currencies'],
    ['GET', '/i/v1/overview'],
    // A bulk job without an effect: the PDFs of all invoices in dollars.
    ['POST', '/i/v1/invoices/bulk', { action: 'download', filter: { currency: 'USD' } }],
  ] as const

/**
 * Sends some requests to the API with the demo's key, over HTTP like any program. This happens at every start, because the request log
 * keeps them for a week only.
 */
export async function askAround(
  outbound: OutboundHttp,
  { baseUrl, sandboxKey }: { readonly baseUrl: string; readonly sandboxKey: string },
  signal: AbortSignal,
): Promise<void> {
  const today = businessDay(systemClock.now(), 'Africa/Lagos')
  const api = outbound.party('demo_shop', { baseUrl, overallMs: 5_000, mostBytes: 4 * 1024 * 1024 })
  const headers = { authorization: `Bearer ${sandboxKey}`, 'user-agent': 'demo-shop/1.0', ...json }
  // A restart on the same day adds no second job.
  const idempotencyKey = { 'idempotency-key': `demo-${today}` }
  for (const [method, path, body] of questions(today)) {
    if (signal.aborted) return
    const isJob = path.endsWith('/bulk')
    await api.send({
      method,
      path,
      headers: isJob ? { ...headers, ...idempotencyKey } : headers,
      signal,
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
  }
}
