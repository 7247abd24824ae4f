import { expect, test } from 'vitest'
import { nigeria } from '../../jurisdictions/ng/index.ts'
import { Refusal } from '../../kernel/refusals.ts'
import { isSameName, taxIdentityOf } from './tax-identity.ts'

const country = nigeria()
const served = { all: [country] }

test('a number is national by default, and no number is no identity', () => {
  expect(taxIdentityOf(country, ' 20198222-0002 ', undefined)).toEqual({
    taxId: '20198222-0002',
    taxIdNormal: '201982220002',
    taxIdType: 'national',
  })
  expect(taxIdentityOf(country, null, undefined).taxIdType).toBe('none')
  expect(taxIdentityOf(country, 'GB 123', 'foreign').taxIdNormal).toBe('GB123')
})

test.each([
  ['12', undefined],
  ['20198222-0002', 'none'],
  [null, 'national'],
  ['', 'registration'],
] as const)('%j of the type %s is refused with its path', (taxId, type) => {
  try {
    taxIdentityOf(country, taxId, type, 'taxNumber')
    expect.unreachable()
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal)
    expect((error as Refusal).details?.map(({ path }) => path)).toEqual(['taxNumber'])
  }
})

test.each([
  ['ABC AND XYZ Company', 'Abc & Xyz Ltd.', true],
  ['Dangote Cement PLC', 'Dangote Cement', true],
  ['Adébáyọ̀ Stores', 'ADEBAYO STORES NIG LTD', true],
  ['Eze Stores', 'Okonkwo Trading', false],
  ['Ltd', 'Eze Stores Ltd', false],
])('%s and %s: the same business is %s', (one, other, same) => {
  expect(isSameName(one, other, served)).toBe(same)
  expect(isSameName(other, one, served)).toBe(same)
})
