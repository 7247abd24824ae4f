import { describe, expect, test } from 'vitest'
import { lists } from '../../../../test/harness/authority-documents.ts'
import { builtInLists } from './lists.ts'
import { suggestedTaxCategory, treatmentOn } from './tax-treatment.ts'

test.each([
  ['Basic food', 'EXEMPTED', 'ZERO_VAT'],
  ['Medical and pharmaceutical', 'EXEMPTED', 'ZERO_VAT'],
  ['Laboratory and educational', 'EXEMPTED', 'ZERO_VAT'],
  ['Fertiliser', 'EXEMPTED', 'ZERO_VAT'],
  ['Baby products', 'EXEMPTED', 'EXEMPTED'],
])('%s: %s before the Act, %s from its day on', (kind, before, since) => {
  expect([treatmentOn(kind, '2025-12-31'), treatmentOn(kind, '2026-01-01')]).toEqual([before, since])
})

describe('the suggested tax category', () => {
  const suggested = (code: Parameters<typeof suggestedTaxCategory>[0], day = '2026-11-15') =>
    suggestedTaxCategory(code, day, lists)?.taxCategory

  test.each([
    ['1006.30', 'ZERO_VAT'],
    ['100630', 'ZERO_VAT'],
    ['1006.3000', 'ZERO_VAT'],
    ['3105.20', 'ZERO_VAT'],
    ['3923.30', 'EXEMPTED'],
    ['2523.29', undefined],
    ['1006', undefined],
    ['', undefined],
  ])('of goods with code %s is %s', (hsnCode, category) => {
    expect(suggested({ hsnCode })).toBe(category)
  })

  test.each([
    ['8530', 'ZERO_VAT'],
    ['8610', 'ZERO_VAT'],
    ['4921', 'EXEMPTED'],
    ['6201', undefined],
    ['constructor', undefined],
  ])('of services with code %s is %s', (serviceCode, category) => {
    expect(suggested({ serviceCode })).toBe(category)
  })

  test('follows the law of the given day', () => {
    expect(suggested({ hsnCode: '1006.30' }, '2025-12-31')).toBe('EXEMPTED')
    expect(suggested({ serviceCode: '8610' }, '2025-12-31')).toBe('EXEMPTED')
  })

  test('is undefined for a subheading that the list has in two groups', () => {
    const both = ['Basic food', 'Baby products'].map((category, at) => ({
      code: `1901.100${at}`,
      name: category,
      category,
    }))
    const divided = { ...lists, entries: () => both }
    expect(suggestedTaxCategory({ hsnCode: '1901.10' }, '2026-11-15', divided)).toBeUndefined()
    expect(suggestedTaxCategory({ hsnCode: '1901.1001' }, '2026-11-15', divided)?.group).toBe('Baby products')
  })
})

test('every entry of the list of exemptions has its present treatment', () => {
  const { entries } = builtInLists().find(({ type }) => type === 'tax-exemptions') ?? { entries: [] }
  for (const { category = '', facts } of entries)
    expect(facts).toEqual({ taxCategory: treatmentOn(category, '2026-11-15') })
  expect(new Set(entries.map(({ facts }) => facts?.taxCategory))).toEqual(new Set(['ZERO_VAT', 'EXEMPTED']))
})
