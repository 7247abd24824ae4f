import { expect, test } from 'vitest'
import { builtInLists } from './lists.ts'
import { treatmentOn } from './tax-treatment.ts'

test.each([
  ['Basic food', 'EXEMPTED', 'ZERO_VAT'],
  ['Medical and pharmaceutical', 'EXEMPTED', 'ZERO_VAT'],
  ['Laboratory and educational', 'EXEMPTED', 'ZERO_VAT'],
  ['Fertiliser', 'EXEMPTED', 'ZERO_VAT'],
  ['Baby products', 'EXEMPTED', 'EXEMPTED'],
])('%s: %s before the Act, %s from its day on', (kind, before, since) => {
  expect([treatmentOn(kind, '2025-12-31'), treatmentOn(kind, '2026-01-01')]).toEqual([before, since])
})

test('every line of the list of exemptions says what it is now', () => {
  const { entries } = builtInLists().find(({ type }) => type === 'tax-exemptions') ?? { entries: [] }
  for (const { category = '', facts } of entries)
    expect(facts).toEqual({ taxCategory: treatmentOn(category, '2026-11-15') })
  expect(new Set(entries.map(({ facts }) => facts?.taxCategory))).toEqual(new Set(['ZERO_VAT', 'EXEMPTED']))
})
