import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hashOfKey, hintOf, isKeyText, newKeyText } from './key-text.ts'

test('a new key has its mode in front, passes its own check and differs from every other', () => {
  const keys = Array.from({ length: 500 }, () => newKeyText('live'))
  for (const key of keys) expect(isKeyText(key)).toBe(true)
  expect(keys[0]).toMatch(/^sk_live_[0-9A-Za-z]{49}$/)
  expect(newKeyText('sandbox')).toMatch(/^sk_test_/)
  expect(new Set(keys).size).toBe(keys.length)
})

test('a changed character is noticed without a database', () => {
  fc.assert(
    fc.property(fc.nat({ max: 48 }), fc.constantFrom(...'ABCxyz019'), (position, letter) => {
      const key = newKeyText('sandbox')
      const at = 8 + position
      fc.pre(key[at] !== letter)
      expect(isKeyText(key.slice(0, at) + letter + key.slice(at + 1))).toBe(false)
    }),
    { numRuns: 1000 },
  )
})

test('what is stored or shown of a key does not give it away', () => {
  const key = newKeyText('sandbox')
  expect(hashOfKey(key)).toMatch(/^[0-9a-f]{64}$/)
  expect(hintOf(key)).toBe(`sk_test_…${key.slice(-4)}`)
})
