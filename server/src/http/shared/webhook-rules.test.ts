import { createHmac, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { allCapabilities } from '../../kernel/capabilities.ts'
import { writeCursor } from '../../kernel/cursors.ts'
import { eventTypes } from '../../kernel/events.ts'
import { newId } from '../../kernel/ids.ts'
import { cursorOf, feedPositionOf } from '../../modules/webhooks/catalogue/feed.ts'
import { matches, patternFaults, subscribableTypes, typesDelivered } from '../../modules/webhooks/catalogue/patterns.ts'
import { deliveryIdOf } from '../../modules/webhooks/deliveries/delivery.ts'
import { consequenceOf, snapshotOf } from '../../modules/webhooks/endpoints/endpoint.ts'
import {
  delayAfter,
  planBounds,
  type RetryPlan,
  retryAfterMs,
  usualPlan,
} from '../../modules/webhooks/endpoints/retry-plan.ts'
import { plainSignature, standardSignature, timestampedSignature } from '../../modules/webhooks/endpoints/signatures.ts'
import { formA } from '../form-a/index.ts'
import { webhookFormat as formatA } from '../form-a/webhook-format.ts'
import { formB } from '../form-b/index.ts'
import { webhookFormat as formatB } from '../form-b/webhook-format.ts'
import { openApiOf } from '../openapi/index.ts'
import { strictCheck } from '../request/validate.ts'

describe('patterns', () => {
  test.each([
    ['*', 'invoice.paid', true],
    ['invoice.*', 'invoice.paid', true],
    ['invoice.*', 'inbound_invoice.received', false],
    ['invoice.*', 'invoice', false],
    ['billing.*', 'billing.payment.succeeded', true],
    ['billing.payment.*', 'billing.payment.succeeded', true],
    ['invoice.paid', 'invoice.paid', true],
    ['invoice.pai', 'invoice.paid', false],
  ])('%s for %s', (pattern, name, expected) => {
    expect(matches(pattern, name)).toBe(expected)
  })

  test.each([
    'invoice',
    'invoice.',
    'invoice.*.*',
    '**',
    'invoice.nothing',
    '*.paid',
    'webhook_endpoint.pinged',
    'INVOICE.paid',
    ' * ',
  ])('an invalid event type is refused: %s', (pattern) =>
    expect(patternFaults(['invoice.paid', pattern], formatA)).toMatchObject([{ path: 'events[1]' }]),
  )

  test('each form knows its own names', () => {
    expect(patternFaults(['member.joined'], formatA)).toEqual([])
    expect(patternFaults(['member.joined'], formatB)).toHaveLength(1)
    expect(patternFaults(['user.created', 'payment.*'], formatB)).toEqual([])
    expect(patternFaults(['user.created'], formatA)).toHaveLength(1)
  })

  test('only events that the owner may read are delivered, for any capabilities', () => {
    fc.assert(
      fc.property(
        fc.subarray([...allCapabilities]),
        fc.subarray(['*', 'invoice.*', 'billing.payment.*', 'member.joined', 'api_key.*'], { minLength: 1 }),
        (held, patterns) => {
          const delivered = typesDelivered({ patterns, capabilities: snapshotOf(new Set(held)) }, formatA)
          const expected = subscribableTypes.filter(
            (type) => held.includes(eventTypes[type].capability) && patterns.some((pattern) => matches(pattern, type)),
          )
          expect([...delivered]).toEqual(expected)
        },
      ),
    )
  })
})

describe('retries', () => {
  test('come after one second, then after two, and then end', () => {
    expect([1, 2, 3].map((failed) => delayAfter(usualPlan, failed))).toEqual([1_000, 2_000, undefined])
  })

  test('come after whole milliseconds, for any multiplier', () => {
    const plan = { ...usualPlan, maxAttempts: 10, initialDelayMs: 100, multiplier: 1.5 }
    expect([1, 2, 3, 4, 5].map((failed) => delayAfter(plan, failed))).toEqual([100, 150, 225, 338, 506])
  })

  test('come later if the receiver asks for it, but at most a day later', () => {
    expect(delayAfter(usualPlan, 1, 5_000)).toBe(5_000)
    expect(delayAfter(usualPlan, 2, 500)).toBe(2_000)
    expect(delayAfter(usualPlan, 1, 10 ** 12)).toBe(86_400_000)
    expect(delayAfter(usualPlan, 1, Number.POSITIVE_INFINITY)).toBe(86_400_000)
    expect(delayAfter({ ...usualPlan, maxAttempts: 10, initialDelayMs: 3_600_000, multiplier: 10 }, 9)).toBe(86_400_000)
    expect(delayAfter({ ...usualPlan, maxDelayMs: 1_500 }, 2)).toBe(1_500)
    expect(delayAfter({ ...usualPlan, maxDelayMs: 1_500 }, 2, 9_000)).toBe(9_000)
  })

  test('follow any valid plan: its number of attempts, growing delays, and its longest delay', () => {
    const between = (name: keyof RetryPlan) => ({ min: planBounds[name].minimum, max: planBounds[name].maximum })
    const plans = fc.record({
      maxAttempts: fc.integer(between('maxAttempts')),
      initialDelayMs: fc.integer(between('initialDelayMs')),
      multiplier: fc.double({ ...between('multiplier'), noNaN: true }),
      maxDelayMs: fc.integer(between('maxDelayMs')),
      timeoutMs: fc.integer(between('timeoutMs')),
    })
    fc.assert(
      fc.property(plans, (plan) => {
        const delays = Array.from({ length: 25 }, (_, nth) => delayAfter(plan, nth + 1))
        const given = delays.filter((delay) => delay !== undefined)
        expect(given).toHaveLength(plan.maxAttempts - 1)
        expect(delays.slice(given.length).every((delay) => delay === undefined)).toBe(true)
        given.forEach((delay, nth) => {
          expect(Number.isSafeInteger(delay)).toBe(true)
          expect(delay).toBeGreaterThanOrEqual(given[nth - 1] ?? Math.min(plan.initialDelayMs, plan.maxDelayMs))
          expect(delay).toBeLessThanOrEqual(plan.maxDelayMs)
          // Each delay is the previous one times the multiplier, up to the longest and except for rounding.
          if (delay < plan.maxDelayMs && nth > 0)
            expect(Math.abs(delay - (given[nth - 1] as number) * plan.multiplier)).toBeLessThanOrEqual(plan.multiplier)
        })
      }),
    )
  })

  const now = new Date('2026-11-15T10:00:00Z')
  test.each([
    [undefined, 0],
    ['120', 120_000],
    ['Sun, 15 Nov 2026 10:01:00 GMT', 60_000],
    ['Sun, 15 Nov 2026 09:00:00 GMT', 0],
    ['-5', 0],
    ['1e9', 0],
    ['soon', 0],
    ['2027', 2_027_000],
    ['99999999999', 99_999_999_999_000],
    ['9'.repeat(400), Number.POSITIVE_INFINITY],
    ['', 0],
    ['5, 7', 7_000],
    ['7,soon,5', 7_000],
    ['Sun, 15 Nov 2026 10:01:00 GMT, 5', 60_000],
    ['5, Sun, 15 Nov 2026 10:01:00 GMT', 60_000],
    [['5', 'Sun, 15 Nov 2026 10:01:00 GMT'], 60_000],
    [['120', '7'], 120_000],
    [[], 0],
  ])('Retry-After: %s', (header, ms) => expect(retryAfterMs(header, now)).toBe(ms))
})

describe('failures in a row', () => {
  const start = new Date('2026-11-15T10:00:00Z')
  const after = (hours: number) => new Date(start.getTime() + hours * 3600_000)
  const run = (failuresInRow: number) => ({ failuresInRow, failingSince: start })

  test.each([
    ['49 for a week', 49, 1, 168, undefined],
    ['the fiftieth within a minute', 50, 1, 0.01, 'warn'],
    ['the fiftieth among several', 63, 20, 0.01, 'warn'],
    ['further ones on the same day', 63, 13, 23.9, undefined],
    ['a further one after a day', 64, 1, 24, 'disable'],
    ['the fiftieth after more than a day', 50, 1, 30, 'disable'],
  ] as const)('%s', (_, failures, added, hours, consequence) =>
    expect(consequenceOf(run(failures), added, after(hours))).toBe(consequence),
  )
})

test('signatures equal the published test vector', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const body = '{"test": 2432232314}'
  expect(standardSignature([secret], 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1614265330, body)).toBe(
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  )
  expect(timestampedSignature([secret], 1614265330, body)).toBe(
    't=1614265330,v1=2e37df5d4a028c51a7f3133d64ae1e300d2c2c900f1b1d49d4369ad2530f8964',
  )
})

