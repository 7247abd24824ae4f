import { expect, test } from 'vitest'
import { fiveLines, sampleInvoice } from '../../../../test/harness/sample-invoice.ts'
import { daysLate, opening, owed } from './mail-words.ts'

const subject = { what: 'tax invoice INV-1', from: 'Eze Stores' }
const late = (today: string) => daysLate({ dueDate: '2026-03-02' }, today)

test.each([
  ['2026-03-02', 'Reminder: ', /^This is a reminder of the tax invoice INV-1 from Eze Stores\./],
  ['2026-03-03', 'Reminder: ', /^Perhaps it escaped you/],
  ['2026-03-09', 'Reminder: ', /^Perhaps it escaped you/],
  ['2026-03-10', 'Overdue: ', /is overdue\. Please pay it now/],
  ['2026-04-01', 'Overdue: ', /is overdue\. Please pay it now/],
  ['2026-04-02', 'Long overdue: ', /for more than a month/],
])('a reminder on %s is worded by how late it is', (today, begins, words) => {
  const said = opening(subject, { isReminder: true, isRevised: false }, late(today))
  expect(said.subject).toBe(begins)
  expect(said.words).toMatch(words)
})

test('a new version says that it replaces the one that was sent before', () => {
  const said = opening(subject, { isReminder: false, isRevised: true }, 0)
  expect(said.subject).toBe('New version: ')
  expect(said.words).toContain('a new version of the tax invoice INV-1. It replaces the one that you received before.')
})

test('the amount due is shown with its due date, or with the days since then', () => {
  const invoice = sampleInvoice(fiveLines)
  expect(owed(invoice, '2026-03-02')).toEqual(['₦1,795,550.46 is due on 2 March 2026.'])
  expect(owed(invoice, '2026-03-03')).toEqual(['₦1,795,550.46 was due on 2 March 2026, yesterday.'])
  expect(owed(invoice, '2026-03-12')).toEqual(['₦1,795,550.46 was due on 2 March 2026, 10 days ago.'])
  expect(owed({ ...invoice, dueDate: null }, '2026-03-12')).toEqual(['The amount to pay is ₦1,795,550.46.'])
  expect(owed({ ...invoice, dueMinor: 0n }, '2026-03-12')).toEqual(['It is paid: nothing is left to pay.'])
  expect(owed({ ...invoice, type: 'credit_note' }, '2026-03-12')).toEqual([])
})
