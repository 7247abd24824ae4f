import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Decimal, parseDecimal } from './decimal.ts'
import { type Instalment, instalmentStatus, leftOfEach, openInstalments } from './instalments.ts'
import { majorOf } from './money-words.ts'
import { faultsOfInstalments, type InstalmentInput, resolveInstalments, sentAgain } from './resolve-instalments.ts'

const runs = { numRuns: 2048 }
const decimal = (text: string): Decimal => parseDecimal(text) as Decimal
const percent = (dueDate: string, text: string): InstalmentInput => ({ dueDate, percent: decimal(text) })
const amount = (dueDate: string, text: string): InstalmentInput => ({ dueDate, amount: decimal(text) })
const frame = { type: 'standard', issueDate: '2026-11-02', currency: 'NGN' } as const
const faults = (sent: readonly InstalmentInput[], more: Partial<Parameters<typeof faultsOfInstalments>[1]> = {}) =>
  faultsOfInstalments(sent, { ...frame, ...more }).map(({ path, rule }) => `${path} ${rule}`)
const days = ['2026-11-02', '2026-12-01', '2027-01-01'] as const

describe('faults that are found without amounts', () => {
  test.each<[string, InstalmentInput[], string[], object?]>([
    ['none in percentages', [percent(days[0], '33.3333'), percent(days[1], '66.6667')], []],
    ['none in amounts', [amount(days[0], '1'), amount(days[1], '0.01')], []],
    [
      'none with the same due date beside it',
      [percent(days[0], '50'), percent(days[1], '50.0')],
      [],
      { dueDate: days[1] },
    ],
    ['one alone', [percent(days[0], '100')], ['instalments count']],
    ['too many', Array.from({ length: 25 }, () => percent(days[0], '4')), ['instalments count']],
    ['neither', [{ dueDate: days[0] }, percent(days[1], '100')], ['instalments[0] either']],
    [
      'both',
      [{ ...amount(days[0], '1'), ...percent(days[0], '1') }, percent(days[1], '99')],
      ['instalments[0] either'],
    ],
    ['a mix', [amount(days[0], '1'), percent(days[1], '99')], ['instalments mixed']],
    [
      'nothing and more than everything',
      [percent(days[0], '0'), percent(days[1], '100.5')],
      ['instalments[0].percent range', 'instalments[1].percent range'],
    ],
    [
      'five decimals',
      [percent(days[0], '33.33333'), percent(days[1], '66.66667')],
      ['instalments[0].percent range', 'instalments[1].percent range'],
    ],
    ['a wrong sum', [percent(days[0], '33.33'), percent(days[1], '66.66')], ['instalments sum']],
    [
      'half a kobo',
      [amount(days[0], '0.005'), amount(days[1], '0')],
      ['instalments[0].amount decimals', 'instalments[1].amount minimum'],
    ],
    ['days out of order', [percent(days[2], '50'), percent(days[1], '50')], ['instalments[1].dueDate order']],
    ['the same day twice', [percent(days[1], '50'), percent(days[1], '50')], ['instalments[1].dueDate order']],
    ['before the issue date', [percent('2026-11-01', '50'), percent(days[1], '50')], ['instalments[0].dueDate date']],
    [
      'another due date',
      [percent(days[0], '50'), percent(days[1], '50')],
      ['dueDate instalments'],
      { dueDate: days[2] },
    ],
    [
      'several faults at once',
      [amount(days[2], '0'), amount(days[1], '1')],
      ['instalments[0].amount minimum', 'instalments[1].dueDate order', 'dueDate instalments'],
      { dueDate: days[2] },
    ],
    [
      'a credit note',
      [percent(days[0], '50'), percent(days[1], '50')],
      ['instalments unwanted'],
      { type: 'credit_note' },
    ],
  ])('%s', (_, sent, expected, more = {}) => {
    expect(faults(sent, more)).toEqual(expected)
  })
})

