import { expect, test } from 'vitest'
import { exactMinor, parseExact } from './exact-json.ts'

test.each([
  '{"payableMinor":9007199254740993}',
  '[-90071992547409930001]',
  '{"a":{"b":[12345678901234567890,1]},"text":"9007199254740993"}',
])('%s is written as it was read', (text) => {
  expect(JSON.stringify(parseExact(text))).toBe(text)
})

test('a value that fits a binary number is a number', () => {
  expect(parseExact('{"a":9007199254740991,"b":1.5,"c":"1234567890123456"}')).toEqual({
    a: 9_007_199_254_740_991,
    b: 1.5,
    c: '1234567890123456',
  })
  expect(JSON.stringify({ a: exactMinor(9_007_199_254_740_993n), b: exactMinor(5n) })).toBe(
    '{"a":9007199254740993,"b":5}',
  )
})
