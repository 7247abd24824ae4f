import { expect, test } from 'vitest'
import { fiveLines, sampleInvoice } from '../../../../test/harness/sample-invoice.ts'
import { wordingOf } from '../../kernel/languages/wording.ts'
import { daysLate, opening, owed } from './mail-words.ts'

const english = wordingOf('en')
const subject = { document: 'tax invoice INV-1', title: 'Tax invoice INV-1', seller: 'Eze Stores' }
const late = (today: string) => daysLate({ dueDate: '2026-03-02', dueMinor: 1n, instalments: null }, today)

test.each([
  ['2026-03-02', 'Reminder: ', /^This is a reminder of the tax invoice INV-1 from Eze Stores\./],
  ['2026-03-03', 'Reminder: ', /^Perhaps it escaped you/],
  ['2026-03-09', 'Reminder: ', /^Perhaps it escaped you/],
  ['2026-03-10', 'Overdue: ', /is overdue\. Please pay it now/],
  ['2026-04-01', 'Overdue: ', /is overdue\. Please pay it now/],
  ['2026-04-02', 'Long overdue: ', /for more than a month/],
])('a reminder on %s is worded by how late it is', (today, begins, words) => {
  const said = opening(subject, { isReminder: true, isRevised: false }, late(today), english)
  expect(said.subject).toBe(`${begins}Tax invoice INV-1 from Eze Stores`)
  expect(said.words).toMatch(words)
})

test('a new version says that it replaces the one that was sent before', () => {
  const said = opening(subject, { isReminder: false, isRevised: true }, 0, english)
  expect(said.subject).toBe('New version: Tax invoice INV-1 from Eze Stores')
  expect(said.words).toContain('a new version of the tax invoice INV-1. It replaces the one that you received before.')
})

test('the amount due is shown with its due date, or with the days since then', () => {
  const invoice = sampleInvoice(fiveLines)
  expect(owed(invoice, '2026-03-02', english)).toEqual(['₦1,795,550.46 is due on 2 March 2026.'])
  expect(owed(invoice, '2026-03-03', english)).toEqual(['₦1,795,550.46 was due on 2 March 2026, yesterday.'])
  expect(owed(invoice, '2026-03-12', english)).toEqual(['₦1,795,550.46 was due on 2 March 2026, 10 days ago.'])
  expect(owed({ ...invoice, dueDate: null }, '2026-03-12', english)).toEqual(['The amount to pay is ₦1,795,550.46.'])
  expect(owed({ ...invoice, dueMinor: 0n }, '2026-03-12', english)).toEqual(['It is paid: nothing is left to pay.'])
  expect(owed({ ...invoice, type: 'credit_note' }, '2026-03-12', english)).toEqual([])
})

test('a reminder is written in the language of the buyer', () => {
  const french = wordingOf('fr')
  const about = { document: 'facture INV-1', title: 'Facture INV-1', seller: 'Eze Stores' }
  expect(opening(about, { isReminder: true, isRevised: false }, 9, french)).toEqual({
    subject: 'En retard : Facture INV-1 de Eze Stores',
    words:
      'Le paiement dû à Eze Stores est en retard (facture INV-1). Veuillez payer maintenant, ou nous écrire si quelque chose vous en empêche.',
  })
  const [sentence] = owed(sampleInvoice(fiveLines), '2026-03-12', french)
  expect(sentence?.replace(/\s/g, ' ')).toBe('1 795 550,46 ₦ étaient à payer le 2 mars 2026, il y a 10 jours.')
})

test('a mail about instalments asks for what is overdue, or for the next one', () => {
  const instalments = [
    ['2026-03-02', 400_00n, 0n],
    ['2026-04-02', 300_00n, 100_00n],
    ['2026-05-02', 300_00n, 300_00n],
  ].map(([dueDate, amountMinor, dueMinor]) => ({ dueDate, amountMinor, dueMinor, percent: null }))
  const document = sampleInvoice(fiveLines, {
    dueMinor: 400_00n,
    dueDate: '2026-05-02',
    instalments: instalments as never,
  })
  expect(owed(document, '2026-04-01', english)[0]).toContain('₦100.00')
  expect(daysLate(document, '2026-04-01')).toBe(0)
  expect(owed(document, '2026-04-05', english)[0]).toContain('₦100.00')
  expect(daysLate(document, '2026-04-05')).toBe(3)
  expect(owed(document, '2026-05-05', english)[0]).toContain('₦400.00')
})
