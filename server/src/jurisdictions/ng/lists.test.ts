import { REC_20_3 } from 'un-ece-recommendation/20/3'
import { describe, expect, test } from 'vitest'
import { type CodeEntry, type ListType, listTypes } from '../port.ts'
import { builtInLists } from './lists.ts'

const lists = builtInLists()
const entriesOf = (type: ListType): readonly CodeEntry[] => lists.find((list) => list.type === type)?.entries ?? []
const withCode = (type: ListType, shape: RegExp) => entriesOf(type).filter(({ code }) => shape.test(code))
const find = (type: ListType, code: string) => entriesOf(type).find((entry) => entry.code === code)

test('there is one list of each type', () => {
  expect(lists.map(({ type }) => type).toSorted()).toEqual([...listTypes].toSorted())
})

describe.each(listTypes)('in the list of %s', (type) => {
  const entries = entriesOf(type)

  test('every code is there once, in capitals or not', () => {
    const codes = entries.map(({ code }) => code.toUpperCase())
    expect(codes.filter((code, at) => codes.indexOf(code) !== at)).toEqual([])
  })

  test('no text is empty or has blanks around it', () => {
    const texts = ({ code, name, category, facts }: CodeEntry) => [
      code,
      name,
      ...(category === undefined ? [] : [category]),
      ...Object.values(facts ?? {}).map(String),
    ]
    expect(entries.filter((entry) => texts(entry).some((text) => text === '' || text !== text.trim()))).toEqual([])
  })
})

test.each<[ListType, number]>([
  ['countries', 249],
  ['states', 37],
  ['lgas', 774],
  ['service-codes', 419],
  ['tax-categories', 25],
  ['payment-means', 12],
  ['invoice-types', 20],
])('the list of %s has %i entries', (type, count) => {
  expect(entriesOf(type)).toHaveLength(count)
})

describe('product codes', () => {
  const all = entriesOf('product-codes')

  test('are headings (4 digits) and subheadings (6 digits)', () => {
    expect(all.filter(({ code }) => !/^\d{4}(\.\d{2})?$/.test(code))).toEqual([])
    expect(withCode('product-codes', /^\d{4}$/).length).toBeGreaterThanOrEqual(1_225)
  })

  test('have their chapter as category: 01 to 97, without the reserved 77', () => {
    const chapters = new Map<string, Set<string | undefined>>()
    for (const { code, category } of all) {
      const chapter = code.slice(0, 2)
      chapters.set(chapter, (chapters.get(chapter) ?? new Set()).add(category))
    }
    const numbers = Array.from({ length: 97 }, (_, at) => String(at + 1).padStart(2, '0'))
    expect([...chapters.keys()].toSorted()).toEqual(numbers.filter((number) => number !== '77'))
    expect([...chapters].filter(([, names]) => names.size !== 1)).toEqual([])
    expect(new Set(all.map(({ category }) => category)).size).toBe(96)
    expect(all.filter(({ category }) => !category)).toEqual([])
  })

  test('include the heading of every subheading', () => {
    const headings = new Set(withCode('product-codes', /^\d{4}$/).map(({ code }) => code))
    expect(all.filter(({ code }) => !headings.has(code.slice(0, 4)))).toEqual([])
  })
})

test('service codes are ISIC classes, each with its section as category', () => {
  expect(entriesOf('service-codes').filter(({ code, category }) => !/^\d{4}$/.test(code) || !category)).toEqual([])
})

test('tax exemptions are tariff lines, each with a category', () => {
  const all = entriesOf('tax-exemptions')
  expect(all.length).toBeGreaterThan(200)
  expect(all.filter(({ code, category }) => !/^\d{4}\.\d{4}$/.test(code) || !category)).toEqual([])
})

test('every local government area is in a state, and every state has some', () => {
  const states = new Set(entriesOf('states').map(({ code }) => code))
  const lgas = entriesOf('lgas')
  expect(lgas.filter(({ category = '' }) => !states.has(category))).toEqual([])
  const counts = Map.groupBy(lgas, ({ category }) => category)
  expect(counts.size).toBe(37)
  expect(counts.get('NG-LA')).toHaveLength(20)
  expect(counts.get('NG-KN')).toHaveLength(44)
  expect(counts.get('NG-FC')).toHaveLength(6)
  expect(withCode('states', /^NG-[A-Z]{2}$/)).toHaveLength(37)
})

test('units are measures and packages, and common ones have a category of their own', () => {
  const codes = new Set(entriesOf('units').map(({ code }) => code))
  expect(REC_20_3.length).toBeGreaterThan(1_700)
  expect(REC_20_3.filter(({ code }) => !codes.has(code))).toEqual([])
  expect(withCode('units', /^X[0-9A-Z]{2}$/).length).toBeGreaterThan(390)
  for (const code of ['EA', 'H87', 'C62', 'KGM', 'LTR', 'MTR', 'HUR', 'DAY', 'MON'])
    expect(find('units', code)).toMatchObject({ category: 'Common' })
  expect([...new Set(entriesOf('units').map(({ category }) => category))].toSorted()).toEqual([
    'Common',
    'Measure',
    'Package',
  ])
})

test('380 is a credit note and 381 an invoice, the reverse of the usual UBL codes', () => {
  const kindOf = (code: string) => find('invoice-types', code)?.facts?.kind
  expect(['380', '381', '384'].map(kindOf)).toEqual(['credit_note', 'invoice', 'debit_note'])
  const others = entriesOf('invoice-types').filter(({ code }) => !['380', '381', '384'].includes(code))
  expect(new Set(others.map(({ facts }) => facts?.kind))).toEqual(new Set(['other']))
})

test('every percentage is a number, and the three VAT categories have the percentages of the law', () => {
  const percents = entriesOf('tax-categories').flatMap(({ facts }) => facts?.percent ?? [])
  expect(percents.filter((percent) => !/^\d+(\.\d+)?$/.test(String(percent)))).toEqual([])
  const percentOf = (code: string) => find('tax-categories', code)?.facts?.percent
  expect(['STANDARD_VAT', 'ZERO_VAT', 'EXEMPTED'].map(percentOf)).toEqual(['7.5', '0', '0'])
})

test('countries and currencies have their ISO codes', () => {
  expect(withCode('countries', /^[A-Z]{2}$/)).toHaveLength(249)
  expect(withCode('currencies', /^[A-Z]{3}$/)).toHaveLength(entriesOf('currencies').length)
  expect(find('countries', 'NG')).toMatchObject({ facts: { alpha3: 'NGA', numeric: '566' } })
  expect(find('currencies', 'NGN')).toMatchObject({ facts: { decimals: 2 } })
})
