/** The service counts every currency in hundredths, also those that have no coin for it: so do its documents. */
const digits = 2

const formats = new Map<string, Intl.NumberFormat>()

/** An amount in minor units (kobo, cents) as people write it, with the sign of its currency: ₦1,950.50. */
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

/** As text: dividing would go through a fraction that binary numbers do not have. */
function exactly(minor: number): string {
  const sign = minor < 0 ? '-' : ''
  const text = Math.abs(minor)
    .toString()
    .padStart(digits + 1, '0')
  return `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/** An amount in minor units as a plain decimal number, as fields and spreadsheets take it: 1950.50. */
export const decimalOf = (minor: number): string => exactly(minor)

/** What somebody typed as an amount, in minor units; nothing where it is none. */
export function minorOf(typed: string): number | undefined {
  const [, whole, fraction = ''] = /^(\d{1,13})(?:\.(\d*))?$/.exec(typed.replaceAll(/[,\s₦]/g, '')) ?? []
  if (whole === undefined || fraction.length > digits) return undefined
  return Number(`${whole}${fraction.padEnd(digits, '0')}`)
}

/** Minor units as text, which may be finer than the coin, as a plain decimal number: 195000.5 kobo are 1950.005. */
export function decimalOfMinorText(minor: string): string {
  const [whole = '0', fraction = ''] = minor.split('.')
  const padded = whole.padStart(digits + 1, '0')
  const cut = padded.length - digits
  return `${padded.slice(0, cut)}.${padded.slice(cut)}${fraction}`
}

/** A price as exact as it came, which may be finer than the coin, with the sign of its currency: ₦1,950.005. */
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

/** An amount in as few letters as a scale has room for: ₦1.2M. */
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
