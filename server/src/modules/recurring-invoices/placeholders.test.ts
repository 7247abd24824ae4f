import { expect, test } from 'vitest'
import { filledIn } from './placeholders.ts'

test.each([
  ['Rent for {month} {year}', 'Rent for October 2026'],
  ['Hosting, {period}', 'Hosting, 1 October 2026 – 31 October 2026'],
  ['{from} to {to}', '1 October 2026 to 31 October 2026'],
  ['{quarter} of {year}, from the {day}', 'Q4 of 2026, from the 1'],
  ['{unknown} {Month} {} {{month}}', '{unknown} {Month} {} {October}'],
])('%s becomes %s', (text, filled) => {
  expect(filledIn(text, { from: '2026-10-01', to: '2026-10-31' })).toBe(filled)
})

test('a period of one day is one day', () => {
  expect(filledIn('{period}', { from: '2026-10-01', to: '2026-10-01' })).toBe('1 October 2026')
})