describe('amounts', () => {
  test('of percentages are shared by largest remainder', () => {
    const thirds = [percent(days[0], '33.3333'), percent(days[1], '33.3333'), percent(days[2], '33.3334')]
    const { instalments, faults: none } = resolveInstalments(thirds, 100n, 'NGN')
    expect(none).toEqual([])
    expect(instalments.map(({ amountMinor }) => amountMinor)).toEqual([33n, 33n, 34n])
  })

  test('that were sent must add up to the total', () => {
    const sent = [amount(days[0], '10'), amount(days[1], '5.50')]
    expect(resolveInstalments(sent, 1550n, 'NGN').faults).toEqual([])
    const [fault] = resolveInstalments(sent, 1551n, 'NGN').faults
    expect(fault).toMatchObject({ path: 'instalments', rule: 'sum' })
    expect(fault?.message).toContain('NGN 15.51; they are NGN 15.50')
  })

  test('are never zero', () => {
    const sent = [percent(days[0], '1'), percent(days[1], '99')]
    expect(resolveInstalments(sent, 2n, 'NGN').faults).toMatchObject([{ path: 'instalments[0]', rule: 'minimum' }])
  })

  test('add up for any percentages and any total, and are the same when they are sent again', () => {
    const shares = fc.array(fc.integer({ min: 1, max: 10_000 }), { minLength: 2, maxLength: 24 })
    fc.assert(
      fc.property(shares, fc.bigInt({ min: 1_000_000n, max: 10n ** 15n }), (weights, payable) => {
        const sum = weights.reduce((all, one) => all + one, 0)
        const units = weights.map((weight) => Math.max(1, Math.floor((weight * 1_000_000) / sum)))
        units[0] = (units[0] as number) + 1_000_000 - units.reduce((all, one) => all + one, 0)
        if (units[0] < 1) return
        const sent = units.map((unit, at) => ({
          dueDate: `2027-01-${String(at + 1).padStart(2, '0')}`,
          percent: { units: BigInt(unit), scale: 4 },
        }))
        expect(faults(sent)).toEqual([])
        const { instalments, faults: none } = resolveInstalments(sent, payable, 'NGN')
        expect(none).toEqual([])
        expect(instalments.reduce((all, { amountMinor }) => all + amountMinor, 0n)).toBe(payable)
        const again = sentAgain(instalments, (minor) => majorOf(minor, 'NGN'))
        expect(resolveInstalments(again, payable, 'NGN').instalments).toEqual(instalments)
      }),
      runs,
    )
  })
})

const three: Instalment[] = [100n, 50n, 25n].map((amountMinor, at) => ({
  dueDate: days[at] as string,
  amountMinor,
  percent: null,
}))

describe('what is left', () => {
  test.each([
    [175n, [100n, 50n, 25n]],
    [174n, [99n, 50n, 25n]],
    [75n, [0n, 50n, 25n]],
    [30n, [0n, 5n, 25n]],
    [25n, [0n, 0n, 25n]],
    [1n, [0n, 0n, 1n]],
    [0n, [0n, 0n, 0n]],
  ])('of %s belongs to the last instalments: the oldest are settled first', (due, expected) => {
    expect(leftOfEach(three, due)).toEqual(expected)
  })

  test('is what is due, and no instalment is touched before the one before it is settled', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 175n }), (due) => {
        const left = leftOfEach(three, due)
        expect(left.reduce((all, one) => all + one, 0n)).toBe(due)
        left.forEach((minor, at) => {
          if (minor < (three[at] as Instalment).amountMinor)
            expect(left.slice(0, at).every((one) => one === 0n)).toBe(true)
        })
        const open = openInstalments({ instalments: three, dueDate: days[2] }, due)
        expect(open.reduce((all, { dueMinor }) => all + dueMinor, 0n)).toBe(due)
      }),
      runs,
    )
  })

  test('of an invoice without instalments is due on its due date', () => {
    expect(openInstalments({ instalments: null, dueDate: null }, 5n)).toEqual([{ dueDate: null, dueMinor: 5n }])
    expect(openInstalments({ instalments: null, dueDate: days[0] }, 0n)).toEqual([])
  })
})

test.each([
  [0n, '2027-06-01', true, 'paid'],
  [40n, '2026-12-01', true, 'partially_paid'],
  [50n, '2026-12-01', true, 'unpaid'],
  [40n, '2026-12-02', true, 'overdue'],
  [40n, '2026-12-02', false, 'partially_paid'],
])('an instalment of 50 with %s left on %s is %s, %s', (left, today, isOwed, expected) => {
  expect(instalmentStatus(three[1] as Instalment, left, { today, isOwed })).toBe(expected)
})
