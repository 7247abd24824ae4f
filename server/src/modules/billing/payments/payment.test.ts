import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { newId } from '../../../kernel/ids.ts'
import type { ProviderView } from './checkout-provider.ts'
import {
  contradictions,
  creditsKept,
  moneyCame,
  moneyIsHere,
  nextLook,
  type PaymentId,
  type PaymentStatus,
  paymentStatuses,
  refundedFrom,
  statusFrom,
} from './payment.ts'

const id: PaymentId = newId()
const view = (own: Partial<ProviderView> = {}): ProviderView => ({
  reference: id,
  handle: id,
  state: 'paid',
  amountMinor: 1_000n,
  currency: 'NGN',
  live: true,
  refundedMinor: 0n,
  dispute: 'none',
  authorisation: undefined,
  ...own,
})
const statuses = fc.constantFrom(...paymentStatuses)
const disputes = fc.constantFrom<ProviderView['dispute'][]>('none', 'open', 'won', 'lost')
const states = fc.constantFrom<ProviderView['state'][]>('open', 'paid', 'failed', 'ended')
const words = fc
  .record({ state: states, dispute: disputes, refundedMinor: fc.bigInt(0n, 1_000n) })
  .map((word) => view(word))

describe('the status of a payment after an answer of the provider', () => {
  test.each<[ProviderView['state'], ProviderView['dispute'], bigint, PaymentStatus, PaymentStatus]>([
    ['open', 'none', 0n, 'pending', 'pending'],
    ['open', 'none', 0n, 'failed', 'failed'],
    ['open', 'none', 0n, 'expired', 'expired'],
    ['open', 'none', 0n, 'succeeded', 'succeeded'],
    ['failed', 'none', 0n, 'pending', 'failed'],
    ['failed', 'none', 0n, 'partially_refunded', 'partially_refunded'],
    ['ended', 'none', 0n, 'pending', 'expired'],
    ['ended', 'none', 0n, 'disputed', 'disputed'],
    ['paid', 'none', 0n, 'pending', 'succeeded'],
    ['paid', 'none', 0n, 'failed', 'succeeded'],
    ['paid', 'none', 0n, 'expired', 'succeeded'],
    ['paid', 'none', 1n, 'pending', 'partially_refunded'],
    ['paid', 'none', 999n, 'succeeded', 'partially_refunded'],
    ['paid', 'none', 1_000n, 'succeeded', 'refunded'],
    ['paid', 'open', 0n, 'succeeded', 'disputed'],
    ['paid', 'open', 300n, 'partially_refunded', 'disputed'],
    ['paid', 'won', 0n, 'disputed', 'succeeded'],
    ['paid', 'won', 300n, 'disputed', 'partially_refunded'],
    ['paid', 'lost', 0n, 'disputed', 'charged_back'],
    ['paid', 'lost', 1_000n, 'disputed', 'charged_back'],
  ])('%s, dispute %s, %s went back: %s becomes %s', (state, dispute, refundedMinor, before, after) => {
    expect(statusFrom({ status: before, amountMinor: 1_000n }, view({ state, dispute, refundedMinor }))).toBe(after)
  })

  test('a paid payment stays paid after any answers', () => {
    fc.assert(
      fc.property(statuses, fc.array(words, { maxLength: 12 }), (first, said) => {
        let payment = { status: first, amountMinor: 1_000n, refundedMinor: 0n }
        for (const word of said) {
          const before = payment
          payment = { ...payment, status: statusFrom(payment, word), refundedMinor: refundedFrom(payment, word) }
          if (moneyCame(before.status) || word.state === 'paid') expect(moneyCame(payment.status)).toBe(true)
          if (word.state !== 'paid') expect(payment.refundedMinor).toBe(before.refundedMinor)
        }
      }),
    )
  })

  test('the last answer about received money decides', () => {
    fc.assert(
      fc.property(statuses, fc.array(words, { maxLength: 8 }), words, (first, earlier, word) => {
        const last = { ...word, state: 'paid' as const }
        let payment = { status: first, amountMinor: 1_000n, refundedMinor: 0n }
        for (const one of [...earlier, last])
          payment = { ...payment, status: statusFrom(payment, one), refundedMinor: refundedFrom(payment, one) }
        const fresh = { status: 'pending' as const, amountMinor: 1_000n, refundedMinor: 0n }
        expect([payment.status, payment.refundedMinor]).toEqual([statusFrom(fresh, last), last.refundedMinor])
      }),
    )
  })

  test('a repeated answer changes nothing', () => {
    fc.assert(
      fc.property(statuses, words, (status, word) => {
        const once = statusFrom({ status, amountMinor: 1_000n }, word)
        expect(statusFrom({ status: once, amountMinor: 1_000n }, word)).toBe(once)
      }),
    )
  })

  test('an answer from before the payment does not undo a refund', () => {
    for (const state of ['open', 'failed', 'ended'] as const)
      expect(refundedFrom({ refundedMinor: 250n }, view({ state, refundedMinor: 0n })), state).toBe(250n)
    expect(refundedFrom({ refundedMinor: 250n }, view({ refundedMinor: 700n }))).toBe(700n)
  })
})

