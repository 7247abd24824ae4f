import { expect, test } from 'vitest'
import { readCsv } from '../../kernel/tables/csv.ts'
import { faultsOf } from './exchange-rates.ts'
import { ratesInFile } from './rates-in-file.ts'

const read = (text: string) => ratesInFile(readCsv(text), 'NGN')

test('a file has its columns in any order, with any usual separator', () => {
  const rates = [
    { currency: 'USD', day: '2026-01-14', rate: '1536.25' },
    { currency: 'EUR', day: '2026-01-14', rate: '1702.4' },
  ]
  for (const text of [
    'currency,day,rate\nUSD,2026-01-14,1536.25\nEUR,2026-01-14,1702.4\n',
    '\ufeffDate;Rate;Code;Source\r\n2026-01-14;1536.25;usd;Bank\r\n\r\n2026-01-14;1702.4;eur;Bank',
    '"rate"\t"currency"\t"date"\n"1536.25"\tUSD\t2026-01-14\n1702.4\tEUR\t2026-01-14',
  ])
    expect(read(text)).toEqual({ rates, faults: [] })
})

test('every faulty row is listed with its number', () => {
  const { faults } = read(
    [
      'currency,day,rate',
      'USD,2026-01-14,1536.25',
      'USD,2026-02-30,1536.25',
      'Dollar,2026-01-15,"1,536.25"',
      'NGN,2026-01-15,1',
      'USD,2026-01-14,1540',
      'GBP,2026-01-15,0',
      'GBP,2026-01-16',
    ].join('\n'),
  )
  expect(faults.map(({ path, rule }) => `${path} ${rule}`)).toEqual([
    'content.row[3].day format',
    'content.row[4].currency format',
    'content.row[4].rate format',
    'content.row[5].currency foreign',
    'content.row[6].day unique',
    'content.row[7].rate format',
    'content.row[8].rate format',
  ])
  expect(faults[4]?.message).toBe('has a second rate for USD 2026-01-14, as in row 2 (row 6)')
})

test('a file without a column is refused', () => {
  expect(read('currency,rate\nUSD,1').faults).toMatchObject([{ path: 'content', rule: 'columns' }])
})

test('every wrong rate is named', () => {
  const day = '2026-10-01'
  const rates = [
    { currency: 'USD', day, rate: '1500' },
    { currency: 'USD', day, rate: '1501' },
    { currency: 'NGN', day, rate: '1' },
    { currency: 'EUR', day, rate: '0.00' },
  ]
  expect(faultsOf(rates, 'NGN').map(({ path, rule }) => [path, rule])).toEqual([
    ['rates[1].day', 'unique'],
    ['rates[2].currency', 'foreign'],
    ['rates[3].rate', 'positive'],
  ])
})
