import { expect, test } from 'vitest'
import { currencyShift, facetClauses, facets, misfits } from './facets.ts'

const values = (count: number) => Array.from({ length: count }, (_, at) => at)
const place = (shift: number, bits: number, count = 2 ** bits) => ({ shift, bits, values: values(count) })

test('facets that are wide enough and do not overlap fit, in any order', () => {
  expect(misfits({ b: place(2, 3), a: place(0, 2, 3) }, 5)).toEqual([])
  expect(misfits(facets, currencyShift)).toEqual([])
})

test.each([
  ['more values than its bits can tell apart', { a: place(0, 2, 5) }, 4, ['a has 5 values, and 2 bits for them']],
  ['two places that overlap', { b: place(1, 2), a: place(0, 2) }, 4, ['a runs into what stands above it']],
  ['a place that reaches into the currency', { a: place(3, 2) }, 4, ['a runs into what stands above it']],
  ['a value with two codes', { a: { shift: 0, bits: 2, values: ['x', 'x'] } }, 4, ['a has a value twice']],
  ['a currency beyond the number', {}, 17, ['the currency runs out of the number']],
])('%s is detected at start', (_, places, above, complaints) => {
  expect(misfits(places, above)).toEqual(complaints)
})

test('one value too many in a full list prevents the start', () => {
  for (const [name, { shift, bits }] of Object.entries(facets)) {
    const full = { ...facets, [name]: place(shift, bits, 2 ** bits + 1) }
    expect(misfits(full, currencyShift)).toHaveLength(1)
  }
})

test('a filter by an unknown value matches nothing', () => {
  expect(() => facetClauses({ type: 'proforma' as 'standard' })).toThrow('proforma is no value of the facet type')
  expect(facetClauses({ currency: 'ngn' })).toEqual([{ mask: expect.any(Number), values: [] }])
})
