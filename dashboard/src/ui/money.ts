/** Digits behind the point of currencies that do not have two of them. */
const otherDigits: Readonly<Record<string, number>> = {
  JPY: 0,
  KRW: 0,
  XAF: 0,
  XOF: 0,
  UGX: 0,
  RWF: 0,
  BHD: 3,
  KWD: 3,
  TND: 3,
}

const formats = new Map<string, Intl.NumberFormat>()

/** An amount in minor units (kobo, cents) as people write it, with the sign of its currency: ₦1,950.50. */
export function money(minor: number, currency: string): string {
  const digits = otherDigits[currency] ?? 2
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
  return format.format(exactly(minor, digits) as unknown as number)
}

/** As text: dividing would go through a fraction that binary numbers do not have. */
function exactly(minor: number, digits: number): string {
  const sign = minor < 0 ? '-' : ''
  const text = Math.abs(minor)
    .toString()
    .padStart(digits + 1, '0')
  return digits === 0 ? `${sign}${text}` : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/** An amount in minor units as a plain decimal number, as fields and spreadsheets take it: 1950.50. */
export const decimalOf = (minor: number, currency: string): string => exactly(minor, otherDigits[currency] ?? 2)

/** What somebody typed as an amount, in minor units; nothing where it is none. */
export function minorOf(typed: string, currency: string): number | undefined {
  const digits = otherDigits[currency] ?? 2
  const [, whole, fraction = ''] = /^(\d{1,13})(?:\.(\d*))?$/.exec(typed.replaceAll(/[,\s₦]/g, '')) ?? []
  if (whole === undefined || fraction.length > digits) return undefined
  return Number(`${whole}${fraction.padEnd(digits, '0')}`)
}

/** Minor units as text, which may be finer than the coin, as a plain decimal number: 195000.5 kobo are 1950.005. */
export function decimalOfMinorText(minor: string, currency: string): string {
  const digits = otherDigits[currency] ?? 2
  const [whole = '0', fraction = ''] = minor.split('.')
  const padded = whole.padStart(digits + 1, '0')
  const cut = padded.length - digits
  const behind = `${padded.slice(cut)}${fraction}`
  return behind === '' ? padded : `${padded.slice(0, cut)}.${behind}`
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
  return format.format(minor / 10 ** (otherDigits[currency] ?? 2))
}
