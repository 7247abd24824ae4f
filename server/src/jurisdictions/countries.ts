import { iso31661 } from 'iso-3166'

const assigned = new Set(iso31661.map(({ alpha2 }) => alpha2))

/** The two letters that ISO 3166-1 has assigned to a country; not those that are reserved or free to use, such as EU, UK or XK. */
export const isCountry = (code: string): boolean => assigned.has(code)

/** Two prefixes of VAT numbers that are no countries, by the country whose numbers begin with them. */
const ownVatPrefixes: Readonly<Record<string, readonly string[]>> = {
  // Greece writes its own name's letters; the other ones are understood, too.
  GR: ['EL', 'GR'],
  // Northern Ireland, in trade with the European Union.
  GB: ['GB', 'XI'],
}

const isVatPrefix = (letters: string): boolean =>
  isCountry(letters) || Object.values(ownVatPrefixes).some((prefixes) => prefixes.includes(letters))

/** French numbers may begin with two letters of their own, and have nine digits after them. */
const isFrench = (number: string, country: string): boolean => country === 'FR' && /^[A-Z]{2}\d{9}$/.test(number)

/**
 * A VAT number that begins with the letters of who gave it. Businesses may have one of another country than that of their address:
 * letters that are a prefix, with a digit after them, are taken at their word.
 */
export function prefixedVatNumber(number: string, country: string): string {
  const own = ownVatPrefixes[country] ?? [country]
  if (own.some((prefix) => number.startsWith(prefix))) return number
  if (/^[A-Z]{2}\d/.test(number) && isVatPrefix(number.slice(0, 2)) && !isFrench(number, country)) return number
  return `${own[0]}${number}`
}
