/** Currencies of which a hundredth is not the smallest part. */
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
const digitsOf = (currency: string) => otherDigits[currency] ?? 2

/** Moves the point of a number that is written out: no digit is lost, as it would be by dividing. */
function movePoint(text: string, places: number): string {
  const [whole = '', part = ''] = text.split('.')
  const behind = part.length - places
  const digits = (whole + part).padStart(behind + 1, '0')
  if (behind <= 0) return digits.padEnd(digits.length - behind, '0').replace(/^0+(?=\d)/, '')
  const fraction = digits.slice(-behind).replace(/0+$/, '')
  const before = digits.slice(0, -behind).replace(/^0+(?=\d)/, '')
  return fraction === '' ? before : `${before}.${fraction}`
}

/** A price in kobo or cents, such as `195000.5`, as people write it: `1950.005`. */
export const majorOf = (minor: string, currency: string): string => movePoint(minor, -digitsOf(currency))

/** What somebody typed as a price, as the API takes it; what is no number stays as it is, for the API to say so. */
export function minorOf(typed: string, currency: string): string {
  const plain = typed.replaceAll(/[,\s₦]/g, '')
  return /^\d+(\.\d+)?$/.test(plain) ? movePoint(plain, digitsOf(currency)) : plain
}

/** A price for reading, with the sign of its currency. */
export function priceText(minor: string, currency: string): string {
  const format = new Intl.NumberFormat('en-NG', {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: digitsOf(currency),
    maximumFractionDigits: digitsOf(currency) + 2,
  })
  return format.format(majorOf(minor, currency) as unknown as number)
}
