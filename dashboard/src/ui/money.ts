/** The service counts every currency in hundredths, even those without coins. */
const digits = 2

const formats = new Map<string, Intl.NumberFormat>()

/** Minor units as people write them, with the currency sign: ₦1,950.50. */
export function money(minor: number, currency: string): string {
  let format = formats.get(currency)
  if (!format) {
    format = new Intl.NumberFormat('en-NG', {
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    })
    formats.set(currency, format)
  }
  return format.format(exactly(minor) as unknown as number)
}

/** Works on text, because binary fractions are not exact. */
function exactly(minor: number): string {
  const sign = minor < 0 ? '-' : ''
  const text = Math.abs(minor)
    .toString()
    .padStart(digits + 1, '0')
  return `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/** Minor units as a plain decimal number, for fields and spreadsheets: 1950.50. */
export const decimalOf = (minor: number): string => exactly(minor)

/** A typed amount in minor units. `undefined` if it is not an amount. */
export function minorOf(typed: string): number | undefined {
  const [, whole, fraction = ''] = /^(\d{1,13})(?:\.(\d*))?$/.exec(typed.replaceAll(/[,\s₦]/g, '')) ?? []
  if (whole === undefined || fraction.length > digits) return undefined
  return Number(`${whole}${fraction.padEnd(digits, '0')}`)
}

/** Minor units as text, possibly with fractions, as a plain decimal number: 195000.5 becomes 1950.005. */
export function decimalOfMinorText(minor: string): string {
  const [whole = '0', fraction = ''] = minor.split('.')
  const padded = whole.padStart(digits + 1, '0')
  const cut = padded.length - digits
  return `${padded.slice(0, cut)}.${padded.slice(cut)}${fraction}`
}

/** An exact price, possibly with fractions of a minor unit, with the currency sign: ₦1,950.005. */
export function priceText(decimal: string, currency: string): string {
  const format = new Intl.NumberFormat('en-NG', {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits + 2,
  })
  return format.format(decimal as unknown as number)
}

/** A short amount for a chart's scale: ₦1.2M. */
export function shortMoney(minor: number, currency: string): string {
  const format = new Intl.NumberFormat('en-NG', {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    notation: 'compact',
    minimumFractionDigits: 0,
    maximumFractionDigits: 1,
  })
  return format.format(minor / 10 ** digits)
}