test('signatures equal Node’s own HMAC for any secret and body', () => {
  const node = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text)
  // Sizes around the block of 64 bytes, where HMAC uses a key itself or its digest; long bodies; more keys than stay
  // prepared.
  for (const size of [
    ...[0, 1, 32, 47, 48, 63, 64, 65, 200, 1_200, 4_000],
    ...Array.from({ length: 1_100 }, (_, nth) => 24 + (nth % 40)),
  ]) {
    const bytes = randomBytes(size)
    const secret = `whsec_${bytes.toString('base64')}`
    const body = JSON.stringify({ name: 'Àṣà 商 \ud800 "\n', nth: size, long: 'é'.repeat(size * 10) })
    expect(timestampedSignature([secret], 7, body)).toBe(`t=7,v1=${node(secret, `7.${body}`).digest('hex')}`)
    expect(standardSignature([secret], 'id', 7, body)).toBe(`v1,${node(bytes, `id.7.${body}`).digest('base64')}`)
    expect(plainSignature(secret, 7, body)).toBe(`sha256=${node(secret, `7.${body}`).digest('hex')}`)
  }
})

test('a delivery has one valid id with the time of its event', () => {
  const [event, endpoint] = [newId(), newId()]
  const id = deliveryIdOf(event, endpoint)
  expect(id).toBe(deliveryIdOf(event, endpoint))
  expect(id).not.toBe(deliveryIdOf(event, newId()))
  expect(id.slice(0, 13)).toBe(event.slice(0, 13))
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('a cursor is a position in the log, and cursors of earlier versions are refused with what to do', () => {
  expect(cursorOf({ position: 42 })).toBe('42')
  const ofPage = writeCursor({ order: 'feed', keys: ['42'] })
  const earlierPage = writeCursor({ order: 'feed', keys: ['3', '18446744', '42'] })
  const earlier = { path: 'after', message: expect.stringContaining('Read from `start`') }
  const wrong = { path: 'after', message: expect.stringContaining('must be the nextCursor of a page') }
  const cases: readonly [text: string | undefined, expected: object][] = [
    [undefined, { down: undefined }],
    ['start', { follow: 0 }],
    ['0', { follow: 0 }],
    ['42', { follow: 42 }],
    [ofPage, { follow: 42 }],
    ['3.18446744.42', earlier],
    [earlierPage, earlier],
    ['1.2', wrong],
    ['x', wrong],
    ['-1', wrong],
    ['9'.repeat(16), wrong],
    ["1'", wrong],
  ]
  for (const [text, expected] of cases) expect([text, feedPositionOf(text)]).toMatchObject([text, expected])
})

describe.each([formA, formB])('the payloads of $title', ({ webhooks }) => {
  const requests = webhooks?.requests ?? []

  test('fit their schema', () => {
    expect(requests.length).toBeGreaterThan(40)
    for (const { name, body, example } of requests)
      expect([name, strictCheck(body)(example).map(({ path, message }) => `${path} ${message}`)]).toEqual([name, []])
  })

  test('are in the OpenAPI document', () => {
    const document = openApiOf({ ...formA, routes: [], webhooks: webhooks as NonNullable<typeof webhooks> })
    expect(Object.keys(document.webhooks ?? {}).sort()).toEqual([...new Set(requests.map(({ name }) => name))].sort())
  })
})
