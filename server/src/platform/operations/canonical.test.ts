import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonical } from './canonical.ts'

const reversed = (value: unknown): unknown => {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(reversed)
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, inner]) => [key, reversed(inner)]),
  )
}

test('equal values have one canonical text in any order of keys, which parses to the same value', () => {
  fc.assert(
    // Bodies with this key are refused before (`json-body.ts`).
    fc.property(
      fc.jsonValue().filter((value) => !JSON.stringify(value).includes('__proto__')),
      (value) => {
        const text = canonical(value)
        expect(canonical(reversed(value))).toBe(text)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
      },
    ),
  )
})

test('more key orders than the cache holds, and more keys', () => {
  const keys = ['a', 'b', 'c', 'd']
  const orders = keys.flatMap((first) => keys.filter((key) => key !== first).map((second) => [first, second]))
  for (const order of [...orders, ...orders]) {
    const all = [...order, ...keys.filter((key) => !order.includes(key))]
    expect(canonical(Object.fromEntries(all.map((key) => [key, 1])))).toBe('{"a":1,"b":1,"c":1,"d":1}')
  }
  const many = Array.from({ length: 100 }, (_, nth) => `key${nth}`)
  const text = (of: string[]) => canonical(Object.fromEntries(of.map((key) => [key, key])))
  expect(text(many.toReversed())).toBe(text(many))
})

test('another order in an array, or another key, gives another text', () => {
  expect(canonical([1, 2])).not.toBe(canonical([2, 1]))
  expect(canonical({ a: 1, b: 2 })).not.toBe(canonical({ a: 2, b: 1 }))
  expect(canonical(undefined)).toBe('null')
})
