import { describe, expect, it } from 'vitest'
import type { InvoiceDocument } from '../../kernel/invoice-document.ts'
import { wordingOf } from '../../kernel/languages/wording.ts'
import { asksForMoney, dueState } from './due-state.ts'

const unpaid = {
  ...{ type: 'standard', isDraft: false, currency: 'NGN', dueDate: '2026-03-31', instalments: null },
  ...{ payableMinor: 100000n, paidMinor: 0n, creditedMinor: 0n, dueMinor: 100000n },
} as InvoiceDocument
const partPaid = { paidMinor: 30000n, dueMinor: 70000n }
const partCredited = { creditedMinor: 20000n, dueMinor: 80000n }
const paidAndCredited = { paidMinor: 30000n, creditedMinor: 20000n, dueMinor: 50000n }
const paid = { paidMinor: 100000n, dueMinor: 0n }
const credited = { creditedMinor: 100000n, dueMinor: 0n }

const today = '2026-03-15'
/** Two instalments of 500: the first is due first. */
const inParts = (first: string): Partial<InvoiceDocument> => ({
  instalments: [first, '2026-03-31'].map((dueDate) => ({ dueDate, amountMinor: 50000n, dueMinor: 0n, percent: null })),
})
const onNoDay = { dueDate: null }
const late = { dueDate: '2026-03-14' }

type Case = [is: string, changes: Partial<InvoiceDocument>, label: string, detail?: string]

const wantsMoney: Record<'open' | 'late', Case[]> = {
  open: [
    ['due', {}, 'Due by 31 March 2026'],
    ['a debit note', { type: 'debit_note' }, 'Due by 31 March 2026'],
    ['due on no day', onNoDay, 'Payment due'],
    ['due today', { dueDate: today }, 'Due today'],
    ['part paid', partPaid, 'Part paid', '₦300.00 of ₦1,000.00 was paid. The rest is due by 31 March 2026.'],
    ['part paid on no day', { ...partPaid, ...onNoDay }, 'Part paid', '₦300.00 of ₦1,000.00 was paid.'],
    ['part credited', { ...partCredited, ...onNoDay }, 'Part credited', '₦200.00 of ₦1,000.00 was credited.'],
    ['due in parts', inParts('2026-03-20'), 'Due by 20 March 2026'],
    [
      'due in parts, of which one is paid',
      { ...inParts('2026-03-14'), ...{ paidMinor: 50000n, dueMinor: 50000n } },
      'Due by 31 March 2026',
      '₦500.00 of ₦1,000.00 was paid.',
    ],
    [
      'paid and credited in part',
      { ...paidAndCredited, dueDate: today },
      'Part paid',
      '₦300.00 of ₦1,000.00 was paid, ₦200.00 was credited. The rest is due today.',
    ],
  ],
  late: [
    ['overdue in part', inParts('2026-03-14'), 'Overdue', 'It was due by 14 March 2026.'],
    ['overdue', late, 'Overdue', 'It was due by 14 March 2026.'],
    [
      'part paid and overdue',
      { ...partPaid, ...late },
      'Overdue',
      'It was due by 14 March 2026. ₦300.00 of ₦1,000.00 was paid.',
    ],
  ],
}

const wantsNone: Record<'settled' | 'quiet', Case[]> = {
  settled: [
    ['paid', paid, 'Paid', '₦1,000.00 was paid.'],
    ['paid, its day gone by', { ...paid, ...late }, 'Paid', '₦1,000.00 was paid.'],
    ['credited', credited, 'Nothing to pay', '₦1,000.00 was credited.'],
    ['free', { payableMinor: 0n, dueMinor: 0n }, 'Nothing to pay'],
  ],
  quiet: [
    ['a credit note', { type: 'credit_note', ...late }, 'Credit', 'There is nothing to pay.'],
    [
      'a draft',
      { isDraft: true, type: 'prepayment', ...late },
      'Draft',
      'This prepayment invoice has not been issued yet.',
    ],
  ],
}

describe.each(Object.entries(wantsMoney))('a document that asks for payment and is %s', (tone, cases) => {
  it.each(cases)('has its label: %s', (_, changes, label, detail) => {
    expect(dueState({ ...unpaid, ...changes }, today, wordingOf('en'))).toEqual({ tone, label, detail })
    expect(asksForMoney({ ...unpaid, ...changes })).toBe(true)
  })
})

describe.each(Object.entries(wantsNone))('a document that asks for no payment and is %s', (tone, cases) => {
  it.each(cases)('has its label: %s', (_, changes, label, detail) => {
    expect(dueState({ ...unpaid, ...changes }, today, wordingOf('en'))).toEqual({ tone, label, detail })
    expect(asksForMoney({ ...unpaid, ...changes })).toBe(false)
  })
})
