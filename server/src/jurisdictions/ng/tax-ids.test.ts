import fc from 'fast-check'
import { expect, test } from 'vitest'
import { taxIdTypes } from '../port.ts'
import { asAuthorityWrites, taxIds } from './tax-ids.ts'

test.each([
  ['national', '20198222-0002', '201982220002'],
  ['national', ' 20198222 0002 ', '201982220002'],
  ['national', '201982220002', '201982220002'],
  ['national', '1234567890', '1234567890'],
  ['national', '2522520314833', '2522520314833'],
  ['national', '123456789', undefined],
  ['national', '12345678901', undefined],
  ['national', '2019-82220002', undefined],
  ['national', 'TIN-0099990001', undefined],
  ['national', '٢٠١٩٨٢٢٢٠٠٠٢', undefined],
  ['registration', 'RC 1401999', 'RN-1401999'],
  ['registration', 'rn-1401999', 'RN-1401999'],
  ['registration', 'BN1234', 'RN-1234'],
  ['registration', '1401999', 'RN-1401999'],
  ['registration', 'RC', undefined],
  ['foreign', 'gb 123 4567 89', 'GB123456789'],
  ['foreign', 'DE/123-456', 'DE123456'],
  ['foreign', '=1+1', undefined],
  ['none', 'anything', undefined],
] as const)('%s %j is %j', (type, text, normal) => {
  expect(taxIds.normalise(type, text)).toBe(normal)
})

test('one number has one spelling, however it is typed', () => {
  fc.assert(
    fc.property(fc.constantFrom(...taxIdTypes), fc.string({ maxLength: 20 }), (type, text) => {
      const normal = taxIds.normalise(type, text)
      if (normal === undefined) return
      expect(taxIds.normalise(type, normal)).toBe(normal)
      expect(taxIds.normalise(type, ` ${text.toLowerCase()} `)).toBe(normal)
    }),
    { numRuns: 5000 },
  )
  expect(asAuthorityWrites('201982220002')).toBe('20198222-0002')
  expect(asAuthorityWrites('2522520314833')).toBe('2522520314833')
})
