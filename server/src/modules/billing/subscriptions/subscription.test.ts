import { expect, test } from 'vitest'
import { newId } from '../../../kernel/ids.ts'
import {
  allocationWindow,
  currentPeriod,
  nextStepAfter,
  type Step,
  type Subscription,
  stepAt,
  subscriptionStatuses,
} from './subscription.ts'

const day = 86_400_000
const start = new Date('2025-03-10T09:00:00Z')
const after = (days: number, ms = 0) => new Date(start.getTime() + days * day + ms)

const subscription = (change: Partial<Subscription>): Subscription => ({
  organisationId: newId(),
  id: newId(),
  planCode: 'starter',
  interval: 'monthly',
  currency: 'NGN',
  amountMinor: 750_000n,
  monthlyCredits: 400n,
  status: 'active',
  endReason: null,
  cancelAtPeriodEnd: false,
  cancelReason: null,
  anchorAt: start,
  period: 1,
  nextStepAt: null,
  nextAllocationAt: null,
  attempts: 0,
  provider: 'paystack',
  sealedAuthorisation: null,
  createdBy: null,
  createdAt: start,
  endedAt: null,
  ...change,
})

/** Times in a period: its start, the days of the attempts, the end of the grace time, its end. */
const moments = {
  before: after(0, -1),
  day0: start,
  'just before day 5': after(5, -1),
  day5: after(5),
  'just before day 10': after(10, -1),
  day10: after(10),
  'just before day 14': after(14, -1),
  day14: after(14),
  'just before the end': new Date('2025-04-10T08:59:59.999Z'),
  'the end': new Date('2025-04-10T09:00:00Z'),
  'long after': new Date('2026-04-10T09:00:00Z'),
} as const
type Moment = keyof typeof moments
const all = Object.keys(moments) as Moment[]
const from = (first: Moment, until?: Moment): Moment[] =>
  all.slice(all.indexOf(first), until === undefined ? undefined : all.indexOf(until))

/** Every step that is due by time alone. All other combinations are `nothing`. */
const called: { when: Partial<Subscription>; step: Step; at: Moment[] }[] = [
  { when: { status: 'active', cancelAtPeriodEnd: false }, step: 'fall_due', at: from('the end') },
  { when: { status: 'active', cancelAtPeriodEnd: true }, step: 'end', at: from('the end') },
  { when: { status: 'past_due', attempts: 0 }, step: 'attempt', at: from('day0', 'day14') },
  { when: { status: 'past_due', attempts: 1 }, step: 'attempt', at: from('day5', 'day14') },
  { when: { status: 'past_due', attempts: 2 }, step: 'attempt', at: from('day10', 'day14') },
  { when: { status: 'past_due' }, step: 'give_up', at: from('day14') },
]

const fits = (one: Partial<Subscription>, when: Partial<Subscription>) =>
  Object.entries(when).every(([field, value]) => one[field as keyof Subscription] === value)

const cases = subscriptionStatuses.flatMap((status) =>
  [false, true].flatMap((cancelAtPeriodEnd) =>
    [0, 1, 2, 3].flatMap((attempts) =>
      [start, null].flatMap((anchorAt) =>
        all.map((moment) => ({ status, cancelAtPeriodEnd, attempts, anchorAt, moment })),
      ),
    ),
  ),
)

test('the due action for every status and moment equals the table', () => {
  const found = new Set<Step>()
  for (const { moment, ...state } of cases) {
    const listed = called.find(({ when, at }) => state.anchorAt && fits(state, when) && at.includes(moment))
    const expected = listed?.step ?? 'nothing'
    const label = `${state.status} ${moment} ${state.attempts} ${state.cancelAtPeriodEnd} ${state.anchorAt}`
    expect(stepAt(subscription(state), moments[moment]), label).toBe(expected)
    found.add(expected)
  }
  expect([...found].sort()).toEqual(['attempt', 'end', 'fall_due', 'give_up', 'nothing'])
})

test('attempts fall on days 0, 5 and 10 of the overdue period, and the grace ends on day 14', () => {
  expect([0, 1, 2, 3, 4].map((attempts) => nextStepAfter(attempts, start))).toEqual(
    [0, 5, 10, 14, 14].map((days) => after(days)),
  )
})

test('a later period counts from the anchor, also if overdue', () => {
  const third = subscription({ anchorAt: new Date('2025-01-31T09:00:00Z'), period: 2, status: 'past_due' })
  expect(currentPeriod(third)?.startsAt.toISOString()).toBe('2025-02-28T09:00:00.000Z')
  expect(stepAt(third, new Date('2025-03-14T08:59:59Z'))).toBe('attempt')
  expect(stepAt(third, new Date('2025-03-14T09:00:00Z'))).toBe('give_up')
})

test('only a paid current period grants credits', () => {
  const moment = after(3)
  for (const status of subscriptionStatuses)
    expect(allocationWindow(subscription({ status }), moment), status).toEqual(
      status === 'active' ? { startsAt: start, endsAt: new Date('2025-04-10T09:00:00Z'), credits: 400n } : null,
    )
  expect(allocationWindow(subscription({ anchorAt: null }), moment)).toBeNull()
  expect(allocationWindow(subscription({}), moments['the end'])).toBeNull()
  const yearly = subscription({ interval: 'yearly' })
  expect(allocationWindow(yearly, moments['the end'])?.startsAt.toISOString()).toBe('2025-04-10T09:00:00.000Z')
  expect(currentPeriod(yearly)?.endsAt.toISOString()).toBe('2026-03-10T09:00:00.000Z')
  expect(currentPeriod(subscription({ anchorAt: null }))).toBeUndefined()
})
