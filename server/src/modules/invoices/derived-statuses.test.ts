import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  dueMinor,
  instalmentStatesOf,
  isOverdue,
  nextInstalmentOf,
  overdueMinor,
  paymentStatusOf,
  refundOwedMinor,
  reportingOf,
  reportings,
  simpleStatuses,
  simpleStatusOf,
} from './derived-statuses.ts'
import { declaredPaymentStatuses, deliveries } from './invoice.ts'
import { type InvoiceStatus, invoiceStatuses } from './status-moves.ts'

const runs = { numRuns: 4096 }
const amounts = (payable: number, paid: number, credited: number) => ({
  payableMinor: BigInt(payable),
  paidMinor: BigInt(paid),
  creditedMinor: BigInt(credited),
})
const unpaid = {
  ...amounts(1000, 0, 0),
  declaredPaymentStatus: null,
  dueDate: '2026-11-14' as string | null,
  instalments: null,
  status: 'finalised' as InvoiceStatus,
  type: 'standard' as const,
  delivery: 'none' as const,
}

/** Credits never exceed the payable amount; earlier payments may exceed what is owed later. */
const invoices = fc.bigInt({ min: 0n, max: 10n ** 15n }).chain((payableMinor) =>
  fc.record({
    payableMinor: fc.constant(payableMinor),
    paidMinor: fc.bigInt({ min: 0n, max: payableMinor }),
    creditedMinor: fc.bigInt({ min: 0n, max: payableMinor }),
    declaredPaymentStatus: fc.constantFrom(null, ...declaredPaymentStatuses),
    dueDate: fc.constantFrom(null, '2026-11-14', '2026-11-15', '2026-11-16'),
    instalments: fc.constant(null),
    status: fc.constantFrom(...invoiceStatuses),
    type: fc.constantFrom('standard' as const, 'credit_note' as const, 'debit_note' as const),
    delivery: fc.constantFrom(...deliveries),
  }),
)

describe('the amount due and the refund owed', () => {
  test.each([
    ['nothing paid', amounts(1000, 0, 0), 1000n, 0n],
    ['part paid', amounts(1000, 400, 0), 600n, 0n],
    ['paid', amounts(1000, 1000, 0), 0n, 0n],
    ['part credited', amounts(1000, 0, 300), 700n, 0n],
    ['all credited', amounts(1000, 0, 1000), 0n, 0n],
    ['paid, then part credited', amounts(1000, 1000, 300), 0n, 300n],
    ['part paid, then all credited', amounts(1000, 400, 1000), 0n, 400n],
    ['paid and credited to the last unit', amounts(1000, 700, 300), 0n, 0n],
    ['nothing to pay', amounts(0, 0, 0), 0n, 0n],
  ])('%s', (_, invoice, due, owed) => {
    expect([dueMinor({ ...unpaid, ...invoice }), refundOwedMinor(invoice)]).toEqual([due, owed])
  })

  test('are never negative, never both positive, and balance the account', () => {
    fc.assert(
      fc.property(invoices, (invoice) => {
        const [due, owed] = [dueMinor(invoice), refundOwedMinor(invoice)]
        expect(due >= 0n && owed >= 0n && (due === 0n || owed === 0n)).toBe(true)
        if (invoice.type === 'credit_note') expect(due).toBe(0n)
        else if (invoice.paidMinor === 0n && invoice.declaredPaymentStatus === 'paid') expect(due).toBe(0n)
        else expect(invoice.payableMinor - invoice.creditedMinor).toBe(invoice.paidMinor + due - owed)
      }),
      runs,
    )
  })
})

describe('the payment status', () => {
  test.each([
    ['unpaid unless somebody says otherwise', amounts(1000, 0, 0), null, 'unpaid'],
    ['as declared', amounts(1000, 0, 0), 'paid', 'paid'],
    ['as declared, also of a failed payment', amounts(1000, 0, 0), 'payment_failed', 'payment_failed'],
    ['in part, whatever was declared', amounts(1000, 1, 0), 'paid', 'partially_paid'],
    ['paid, whatever was declared', amounts(1000, 1000, 0), 'unpaid', 'paid'],
    ['paid, once the rest is credited', amounts(1000, 400, 600), null, 'paid'],
    ['unpaid, when everything is credited and nothing was paid', amounts(1000, 0, 1000), null, 'unpaid'],
  ] as const)('is %s', (_, invoice, declaredPaymentStatus, status) => {
    expect(paymentStatusOf({ ...invoice, declaredPaymentStatus })).toBe(status)
  })
})

describe('overdue', () => {
  test.each([
    ['the day after it was due', {}, true],
    ['not on the day itself', { dueDate: '2026-11-15' }, false],
    ['not before', { dueDate: '2026-12-31' }, false],
    ['not without a due date', { dueDate: null }, false],
    ['in part paid', amounts(1000, 999, 0), true],
    ['not once paid', amounts(1000, 1000, 0), false],
    ['not when declared paid', { declaredPaymentStatus: 'paid' as const }, false],
    ['when declared partially paid', { declaredPaymentStatus: 'partially_paid' as const }, true],
    ['not once credited', amounts(1000, 0, 1000), false],
    ['not once cancelled', { status: 'cancelled' as const }, false],
    ['not a draft', { status: 'draft' as const }, false],
    ['not once rejected by the authority', { status: 'rejected' as const }, false],
    ['while nobody knows whether the authority has it', { status: 'failed' as const }, true],
    ['not a credit note', { type: 'credit_note' as const }, false],
    ['a debit note', { type: 'debit_note' as const }, true],
  ])('%s', (_, more, overdue) => {
    expect(isOverdue({ ...unpaid, ...more }, '2026-11-15')).toBe(overdue)
  })

  test('needs an amount due', () => {
    fc.assert(
      fc.property(invoices, (invoice) => {
        if (isOverdue(invoice, '2026-11-15'))
          expect([dueMinor(invoice) > 0n, paymentStatusOf(invoice) !== 'paid', invoice.dueDate]).toEqual([
            true,
            true,
            '2026-11-14',
          ])
      }),
      runs,
    )
  })
})

