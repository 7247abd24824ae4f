import { describe, expect, test } from 'vitest'
import { words as countryWords } from '../../jurisdictions/ng/words.ts'
import { readCsv } from '../../kernel/tables/csv.ts'
import { importFields, importKinds, matchColumns } from './columns.ts'
import { recordsOf, rowFaultsOf } from './records.ts'
import { repeatedIn } from './repeated-records.ts'

const words = countryWords.imports

const read = (kind: (typeof importKinds)[number], text: string) => {
  const table = readCsv(text)
  return recordsOf(kind, table, matchColumns(kind, table.header, words), words)
}

describe('columns', () => {
  test.each(importKinds)('of %s are found by their labels, and by their names', (kind) => {
    for (const nameIn of ['label', 'field'] as const) {
      const header = importFields(kind, words).map((field) => field[nameIn])
      expect(matchColumns(kind, header, words).map(({ field }) => field)).toEqual(
        importFields(kind, words).map(({ field }) => field),
      )
    }
  })

  test('other names of columns are recognised, each once, and the rest is ignored', () => {
    expect(matchColumns('buyers', ['CUSTOMER_NAME', 'T.I.N.', 'TIN', 'Customer', 'Shoe size'], words)).toEqual([
      { column: 'CUSTOMER_NAME', field: 'name' },
      { column: 'T.I.N.', field: null },
      { column: 'TIN', field: 'taxId' },
      { column: 'Customer', field: null },
      { column: 'Shoe size', field: null },
    ])
  })

  test('missing, unknown and repeated columns are all named', () => {
    const table = readCsv('a,b,twice,twice\n1,2,3,4')
    const matched = [
      { column: 'a', field: 'taxId' },
      { column: 'b', field: 'taxId' },
      { column: 'c', field: 'email' },
      { column: 'a', field: 'shoeSize' },
      { column: 'twice', field: 'phone' },
    ]
    expect(() => recordsOf('buyers', table, matched, words)).toThrow(
      expect.objectContaining({
        details: [
          expect.objectContaining({ path: 'columns[1].field', rule: 'repeated' }),
          expect.objectContaining({ path: 'columns[2].column', rule: 'unknown' }),
          expect.objectContaining({ path: 'columns[3].field', rule: 'unknown' }),
          expect.objectContaining({ path: 'columns[4].column', rule: 'ambiguous' }),
          expect.objectContaining({ path: 'columns', rule: 'required' }),
        ],
      }),
    )
  })
})

describe('cells', () => {
  test.each([
    ['2026-01-31', '2026-01-31'],
    ['2026-01-31 09:00', '2026-01-31'],
    ['31/1/2026', '2026-01-31'],
    ['31.01.2026', '2026-01-31'],
    ['31/02/2026', undefined],
    ['01-31-2026', undefined],
    ['tomorrow', undefined],
  ])('the day %j', (cell, day) => {
    const [record] = read('invoices', `Invoice date,Quantity\n${cell},1`)
    expect(record?.body.invoiceDate).toBe(day)
    expect(record?.faults.map(({ row, column }) => [row, column])).toEqual(day ? [] : [[2, 'Invoice date']])
  })

  test.each([
    ['1250.5', '1250.5', '125050'],
    ['"1,250.50"', '1250.50', '125050'],
    ['"₦ 1,250,000"', '1250000', '125000000'],
    ['0.0125', '0.0125', '1.25'],
    ['"1,25"', undefined, undefined],
    ['12 50', undefined, undefined],
    ['1 250', '1250', '125000'],
    ['a lot', undefined, undefined],
  ])('the amount %s', (cell, amount, minor) => {
    expect(read('invoices', `Date,Quantity\n2026-01-31,${cell}`)[0]?.body.lineItems).toEqual([
      amount ? { quantity: amount } : {},
    ])
    expect(read('items', `Name,Price\nRice,${cell}`)[0]?.body.unitPriceMinor).toBe(minor)
  })
})

test('a price is read with the decimals of its currency', () => {
  expect(read('items', 'Name,Price,Currency\nFish,250.5,ISK')[0]?.body.unitPriceMinor).toBe('250.50')
  expect(read('items', 'Name,Price,Currency\nFish,250.005,isk')[0]?.faults).toEqual([
    { row: 2, column: 'Price', message: 'must have at most 2 decimals' },
  ])
})

test('a comma in a file with semicolons may be a decimal mark: it is refused, not guessed', () => {
  const [record] = read('items', 'Name;Price\nRice;1,250')
  expect(record?.faults).toEqual([{ row: 2, column: 'Price', message: 'must be a number such as 1250.50' }])
})

test('a cell that was protected against formulas is read without the protection', () => {
  expect(read('buyers', "Name,Phone\n'=Sum,'+2348012345678")[0]?.body).toEqual({
    name: '=Sum',
    phone: '+2348012345678',
  })
})

test('rows with one number are one invoice, wherever they are, and must not contradict each other', () => {
  const records = read(
    'invoices',
    'Number,Buyer,Date,Description,Qty\nA1,Ade,2026-01-31,Rice,1\nA2,Bola,2026-01-31,Beans,2\nA1,,,Yam,3\nA1,Chidi,,Garri,4\n,Ade,2026-01-31,Rice,5',
  )
  expect(records.map(({ row, lineRows, label }) => [row, lineRows, label])).toEqual([
    [2, [2, 4, 5], 'A1'],
    [3, [3], 'A2'],
    [6, [6], 'Ade'],
  ])
  expect(records[0]?.body.lineItems).toEqual([
    { description: 'Rice', quantity: '1' },
    { description: 'Yam', quantity: '3' },
    { description: 'Garri', quantity: '4' },
  ])
  expect(records[0]?.faults).toEqual([{ row: 5, column: 'Buyer', message: 'differs from row 2 of the same invoice' }])
})

test('a repeated tax number or SKU is a fault, in any spelling', () => {
  const table = readCsv('Name,TIN\nAde,2019-0001\nBola,20190001\nChidi,')
  const matched = matchColumns('buyers', table.header, words)
  const faults = repeatedIn('buyers', recordsOf('buyers', table, matched, words), matched).flatMap(
    (record) => record.faults,
  )
  expect(faults).toEqual([{ row: 3, column: 'TIN', message: 'is already in row 2' }])
})

test('a fault of the request names its row and column', () => {
  const matched = [
    { column: 'Menge', field: 'quantity' },
    { column: 'Datum', field: 'invoiceDate' },
  ]
  const faults = ['lineItems[1].quantity', 'invoiceDate', 'lineItems[0].unitPrice', 'lineItems'].map((path) => ({
    path,
    rule: 'x',
    message: 'm',
  }))
  expect(rowFaultsOf(faults, { row: 2, lineRows: [2, 7] }, matched)).toEqual([
    { row: 7, column: 'Menge', message: 'm' },
    { row: 2, column: 'Datum', message: 'm' },
    { row: 2, column: 'unitPrice', message: 'm' },
    { row: 2, column: 'lineItems', message: 'm' },
  ])
})
