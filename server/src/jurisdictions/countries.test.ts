import { expect, test } from 'vitest'
import { isCountry, prefixedVatNumber } from './countries.ts'

test.each(['NG', 'GB', 'GR', 'ZA', 'AX'])('%s is a country', (code) => {
  expect(isCountry(code)).toBe(true)
})

test.each(['QQ', 'UK', 'EU', 'XK', 'EL', 'XI', 'AN', 'ZZ', 'ng', 'NGA', 'N', '', 'N\n'])(
  '%j is not a country',
  (code) => {
    expect(isCountry(code)).toBe(false)
  },
)

test.each([
  ['201982220002', 'NG', 'NG201982220002'],
  ['NG201982220002', 'NG', 'NG201982220002'],
  ['EL123456789', 'GR', 'EL123456789'],
  ['GR123456789', 'GR', 'GR123456789'],
  ['123456789', 'GR', 'EL123456789'],
  ['XI123456789', 'GB', 'XI123456789'],
  ['GB123456789', 'GB', 'GB123456789'],
  ['123456789', 'GB', 'GB123456789'],
  // Registered in another country than that of the address.
  ['XI123456789', 'IE', 'XI123456789'],
  ['EL123456789', 'NG', 'EL123456789'],
  ['DE123456789', 'NG', 'DE123456789'],
  // Letters that are no prefix, and letters that belong to the number.
  ['UK123456789', 'GB', 'GBUK123456789'],
  ['U12345678', 'AT', 'ATU12345678'],
  ['X1234567L', 'ES', 'ESX1234567L'],
  ['BE123456789', 'FR', 'FRBE123456789'],
  ['FRBE123456789', 'FR', 'FRBE123456789'],
])('the VAT number %s of a business in %s becomes %s', (number, country, whole) => {
  expect(prefixedVatNumber(number, country)).toBe(whole)
})
