import { businessDay } from './days.ts'
import { type Decimal, spelled, tenTo, trimmed } from './decimal.ts'
import type { InvoiceDocument } from './invoice-document.ts'
import { currencyDigits } from './money-words.ts'

/** Words of a country for the codes in a document. */
export interface DocumentWords {
  unitName(code: string): string
  taxName(category: string, rate: Decimal): string
  /** short name of a kind of tax number */
  taxIdName(type: string): string
  /** short name of the authority reference */
  readonly referenceName: string
}

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

const symbolOf = (currency: string, display: 'symbol' | 'narrowSymbol'): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: display })
    .formatToParts(0)
    .find(({ type }) => type === 'currency')?.value ?? currency

/** The symbol that readers of English know, or one that no other currency has; `undefined` if there is none. */
function clearSymbol(currency: string): string | undefined {
  const [usual, narrow] = [symbolOf(currency, 'symbol'), symbolOf(currency, 'narrowSymbol')]
  if (!/[A-Z]/i.test(usual)) return usual
  if (/[A-Z]/i.test(narrow)) return undefined
  const sharing = Intl.supportedValuesOf('currency').filter((other) => symbolOf(other, 'narrowSymbol') === narrow)
  return sharing.length === 1 ? narrow : undefined
}

const signs = new Map<string, string>()
/** Currency symbol before an amount. A currency whose symbol is ambiguous is written as its code. */
function signOf(currency: string): string {
  if (!/^[A-Z]{3}$/.test(currency)) return `${currency}\u00a0`
  const known = signs.get(currency)
  if (known !== undefined) return known
  const sign = clearSymbol(currency) ?? `${currency}\u00a0`
  signs.set(currency, sign)
  return sign
}

/** `1,234.50`, for places that show the currency elsewhere. */
export const amount = (minor: bigint, currency: string): string => figure(minor, currencyDigits(currency))

/** `₦1,234.50` */
export const money = (minor: bigint, currency: string): string =>
  figure(minor, currencyDigits(currency), signOf(currency))

/** Without trailing zeros. */
export function quantity(decimal: Decimal): string {
  const { units, scale } = trimmed(decimal)
  return figure(units, scale)
}

/** All decimals, at least those of the currency. */
export function unitPrice(decimal: Decimal, currency: string, { withSign = false } = {}): string {
  const { units, scale } = trimmed(decimal)
  const digits = currencyDigits(currency)
  const sign = withSign ? signOf(currency) : ''
  return scale < digits ? figure(units * tenTo(digits - scale), digits, sign) : figure(units, scale, sign)
}

/** `2026-01-31` becomes `31 January 2026`. Text that is no day is returned unchanged. */
export function dayInWords(day: string): string {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? []
  const name = months[Number(month) - 1]
  return name === undefined ? day : `${Number(date)} ${name} ${year}`
}

/** `18 November 2026, 09:05 UTC`. With a time zone such as `Africa/Lagos`: `18 November 2026, 10:05 Lagos time`. */
export function momentInWords(moment: Date, zone = 'UTC'): string {
  const digits = { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  const time = new Intl.DateTimeFormat('en-GB', digits).format(moment)
  const clock = zone === 'UTC' ? zone : `${zone.split('/').at(-1)?.replaceAll('_', ' ')} time`
  return `${dayInWords(businessDay(moment, zone))}, ${time} ${clock}`
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
