import { expect, test } from 'vitest'
import { wordingOf } from '../../kernel/languages/wording.ts'
import { aboutField, writtenFieldNames } from '../../kernel/written-fields.ts'
import { filledIn, templateFor } from './placeholders.ts'

test.each([
  ['Rent for {month} {year}', 'Rent for October 2026'],
  ['Hosting, {period}', 'Hosting, 1 October 2026 – 31 October 2026'],
  ['{from} to {to}', '1 October 2026 to 31 October 2026'],
  ['{quarter} of {year}, from the {day}', 'Q4 of 2026, from the 1'],
  ['{unknown} {Month} {} {{month}}', '{unknown} {Month} {} {October}'],
  ['{constructor}', '{constructor}'],
])('%s becomes %s', (text, filled) => {
  expect(filledIn(text, { from: '2026-10-01', to: '2026-10-31' }, wordingOf('en'))).toBe(filled)
})

test('a period of one day is one day', () => {
  expect(filledIn('{period}', { from: '2026-10-01', to: '2026-10-01' }, wordingOf('en'))).toBe('1 October 2026')
})

test.each([
  ['fr', 'Loyer octobre 2026, T4', '1 octobre 2026 – 31 octobre 2026'],
  ['pt', 'Loyer outubro 2026, T4', '1 de outubro de 2026 – 31 de outubro de 2026'],
] as const)('words are in the language of the buyer: %s', (language, month, period) => {
  const october = { from: '2026-10-01', to: '2026-10-31' }
  expect(filledIn('Loyer {month} {year}, {quarter}', october, wordingOf(language))).toBe(month)
  expect(filledIn('{period}', october, wordingOf(language))).toBe(period)
})

test('a recurring invoice has no days but its own', () => {
  const template = { currency: 'NGN', lines: [], notes: 'Rent for {month}' }
  const filled = templateFor(template, { from: '2026-10-01', to: '2026-10-31' }, wordingOf('en'))
  expect(filled.notes).toBe('Rent for October')
  const days = writtenFieldNames.filter((name) => aboutField(name).kind === 'day')
  expect(days.map((name) => filled[name])).toEqual(days.map(() => null))
})