describe('the credits that remain of a payment', () => {
  test.each<[PaymentStatus, bigint, bigint]>([
    ['pending', 0n, 0n],
    ['failed', 0n, 0n],
    ['expired', 0n, 0n],
    ['succeeded', 0n, 100n],
    ['partially_refunded', 250n, 75n],
    ['partially_refunded', 1n, 99n],
    ['partially_refunded', 999n, 0n],
    ['refunded', 1_000n, 0n],
    ['disputed', 0n, 0n],
    ['disputed', 250n, 0n],
    ['charged_back', 0n, 0n],
  ])('%s, %s of 1000 went back: %s of 100', (status, refundedMinor, kept) => {
    expect(creditsKept({ status, credits: 100n, amountMinor: 1_000n, refundedMinor })).toBe(kept)
  })

  const paid = fc
    .record({
      status: statuses,
      credits: fc.bigInt(0n, 10n ** 12n),
      amountMinor: fc.bigInt(1n, 10n ** 15n),
      share: fc.integer({ min: 0, max: 1_000 }),
      more: fc.integer({ min: 0, max: 1_000 }),
    })
    .map(({ share, more, ...payment }) => ({
      ...payment,
      refundedMinor: (payment.amountMinor * BigInt(Math.min(share, more))) / 1_000n,
      refundedLater: (payment.amountMinor * BigInt(Math.max(share, more))) / 1_000n,
    }))

  test('are between zero and the purchase, and never rise after a refund', () => {
    fc.assert(
      fc.property(paid, (payment) => {
        const kept = creditsKept(payment)
        expect(kept >= 0n && kept <= payment.credits).toBe(true)
        expect(creditsKept({ ...payment, refundedMinor: payment.refundedLater }) <= kept).toBe(true)
        expect(creditsKept({ ...payment, refundedMinor: payment.amountMinor })).toBe(0n)
        if (moneyIsHere(payment.status)) expect(creditsKept({ ...payment, refundedMinor: 0n })).toBe(payment.credits)
        else expect(kept).toBe(0n)
      }),
    )
  })
})

describe('contradictions', () => {
  const payment = { id, amountMinor: 1_000n, currency: 'NGN' as const }

  test.each<[string, Partial<ProviderView>, string[]]>([
    ['nothing', {}, []],
    ['a refund of everything', { refundedMinor: 1_000n }, []],
    ['another reference', { reference: newId() }, ['reference']],
    ['more', { amountMinor: 1_001n }, ['amount']],
    ['less', { amountMinor: 999n }, ['amount']],
    ['another currency', { currency: 'USD' }, ['currency']],
    ['the same currency in small letters', { currency: 'ngn' }, ['currency']],
    ['play money', { live: false }, ['mode']],
    ['more back than was paid', { refundedMinor: 1_001n }, ['refund']],
    ['less than nothing back', { refundedMinor: -1n }, ['refund']],
    [
      'everything',
      { reference: '', amountMinor: 0n, currency: '', live: false, refundedMinor: 2_000n },
      ['reference', 'amount', 'currency', 'mode', 'refund'],
    ],
  ])('%s', (_what, own, expected) => {
    expect(contradictions(payment, view(own), true)).toEqual(expected)
  })

  test('live money for a test order', () => {
    expect(contradictions(payment, view({ live: true }), false)).toEqual(['mode'])
  })
})

describe('the time of the next lookup', () => {
  const now = new Date('2026-03-02T09:00:00Z')
  const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)
  const later = (payment: Parameters<typeof nextLook>[0]) => {
    const next = nextLook(payment, now)
    return next && (next.getTime() - now.getTime()) / 60_000
  }
  const fresh = {
    status: 'pending' as PaymentStatus,
    looks: 0,
    paidAt: null,
    createdAt: now,
    handle: id as string | null,
  }

  test.each([
    [0, 2],
    [1, 4],
    [2, 8],
    [3, 16],
    [4, 32],
    [5, 60],
    [6, 60],
    [5_000, 60],
  ])('grows while the payment is open: after %s lookups in %s minutes', (looks, minutes) => {
    expect(later({ ...fresh, looks })).toBe(minutes)
  })

  test.each<[string, Partial<Parameters<typeof nextLook>[0]>, number | null]>([
    ['paid just now', { status: 'succeeded', paidAt: now }, 1_440],
    ['paid 120 days ago', { status: 'partially_refunded', paidAt: daysAgo(120) }, 1_440],
    ['paid 121 days ago', { status: 'succeeded', paidAt: daysAgo(121) }, null],
    ['disputed', { status: 'disputed', paidAt: daysAgo(30), createdAt: daysAgo(200) }, 1_440],
    ['failed just now', { status: 'failed' }, 360],
    ['expired 3 days ago', { status: 'expired', createdAt: daysAgo(3) }, 360],
    ['expired 4 days ago', { status: 'expired', createdAt: daysAgo(4) }, null],
    ['disputed for half a year', { status: 'disputed', paidAt: daysAgo(180) }, 1_440],
  ])('%s', (_what, own, minutes) => {
    expect(later({ ...fresh, ...own })).toBe(minutes)
  })

  test('an open payment is always looked up again within the hour', () => {
    fc.assert(
      fc.property(statuses, fc.nat({ max: 100_000 }), fc.nat({ max: 400 }), (status, looks, age) => {
        const next = nextLook({ ...fresh, status, looks, createdAt: daysAgo(age), paidAt: daysAgo(age) }, now)
        if (status === 'pending') expect(next).not.toBeNull()
        if (next) expect(next.getTime()).toBeGreaterThan(now.getTime())
        if (next)
          expect(next.getTime() - now.getTime()).toBeLessThanOrEqual((status === 'pending' ? 1 : 24) * 3_600_000)
      }),
    )
  })
})
