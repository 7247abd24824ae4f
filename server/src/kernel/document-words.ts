import { type Decimal, spelled, tenTo, trimmed } from './decimal.ts'
import type { InvoiceDocument } from './invoice-document.ts'

/** Words of a country for the codes in a document. */
export interface DocumentWords {
  unitName(code: string): string
  taxName(category: string, rate: Decimal): string
}

const signs = new Map([
  ['NGN', '₦'],
  ['USD', '$'],
  ['EUR', '€'],
  ['GBP', '£'],
])
const countries = new Intl.DisplayNames('en', { type: 'region' })
const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
]

/** With thousands separators and a true minus sign: `−1,234.50`. */
function figure(units: bigint, scale: number, sign = ''): string {
  const [whole = '', fraction] = spelled(units < 0n ? -units : units, scale).split('.')
  const parted = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return `${units < 0n ? '−' : ''}${sign}${parted}${fraction === undefined ? '' : `.${fraction}`}`
}

/** Currency symbol before an amount. A currency whose symbol is ambiguous is written as its code. */
const signOf = (currency: string): string => signs.get(currency) ?? `${currency}\u00a0`

/** `1,234.50`, for places that show the currency elsewhere. */
export const amount = (minor: bigint): string => figure(minor, 2)

/** `₦1,234.50` */
export const money = (minor: bigint, currency: string): string => figure(minor, 2, signOf(currency))

/** Without trailing zeros. */
export function quantity(decimal: Decimal): string {
  const { units, scale } = trimmed(decimal)
  return figure(units, scale)
}

/** All decimals, at least two. The currency comes first if it is given. */
export function unitPrice(decimal: Decimal, currency?: string): string {
  const { units, scale } = trimmed(decimal)
  const sign = currency === undefined ? '' : signOf(currency)
  return scale < 2 ? figure(units * tenTo(2 - scale), 2, sign) : figure(units, scale, sign)
}

/** `2026-01-31` becomes `31 January 2026`. Text that is no day is returned unchanged. */
export function dayInWords(day: string): string {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? []
  const name = months[Number(month) - 1]
  return name === undefined ? day : `${Number(date)} ${name} ${year}`
}

/** Name of a country. Text that is no country code is returned unchanged. */
export const countryName = (code: string): string => (/^[A-Z]{2}$/.test(code) ? countries.of(code) : undefined) ?? code

/** Title that the document prints. */
export function titleOf({ type, taxMinor }: Pick<InvoiceDocument, 'type' | 'taxMinor'>): string {
  if (type === 'credit_note') return 'Credit note'
  if (type === 'debit_note') return 'Debit note'
  if (type === 'prepayment') return 'Prepayment invoice'
  return taxMinor === 0n ? 'Invoice' : 'Tax invoice'
}
