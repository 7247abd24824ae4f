import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hashOfKey, hintOf, isKeyText, newKeyText } from './key-text.ts'

test('a new key starts with its mode, has a valid checksum and is unique', () => {
  const keys = Array.from({ length: 500 }, () => newKeyText('live'))
  for (const key of keys) expect(isKeyText(key)).toBe(true)
  expect(keys[0]).toMatch(/^sk_live_[0-9A-Za-z]{49}$/)
  expect(newKeyText('sandbox')).toMatch(/^sk_test_/)
  expect(new Set(keys).size).toBe(keys.length)
})

test('the checksum detects a changed character', () => {
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

test('the stored and shown parts of a key do not reveal it', () => {
  const key = newKeyText('sandbox')
  expect(hashOfKey(key)).toMatch(/^[0-9a-f]{64}$/)
  expect(hintOf(key)).toBe(`sk_test_…${key.slice(-4)}`)
})
