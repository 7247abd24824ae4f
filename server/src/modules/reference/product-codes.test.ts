import { expect, test } from 'vitest'
import type { CodeEntry } from '../../jurisdictions/port.ts'
import { LoadedList } from './loaded-list.ts'
import { findProductCode, subheadingsOf } from './product-codes.ts'

const listOf = (...codes: string[]) =>
  new LoadedList({
    type: 'product-codes',
    version: 'test',
    effectiveFrom: '2026-01-01',
    source: 'built-in',
    entries: codes.map((code): CodeEntry => ({ code, name: code })),
  })
const whole = listOf(
  '1006',
  ...Array.from({ length: 4_000 }, (_, at) => `20${String(at % 100).padStart(2, '0')}.${10 + Math.floor(at / 100)}`),
)

test.each([
  ['1006.30', '1006.30'],
  ['100630', '1006.30'],
  [' 1006 30 ', '1006.30'],
  ['1006', '1006'],
  ['1006.40', '1006.40'],
  ['100640', '1006.40'],
  ['1007.10', undefined],
  ['10', undefined],
  ['10063000', undefined],
  ['1006.3x', undefined],
])('of a list of headings with some subheadings, %j is %j', (code, found) => {
  expect(findProductCode(listOf('1006', '1006.30'), code)).toBe(found)
})

test('a complete list accepts only its own codes', () => {
  expect(findProductCode(whole, '1006.40')).toBeUndefined()
  expect(findProductCode(whole, '200010')).toBe('2000.10')
})

test('for lines, subheadings are returned in place of their headings', () => {
  const list = listOf('1006', '1006.30', '1007', '1008', '1008.50')
  const found = list.entries.filter(({ code }) => ['1006', '1007', '1008.50'].includes(code))
  expect(subheadingsOf(list, found).map(({ code }) => code)).toEqual(['1008.50', '1006.30'])
})
