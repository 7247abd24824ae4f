import { expect, test } from 'vitest'
import { nigeria } from '../../jurisdictions/ng/index.ts'
import type { CodeEntry } from '../../jurisdictions/port.ts'
import { parseDecimal } from '../../kernel/decimal.ts'
import type { CodeLists } from '../reference/index.ts'
import { wordsOf } from './words.ts'

const names = new Map([
  ['tax-categories NEW_LEVY', 'Levy on new things'],
  ['units KGM', 'kilogram'],
])
const codeLists = {
  list: (country: string, type: string) => ({
    find: (code: string) => {
      const name = country === 'NG' ? names.get(`${type} ${code}`) : undefined
      return name === undefined ? undefined : ({ code, name } satisfies CodeEntry)
    },
  }),
} as Pick<CodeLists, 'list'>
const words = wordsOf(codeLists, nigeria(), 'en')

test.each([
  ['STANDARD_VAT', '7.50', 'VAT 7.5%'],
  ['STANDARD_VAT', '5', 'VAT 5%'],
  ['ZERO_VAT', '0', 'VAT 0%'],
  ['EXEMPTED', '0.00', 'Exempt'],
  ['WITHHOLDING_TAX', '10', 'Withholding tax 10%'],
  ['NEW_LEVY', '2', 'Levy on new things 2%'],
  ['NEW_LEVY', '0', 'Levy on new things'],
  ['NOWHERE', '1.25', 'NOWHERE 1.25%'],
  ['constructor', '1', 'constructor 1%'],
])('%s at %s per cent is %s', (category, rate, name) => {
  expect(words.taxName(category, parseDecimal(rate) ?? expect.fail())).toBe(name)
})

test('a known unit code is written as its name', () => {
  expect(words.unitName('KGM')).toBe('kilogram')
  expect(words.unitName('XQZ')).toBe('XQZ')
})
