import { iso31661 } from 'iso-3166'

const assigned = new Set(iso31661.map(({ alpha2 }) => alpha2))

/**
 * Two letters that ISO 3166-1 has assigned to a country. Reserved and user-assigned codes, such as EU, UK or XK, are
 * excluded.
 */
export const isCountry = (code: string): boolean => assigned.has(code)

/** Countries with two prefixes of VAT numbers, which are not all country codes. */
const ownVatPrefixes: Readonly<Record<string, readonly string[]>> = {
  // Greece uses EL; GR is accepted too.
  GR: ['EL', 'GR'],
  // Northern Ireland, in trade with the European Union.
  GB: ['GB', 'XI'],
}

const isVatPrefix = (letters: string): boolean =>
  isCountry(letters) || Object.values(ownVatPrefixes).some((prefixes) => prefixes.includes(letters))

/** French numbers may begin with two letters of their own, followed by nine digits. */
const isFrench = (number: string, country: string): boolean => country === 'FR' && /^[A-Z]{2}\d{9}$/.test(number)

/**
 * A VAT number with the prefix of the country that issued it. A business may have a number of another country than
 * that of its address. So letters that are a known prefix, followed by a digit, are kept.
 */
export function prefixedVatNumber(number: string, country: string): string {
  const own = ownVatPrefixes[country] ?? [country]
  if (own.some((prefix) => number.startsWith(prefix))) return number
  if (/^[A-Z]{2}\d/.test(number) && isVatPrefix(number.slice(0, 2)) && !isFrench(number, country)) return number
  return `${own[0]}${number}`
}
