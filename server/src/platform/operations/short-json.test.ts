import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { testVault } from '../../../../test/harness/app.ts'
import { firstWords } from './answer-words.ts'
import { isShortJson, longJson, longSnappy, shortJson } from './short-json.ts'

/** Texts that repeat themselves and the words, as answers do, with anything in between. */
const texts = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      fc.nat(firstWords.length).chain((from) => fc.nat(300).map((size) => firstWords.slice(from, from + size))),
      fc.constantFrom('"', '""""""""""', '"description":"', 'é'.repeat(70), '\x1e'),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''))

test('any text becomes itself again, whatever was made short before it', () => {
  fc.assert(
    fc.property(texts, texts, (some, other) => {
      const short = shortJson(some)
      expect(longJson(shortJson(other))).toBe(other.toWellFormed())
      expect(longJson(short)).toBe(some.toWellFormed())
      expect(isShortJson(short)).toBe(true)
    }),
    { numRuns: 1_000 },
  )
})

test('what repeats itself or the words takes few bytes, and what does not takes hardly more than before', () => {
  const lines = Array.from({ length: 50 }, (_, nth) => ({
    description: `Line ${nth}`,
    quantity: '1',
    unitPrice: '2.50',
  }))
  const json = JSON.stringify({ lines })
  expect(shortJson(json).length).toBeLessThan(json.length / 3)
  expect(shortJson(firstWords).length).toBeLessThan(200)
  const random = Array.from({ length: 100 }, (_, nth) => createHash('sha256').update(`${nth}`).digest('hex')).join('')
  expect(shortJson(random).length).toBeLessThan(random.length + 10)
})

test('texts of every size are kept, also those that are longer than references reach', () => {
  for (const size of [
    0, 1, 7, 8, 59, 60, 61, 62, 127, 128, 60_000, 62_000, 65_535, 65_536, 65_537, 200_000, 3_000_000,
  ]) {
    const text = `"${'x"y'.repeat(size)}`.slice(0, size)
    expect(longJson(shortJson(text))).toBe(text)
    const wide = '₦'.repeat(size / 3)
    expect(longJson(shortJson(wide))).toBe(wide)
  }
})

test('places of earlier texts are never taken for its own, however many there were', () => {
  const text = '"abcdefgh1" "abcdefgh2" "abcdefgh1" "abcdefgh2"'
  const first = shortJson(text)
  // More than are counted before they are cleared away: each counts as much as references reach.
  for (let nth = 0; nth < 2 ** 15; nth++) shortJson(`"abcdefgh${nth % 7}"`)
  expect(shortJson(text)).toEqual(first)
  expect(first.length).toBeLessThan(text.length)
  expect(longJson(first)).toBe(text)
})

test('what is sealed is never taken for it', () => {
  const sealed = testVault().sealBytes(Buffer.from('{}'), { table: 'idempotency_keys', column: 'answer', id: '1' })
  expect([sealed[0], isShortJson(sealed), shortJson('{}')[0]]).toEqual([2, false, 1])
})

test('the words stay as they are: answers that refer to them are kept', () => {
  const print = createHash('sha256').update(firstWords).digest('hex')
  expect([firstWords.length, print]).toEqual([2602, 'aee4ef0baa4917ea0e0f87499f3354b8a2274b21e3128897410f54ead8cb54dd'])
})

test('Snappy itself is read: stretches as they are, references near and far, copies into what they become', () => {
  const snappy = (...parts: (string | number[])[]) =>
    longSnappy(Buffer.concat(parts.map((part) => Buffer.from(part as string))))
  expect(snappy([0])).toBe('')
  expect(snappy([5, 4 << 2], 'abcde')).toBe('abcde')
  expect(snappy([10, 1 << 2], 'ab', [((8 - 4) << 2) | 1, 2])).toBe('ababababab')
  expect(snappy([6, 2 << 2], 'abc', [((3 - 1) << 2) | 2, 3, 0])).toBe('abcabc')
  expect(snappy([6, 2 << 2], 'abc', [((3 - 1) << 2) | 3, 3, 0, 0, 0])).toBe('abcabc')
  const far = `abcdefgh${'-'.repeat(292)}`
  const sizeOfFar = [(308 & 127) | 128, 2]
  expect(snappy([...sizeOfFar, 61 << 2, 299 & 255, 1], far, [((8 - 4) << 2) | 1 | (1 << 5), 300 & 255])).toBe(
    `${far}abcdefgh`,
  )
  const long = 'x'.repeat(300)
  expect(snappy([(300 & 127) | 128, 2, 61 << 2, 299 & 255, 1], long)).toBe(long)
})

test.each([
  ['a reference to before the text', [4, ((4 - 1) << 2) | 2, 1, 0]],
  ['a reference to nowhere', [5, 0, 97, ((4 - 1) << 2) | 2, 0, 0]],
  ['more than was announced', [2, 0, 97, ((4 - 1) << 2) | 2, 1, 0]],
  ['more as it is than was announced', [2, 4 << 2, 97, 98, 99, 100, 101]],
  ['something where nothing was announced', [0, 4 << 2, 97, 98, 99, 100, 101]],
  ['a stretch that ends too early', [5, 4 << 2, 97, 98]],
  ['a size that so few bytes cannot have', [128, 128, 128, 128, 4, 0, 97]],
  ['less than was announced', [9, 0, 97]],
  ['an end within a number', [200]],
  ['an end within a reference', [5, 0, 97, ((4 - 1) << 2) | 2, 1]],
])('what is broken is not taken for an answer: %s', (_, bytes) => {
  expect(() => longSnappy(Buffer.from(bytes))).toThrow()
})
