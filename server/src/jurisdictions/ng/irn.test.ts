import fc from 'fast-check'
import { expect, test } from 'vitest'
import { irnNumberPart, irnOf } from './irn.ts'

test.each([
  ['INV000049', 'INV000049'],
  ['inv-2026/000 49', 'INV202600049'],
  ['a_b.c', 'ABC'],
  ['№ 12', '12'],
  ['straße', 'STRAE'],
  ['١٢', ''],
  ['--', ''],
])('the document number %j becomes %j in an IRN', (number, part) => {
  expect(irnNumberPart(number)).toBe(part)
})

test('an IRN consists of document number, service id and issue date', () => {
  expect(irnOf('inv-000049', 'F6B4C898', '2026-03-27')).toBe('INV000049-F6B4C898-20260327')
})

test('document numbers that differ only in punctuation and case are the same number', () => {
  const punctuation = fc.string({ unit: fc.constantFrom('-', '/', ' ', '.', '_', '#'), maxLength: 3 })
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.stringMatching(/^[A-Za-z0-9]{0,6}$/), punctuation)), (pieces) => {
      const bare = pieces.map(([letters]) => letters).join('')
      const typed = pieces.map(([letters, marks]) => letters.toLowerCase() + marks).join('')
      expect(irnNumberPart(typed)).toBe(bare.toUpperCase())
    }),
  )
})

test('any text becomes capitals and digits, and a second pass changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (typed) => {
      const part = irnNumberPart(typed)
      expect(part).toMatch(/^[A-Z0-9]*$/)
      expect(irnNumberPart(part)).toBe(part)
    }),
    { numRuns: 2000 },
  )
})
