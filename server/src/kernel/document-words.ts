import { type Decimal, spelled, tenTo, trimmed } from './decimal.ts'
import type { InvoiceDocument } from './invoice-document.ts'

/** What a document's codes are called in its country. */
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

/** With thousands apart and a true minus: `−1,234.50`. */
function figure(units: bigint, scale: number, sign = ''): string {
  const [whole = '', fraction] = spelled(units < 0n ? -units : units, scale).split('.')
  const parted = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return `${units < 0n ? '−' : ''}${sign}${parted}${fraction === undefined ? '' : `.${fraction}`}`
}

/** What stands before an amount; a currency without a sign that everybody reads alike is named by its code. */
const signOf = (currency: string): string => signs.get(currency) ?? `${currency}\u00a0`

/** `1,234.50`, where the currency is said elsewhere. */
export const amount = (minor: bigint): string => figure(minor, 2)

/** `₦1,234.50` */
export const money = (minor: bigint, currency: string): string => figure(minor, 2, signOf(currency))

/** Without zeros that say nothing. */
export function quantity(decimal: Decimal): string {
  const { units, scale } = trimmed(decimal)
  return figure(units, scale)
}

/** With all its decimals, and two at least; its currency before it where that is given. */
export function unitPrice(decimal: Decimal, currency?: string): string {
  const { units, scale } = trimmed(decimal)
  const sign = currency === undefined ? '' : signOf(currency)
  return scale < 2 ? figure(units * tenTo(2 - scale), 2, sign) : figure(units, scale, sign)
}

/** `2026-01-31` is `31 January 2026`; what is no day is left as it is. */
export function dayInWords(day: string): string {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? []
  const name = months[Number(month) - 1]
  return name === undefined ? day : `${Number(date)} ${name} ${year}`
}

/** The name of a country, or the text itself where it is no code of one. */
export const countryName = (code: string): string => (/^[A-Z]{2}$/.test(code) ? countries.of(code) : undefined) ?? code

/** What a document calls itself. */
export function titleOf({ type, taxMinor }: Pick<InvoiceDocument, 'type' | 'taxMinor'>): string {
  if (type === 'credit_note') return 'Credit note'
  if (type === 'debit_note') return 'Debit note'
  if (type === 'prepayment') return 'Prepayment invoice'
  return taxMinor === 0n ? 'Invoice' : 'Tax invoice'
}
