import fc from 'fast-check'
import { XmlDocument } from 'libxml2-wasm'
import { describe, expect, test } from 'vitest'
import { decimal } from '../../../../../test/ubl/documents.ts'
import { decimalText } from '../../../kernel/decimal.ts'
import { amount, holdable, optional, required } from './xml.ts'

const anyText = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units))

function readBack(xml: string): string {
  const parsed = XmlDocument.fromString(xml)
  try {
    return parsed.root.content
  } finally {
    parsed.dispose()
  }
}

describe('a text', () => {
  test.each([
    ['  Ọ̀ṣun & Sons <Ltd>  ', 'Ọ̀ṣun & Sons <Ltd>'],
    ['a\u0000b\u0007c\u001fd\u007fe', 'abcde'],
    ['a\r\nb\rc\nd\te', 'a\nb\nc\nd\te'],
    ['half \ud83e of one, whole 🧾', 'half \ufffd of one, whole 🧾'],
    ['no\ufffe cha\uffffracter', 'no character'],
    ['\u0000 \n', ''],
  ])('%j becomes %j', (given, kept) => {
    expect(holdable(given)).toBe(kept)
  })

  test('of any content is read back unchanged by another parser', () => {
    fc.assert(
      fc.property(anyText, (given) => {
        expect(readBack(required('a', given))).toBe(holdable(given) || '-')
      }),
      { numRuns: 2048 },
    )
  })

  test('without content makes no element, or a dash if the element is required', () => {
    for (const nothing of [null, undefined, '', ' ', '\u0000']) expect(optional('a', nothing)).toBe('')
    expect(required('a', '\u0007')).toBe('<a>-</a>')
  })
})

describe('a number', () => {
  test.each([
    [0n, '0.00'],
    [5n, '0.05'],
    [-5n, '-0.05'],
    [9_999_999_999_999_999_999n, '99999999999999999.99'],
  ])('of %s minor units is %s', (minor, text) => {
    expect(amount('a', minor, 'NGN')).toBe(`<a currencyID="NGN">${text}</a>`)
  })

  test.each(['0', '7.5', '0.000001', '99999999.9999'])('%s is written exactly', (text) => {
    expect(decimalText(decimal(text))).toBe(text)
  })

  test('has no trailing zeros', () => {
    expect(decimalText(decimal('7.500'))).toBe('7.5')
  })
})
