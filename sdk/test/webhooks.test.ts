import { describe, expect, test } from 'vitest'
import { webhookFormat as formatA } from '../../server/src/http/form-a/webhook-format.ts'
import { webhookFormat as formatB } from '../../server/src/http/form-b/webhook-format.ts'
import { sampleEvent, type WebhookFormat } from '../../server/src/modules/webhooks/index.ts'
import { webhooks as webhooksB } from '../src/form-b.ts'
import { NotGenuine, webhooks } from '../src/index.ts'

const secret = 'whsec_bm90IGEgc2VjcmV0IGF0IGFsbCwgb25seSBhIHNhbXBsZQ=='
const now = Date.parse('2026-11-15T09:30:00Z')

/** A webhook as the service sends it. */
function sent(format: WebhookFormat, secrets: readonly [string, ...string[]] = [secret]) {
  const event = sampleEvent('invoice.created', { country: 'NG', currency: 'NGN' })
  const body = format.bodyOf(event, 'sandbox')
  const name = format.nameOf(event.type) as string
  const headers = format.headersOf({ eventId: event.id, name, body, attempt: 1, unixSeconds: now / 1000, secrets })
  return { body, headers }
}

describe.each([
  { form: 'A', format: formatA, verify: webhooks.verify },
  { form: 'B', format: formatB, verify: webhooksB.verify },
])('a webhook of Form $form', ({ format, verify }) => {
  test('is the event that it tells', async () => {
    const { body, headers } = sent(format)
    const event = await verify(body, headers, secret, { now })
    expect(event).toEqual(JSON.parse(body))
    // The event's type determines the type of its data.
    if (event.type === 'invoice.created' && 'object' in event.data)
      expect(event.data.object.payableMinor).toBe(1_075_000)
    expect(await verify(body, new Headers(headers), secret, { now })).toEqual(event)
    const shouted = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]))
    expect(await verify(body, shouted, secret, { now })).toEqual(event)
  })

  test('is taken under both secrets while one takes the place of the other', async () => {
    const { body, headers } = sent(format, ['whsec_new', secret])
    for (const known of [secret, 'whsec_new', ['whsec_other', secret]])
      expect(await verify(body, headers, known, { now })).toHaveProperty('id')
  })

  test('is refused when anything is wrong with it', async () => {
    const { body, headers } = sent(format)
    const wrong: [string, () => Promise<unknown>][] = [
      ['another secret', () => verify(body, headers, 'whsec_other', { now })],
      ['another body', () => verify(body.replace('INV0042', 'INV0043'), headers, secret, { now })],
      ['no body', () => verify('', headers, secret, { now })],
      ['no headers', () => verify(body, {}, secret, { now })],
      ['too late', () => verify(body, headers, secret, { now: now + 301_000 })],
      ['too early', () => verify(body, headers, secret, { now: now - 301_000 })],
    ]
    for (const [what, verified] of wrong) await expect(verified(), what).rejects.toBeInstanceOf(NotGenuine)
    expect(await verify(body, headers, secret, { now: now + 301_000, toleranceSeconds: 400 })).toHaveProperty('id')
  })
})
