import { numberLocale } from './locale.ts'

/** Decimals of the currencies that the service named. Others have two. */
const decimalsOf = new Map<string, number>()

export function learnDecimals(currencies: readonly { readonly code: string; readonly decimals: number }[]): void {
  for (const { code, decimals } of currencies) decimalsOf.set(code, decimals)
}

const digitsOf = (currency: string): number => decimalsOf.get(currency) ?? 2

const formats = new Map<string, Intl.NumberFormat>()

/**
 * `furtherDigits`: how many digits may follow those of the minor unit. Without a sign while a person still types the
 * currency.
 */
function formatOf(currency: string, furtherDigits = 0): Intl.NumberFormat {
  const digits = digitsOf(currency)
  const key = `${currency} ${digits} ${furtherDigits}`
  let format = formats.get(key)
  if (!format) {
    format = new Intl.NumberFormat(numberLocale, {
      ...(/^[A-Z]{3}$/.test(currency) && { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }),
      minimumFractionDigits: digits,
      maximumFractionDigits: digits + furtherDigits,
    })
    formats.set(key, format)
  }
  return format
}

/** A minus sign with a thin space, because a hyphen looks like a part of some currency signs. */
const withMinus = (text: string): string => text.replace(/^-/, '\u2212\u202f')

/** Minor units as people write them, with the currency sign: $1,950.50. */
export const money = (minor: number, currency: string): string =>
  withMinus(formatOf(currency).format(decimalOf(minor, currency) as unknown as number))

/** Minor units as a plain decimal number, for fields and spreadsheets: 1950.50. */
export function decimalOf(minor: number, currency: string): string {
  // Works on text, because binary fractions are not exact.
  const text = decimalOfMinorText(Math.abs(minor).toString(), currency)
  return minor < 0 ? `-${text}` : text
}

/**
 * A typed number without thousands separators, blanks and currency signs. A comma separates thousands if three digits
 * follow it, and decimals after a zero or if one or two digits follow at the end: 1,950.50 and 1.950,50 are the same.
 * Other text stays as it is, so that it is refused and not misread.
 */
export function plainNumber(typed: string): string {
  const text = typed.replaceAll(/[\s\p{Sc}]/gu, '')
  if (/^[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/.test(text)) return text.replaceAll(',', '')
  if (/^(\d+|[1-9]\d{0,2}(\.\d{3})+),\d{1,2}$|^0,\d+$/.test(text)) return text.replaceAll('.', '').replace(',', '.')
  return text
}

/** A typed amount in minor units. `undefined` if it is not an amount. */
export function minorOf(typed: string, currency: string): number | undefined {
  const digits = digitsOf(currency)
  const [, whole, fraction = ''] = /^(\d{1,13})(?:\.(\d*))?$/.exec(plainNumber(typed)) ?? []
  if (whole === undefined || fraction.length > digits) return undefined
  return Number(`${whole}${fraction.padEnd(digits, '0')}`)
}

/** Minor units as text, possibly with fractions, as a plain decimal number: 195000.5 becomes 1950.005. */
export function decimalOfMinorText(minor: string, currency: string): string {
  const digits = digitsOf(currency)
  const [whole = '0', fraction = ''] = minor.split('.')
  const padded = whole.padStart(digits + 1, '0')
  const cut = padded.length - digits
  const behind = `${padded.slice(cut)}${fraction}`
  return behind === '' ? padded : `${padded.slice(0, cut)}.${behind}`
}

/** A typed price as minor units in text, possibly with fractions. Invalid text stays, so that the service reports it. */
export function minorTextOf(typed: string, currency: string): string {
  const plain = plainNumber(typed)
  if (!/^\d+(\.\d+)?$/.test(plain)) return plain
  const digits = digitsOf(currency)
  const [whole = '', part = ''] = plain.split('.')
  const padded = part.padEnd(digits, '0')
  const before = `${whole}${padded.slice(0, digits)}`.replace(/^0+(?=\d)/, '')
  const fraction = padded.slice(digits).replace(/0+$/, '')
  return fraction === '' ? before : `${before}.${fraction}`
}

/** An exact price, possibly with fractions of a minor unit, with the currency sign: $1,950.005. */
export const priceText = (decimal: string, currency: string): string =>
  formatOf(currency, 2).format(decimal as unknown as number)

/** A short amount for a chart's scale: $1.2M. */
export function shortMoney(minor: number, currency: string): string {
  const format = new Intl.NumberFormat(numberLocale, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    notation: 'compact',
    minimumFractionDigits: 0,
    maximumFractionDigits: 1,
  })
  return withMinus(format.format(minor / 10 ** digitsOf(currency)))
}
