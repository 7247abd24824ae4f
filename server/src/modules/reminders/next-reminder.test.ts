import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayAfter } from '../../kernel/days.ts'
import { nextReminder, type RemindableInvoice } from './next-reminder.ts'

const step = (days: number, more: object = {}) => ({ days, since: '2026-01-01', minimums: [], ...more })
const steps = [step(-3), step(0), step(7), step(14)]
const invoice: RemindableInvoice = {
  parts: [{ dueDate: '2026-03-10', dueMinor: 5_000n }],
  currency: 'NGN',
  issuedOn: '2026-02-10',
  lastRemindedOn: null,
  promisedOn: null,
  coveredSince: null,
}
const due = (dueMinor: bigint) => [{ dueDate: '2026-03-10', dueMinor }]

test.each<[string, Partial<RemindableInvoice>, string, [string, number] | undefined]>([
  ['long before the due date', {}, '2026-02-11', ['2026-03-07', -3]],
  ['on the day of a step', {}, '2026-03-07', ['2026-03-07', -3]],
  ['after a reminder', { lastRemindedOn: '2026-03-07' }, '2026-03-08', ['2026-03-10', 0]],
  ['after a reminder on the same day', { lastRemindedOn: '2026-03-10' }, '2026-03-10', ['2026-03-17', 7]],
  ['after an outage: only the latest step', {}, '2026-03-20', ['2026-03-20', 7]],
  ['after an outage that begins after a reminder', { lastRemindedOn: '2026-03-18' }, '2026-03-20', ['2026-03-24', 14]],
  ['long after the last step', {}, '2027-01-01', ['2027-01-01', 14]],
  ['after the last reminder', { lastRemindedOn: '2026-03-24' }, '2026-03-25', undefined],
  ['with a promise', { promisedOn: '2026-03-12' }, '2026-03-10', ['2026-03-13', 0]],
  ['on the day of a promise', { promisedOn: '2026-03-10' }, '2026-03-10', ['2026-03-11', 0]],
  ['with a promise that has passed', { promisedOn: '2026-03-09' }, '2026-03-10', ['2026-03-10', 0]],
  ['with a promise over several steps', { promisedOn: '2026-03-30' }, '2026-03-08', ['2026-03-31', 14]],
  ['if nothing is due', { parts: [] }, '2026-03-10', undefined],
  ['if it was issued after its due date', { issuedOn: '2026-03-17' }, '2026-03-18', ['2026-03-24', 14]],
  ['for a buyer who is covered since today', { coveredSince: '2026-03-17' }, '2026-03-17', ['2026-03-17', 7]],
  ['for a buyer who is covered since yesterday', { coveredSince: '2026-03-18' }, '2026-03-19', ['2026-03-24', 14]],
  ['on the day of issue', { issuedOn: '2026-03-10' }, '2026-03-10', ['2026-03-17', 7]],
])('%s', (_, more, runDay, expected) => {
  const next = nextReminder(steps, { ...invoice, ...more }, runDay)
  expect(next && [next.day, next.step.days]).toEqual(expected)
})

test('a step does not count for days before it was added', () => {
  const added = [step(-3), step(7, { since: '2026-03-18' }), step(14, { since: '2026-03-18' })]
  expect(nextReminder(added, { ...invoice, lastRemindedOn: '2026-03-07' }, '2026-03-18')).toMatchObject({
    day: '2026-03-24',
    step: { days: 14 },
  })
})

test('a step with a minimum is left out for smaller amounts of that currency', () => {
  const small = [step(7), step(14, { minimums: [{ currency: 'NGN', amountMinor: 5_001n }] })]
  expect(nextReminder(small, invoice, '2026-04-01')).toMatchObject({ step: { days: 7 } })
  expect(nextReminder(small, { ...invoice, parts: due(5_001n) }, '2026-04-01')).toMatchObject({ step: { days: 14 } })
  expect(nextReminder(small, { ...invoice, currency: 'USD' }, '2026-04-01')).toMatchObject({ step: { days: 14 } })
})

test('each open part has the steps of its own due date, and the minimum is for all that is asked for', () => {
  const parts = ['2026-03-10', '2026-04-10', '2026-05-10'].map((dueDate) => ({ dueDate, dueMinor: 600n }))
  const owed = { ...invoice, parts, lastRemindedOn: '2026-03-24' }
  expect(nextReminder(steps, owed, '2026-03-25')).toMatchObject({ day: '2026-04-07', step: { days: -3 } })
  const large = [step(7, { minimums: [{ currency: 'NGN', amountMinor: 1_000n }] })]
  expect(nextReminder(large, { ...invoice, parts }, '2026-03-01')).toMatchObject({ day: '2026-04-17' })
  // The mail for the next part also asks for the small amount that was left out before.
  expect(nextReminder(large, { ...invoice, parts }, '2026-04-12')).toMatchObject({ day: '2026-04-12' })
})

const day = fc.integer({ min: 0, max: 120 }).map((days) => dayAfter('2026-01-01', days))
const anyPart = fc.record({ dueDate: day, dueMinor: fc.bigInt({ min: 1n, max: 1_000n }) })
const anyInvoice = fc.record({
  parts: fc
    .array(anyPart, { minLength: 1, maxLength: 3 })
    .map((parts) => parts.toSorted((one, other) => (one.dueDate < other.dueDate ? -1 : 1))),
  currency: fc.constantFrom('NGN', 'USD'),
  issuedOn: day,
  lastRemindedOn: fc.option(day),
  promisedOn: fc.option(day),
  coveredSince: fc.option(day),
})
const anySteps = fc.uniqueArray(
  fc.record({
    days: fc.integer({ min: -30, max: 60 }),
    since: day,
    minimums: fc.array(fc.record({ currency: fc.constant('NGN'), amountMinor: fc.bigInt({ min: 0n, max: 1_000n }) }), {
      maxLength: 1,
    }),
  }),
  { selector: ({ days }) => days, maxLength: 10 },
)

test('day after day, each part of an invoice gets each step at most once and in order, and none before a promise has passed', () => {
  fc.assert(
    fc.property(anySteps, anyInvoice, day, fc.array(fc.boolean(), { maxLength: 200 }), (rule, found, start, isUp) => {
      let { lastRemindedOn } = found
      let lastDays = Number.NEGATIVE_INFINITY
      let many = 0
      for (const [nth, up] of isUp.entries()) {
        const today = dayAfter(start, nth)
        const next = nextReminder(rule, { ...found, lastRemindedOn }, today)
        if (!next) continue
        expect(next.day >= today).toBe(true)
        expect(next.day > found.issuedOn).toBe(true)
        expect(found.promisedOn !== null && next.day <= found.promisedOn && found.promisedOn >= today).toBe(false)
        if (!up || next.day !== today) continue
        if (found.parts.length === 1) expect(next.step.days).toBeGreaterThan(lastDays)
        if (lastRemindedOn !== null) expect(today > lastRemindedOn).toBe(true)
        expect(++many).toBeLessThanOrEqual(rule.length * found.parts.length)
        lastDays = next.step.days
        lastRemindedOn = today
      }
    }),
  )
})