describe('with instalments', () => {
  const instalments = [400n, 350n, 250n].map((amountMinor, at) => ({
    dueDate: ['2026-11-10', '2026-11-14', '2026-12-14'][at] as string,
    amountMinor,
    percent: null,
  }))
  const invoice = { ...unpaid, instalments, dueDate: '2026-12-14' }
  test.each([
    ['nothing paid', {}, 750n, '2026-11-10', 400n, 'overdue overdue unpaid'],
    ['one paid and a part of the next', amounts(1000, 500, 0), 250n, '2026-11-14', 250n, 'paid overdue unpaid'],
    ['paid and credited', amounts(1000, 400, 350), 0n, '2026-12-14', 250n, 'paid paid unpaid'],
    ['a part of the last', amounts(1000, 800, 0), 0n, '2026-12-14', 200n, 'paid paid partially_paid'],
    ['all paid', amounts(1000, 1000, 0), 0n, undefined, undefined, 'paid paid paid'],
    ['declared paid', { declaredPaymentStatus: 'paid' as const }, 0n, undefined, undefined, 'paid paid paid'],
    ['a draft', { status: 'draft' as const }, 0n, '2026-11-10', 400n, 'unpaid unpaid unpaid'],
    ['rejected', { status: 'rejected' as const }, 0n, '2026-11-10', 400n, 'unpaid unpaid unpaid'],
  ])('%s: only the instalments whose day has passed are overdue', (_, more, overdue, day, next, states) => {
    const one = { ...invoice, ...more }
    expect(overdueMinor(one, '2026-11-15')).toBe(overdue)
    expect(isOverdue(one, '2026-11-15')).toBe(overdue > 0n)
    expect(nextInstalmentOf(one)).toEqual(day && { dueDate: day, dueMinor: next })
    expect(
      instalmentStatesOf(one, '2026-11-15')
        ?.map(({ status }) => status)
        .join(' '),
    ).toBe(states)
  })
})

describe('the simple status', () => {
  /** Each row also fulfils all rows below it: the first that fits is shown. */
  test.each([
    ['cancelled', { ...amounts(1000, 1000, 0), status: 'cancelled', delivery: 'deliver_to_buyer' }],
    ['paid', { ...amounts(1000, 1000, 0), status: 'accepted', delivery: 'deliver_to_buyer' }],
    ['paid', { declaredPaymentStatus: 'paid', status: 'draft' }],
    ['part_paid', { ...amounts(1000, 400, 0), status: 'accepted', delivery: 'sent_email' }],
    ['part_paid', { declaredPaymentStatus: 'partially_paid' }],
    ['delivered', { status: 'accepted', delivery: 'deliver_to_buyer' }],
    ['delivered', { status: 'transmitted', delivery: 'sent_email' }],
    ['delivered', { delivery: 'shared_link' }],
    ['reported', { status: 'accepted', delivery: 'authority' }],
    ['reported', { status: 'transmitted' }],
    ['issued', { status: 'signed', delivery: 'authority' }],
    ['issued', { status: 'finalised' }],
    ['issued', { status: 'queued' }],
    ['issued', { status: 'rejected' }],
    ['issued', { status: 'failed' }],
    ['issued', { status: 'cancellation_pending' }],
    ['draft', { status: 'draft' }],
    ['draft', { status: 'draft', declaredPaymentStatus: 'payment_failed' }],
  ] as const)('is %s (row %#)', (expected, more) => {
    expect(simpleStatusOf({ ...unpaid, ...more })).toBe(expected)
  })

  test('keeps its order for all other values', () => {
    fc.assert(
      fc.property(invoices, (invoice) => {
        const word = simpleStatusOf(invoice)
        expect(simpleStatuses).toContain(word)
        expect(word === 'cancelled').toBe(invoice.status === 'cancelled')
        if (invoice.status === 'cancelled') return
        expect(word === 'paid').toBe(paymentStatusOf(invoice) === 'paid')
        expect(word === 'part_paid').toBe(paymentStatusOf(invoice) === 'partially_paid')
        if (word === 'draft') expect(invoice.status).toBe('draft')
      }),
      runs,
    )
  })
})

test('the reporting state follows from the status alone', () => {
  expect(Object.keys(reportingOf).toSorted()).toEqual([...invoiceStatuses].toSorted())
  const statusesOf = (wanted: string) => invoiceStatuses.filter((status) => reportingOf[status] === wanted)
  expect(Object.fromEntries(reportings.map((reporting) => [reporting, statusesOf(reporting)]))).toEqual({
    draft: ['draft'],
    not_reported: ['finalised'],
    in_progress: ['queued', 'signed', 'transmitted', 'cancellation_pending'],
    reported: ['accepted', 'cancelled'],
    needs_attention: ['rejected', 'failed'],
  })
})
