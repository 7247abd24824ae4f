import { type Decimal, spelled, tenTo, trimmed } from '../decimal.ts'
import { currencyDigits } from '../money-words.ts'
import { ar } from './ar.ts'
import type { Catalogue, CountedKey, CountedValuesOf, TextKey, ValuesOf } from './catalogue.ts'
import { en } from './en.ts'
import { fr } from './fr.ts'
import { ha } from './ha.ts'
import { ig } from './ig.ts'
import { type Language, languages, standardLanguage } from './languages.ts'
import { pt } from './pt.ts'
import { yo } from './yo.ts'

export const catalogues: Readonly<Record<Language, Catalogue>> = { en, fr, ha, yo, ig, pt, ar }

type Values = Readonly<Record<string, string | number>>
type Needed<Given> = keyof Given extends never ? [] : [values: Given]

/** What decides the title of a document. */
interface TitledDocument {
  readonly type: 'standard' | 'credit_note' | 'debit_note' | 'prepayment'
  readonly taxMinor: bigint
  /** set for a document that is no invoice */
  readonly offer?: { readonly type: 'quote' | 'proforma' } | undefined
}

/** Words, numbers and dates in one language. */
export interface Wording {
  readonly language: Language
  readonly direction: 'ltr' | 'rtl'
  /** a text of the catalogue, with these values in its braces */
  say<Key extends TextKey>(key: Key, ...values: Needed<ValuesOf<Key>>): string
  /** the form of a text for this number, which is its value `count` */
  count<Key extends CountedKey>(key: Key, count: number, values: CountedValuesOf<Key>): string
  /** the text of a key that is only known while the program runs; `undefined` if the catalogue has none */
  find(key: string): string | undefined
  /** `1,234.50`, for places that show the currency elsewhere */
  amount(minor: bigint, currency: string): string
  /** `₦1,234.50` */
  money(minor: bigint, currency: string): string
  /** without trailing zeros */
  quantity(decimal: Decimal): string
  /** all decimals, at least those of the currency */
  unitPrice(decimal: Decimal, currency: string, options?: { readonly withSign?: boolean }): string
  /** parts of one line, with dots between them; empty parts are left out, and each part keeps its own direction */
  join(parts: readonly (string | null | false | undefined)[], dot?: string): string
  /** a name and its value, such as `Tax number 123-45`; the value keeps its own direction */
  labelled(label: string, value: string): string
  /** `31 January 2026`; text that is no day is returned unchanged */
  day(day: string): string
  /** `January`, as it stands alone; empty for text that is no day */
  month(day: string): string
  /** name of a country; text that is no country code is returned unchanged */
  countryName(code: string): string
  /** `USD (US Dollar)`; only the code if it has no name */
  currencyName(code: string): string
  /** title that a document prints */
  titleOf(document: TitledDocument): string
  /** in lower case, as inside a sentence */
  inSentence(title: string): string
}

const known = new Map<Language, Wording>()

/** The wording for a buyer's language; the standard language for a buyer without one. */
export function wordingOf(language: Language | null | undefined): Wording {
  const code = language ?? standardLanguage
  const wording = known.get(code) ?? createWording(code)
  known.set(code, wording)
  return wording
}

function createWording(language: Language): Wording {
  const { locale, direction } = languages[language]
  const catalogue = catalogues[language]
  const { format: figure, sign } = figuresOf(locale, direction)
  const day = daysOf(locale)
  const plurals = new Intl.PluralRules(locale)
  const countries = new Intl.DisplayNames(locale, { type: 'region' })
  const currencies = new Intl.DisplayNames(locale, { type: 'currency' })
  const fill = (text: string, values: Values = {}): string =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => isolated(String(values[name] ?? ''), direction))
  return {
    language,
    direction,
    say: (key, ...[values]) => fill(catalogue[key], values as Values | undefined),
    count: (key, count, values) => {
      const forms = catalogue[key]
      return fill(forms[plurals.select(count)] ?? forms.other, { ...(values as Values), count })
    },
    find: (key) => {
      const text = Object.hasOwn(catalogue, key) ? catalogue[key as TextKey] : undefined
      return typeof text === 'string' ? text : undefined
    },
    amount: (minor, currency) => figure(minor, currencyDigits(currency)),
    money: (minor, currency) => figure(minor, currencyDigits(currency), sign(currency)),
    quantity: (decimal) => {
      const { units, scale } = trimmed(decimal)
      return figure(units, scale)
    },
    unitPrice: (decimal, currency, { withSign = false } = {}) => {
      const { units, scale } = trimmed(decimal)
      const digits = currencyDigits(currency)
      const mark = withSign ? sign(currency) : ''
      return scale < digits ? figure(units * tenTo(digits - scale), digits, mark) : figure(units, scale, mark)
    },
    join: (parts, dot = ' · ') => {
      const [first = '', ...more] = parts.filter((part): part is string => Boolean(part))
      if (more.length === 0) return first
      if (direction === 'ltr') return [first, ...more].join(dot)
      // The mark makes the line start on the right, whatever its first part is.
      return `\u200f${[first, ...more].map((part) => `${isolate.start}${part}${isolate.end}`).join(dot)}`
    },
    labelled: (label, value) => `${label} ${isolated(value, direction)}`.trim(),
    day,
    month: monthsOf(locale),
    countryName: (code) => (/^[A-Z]{2}$/.test(code) ? countries.of(code) : undefined) ?? code,
    currencyName: (code) => {
      const name = /^[A-Z]{3}$/.test(code) ? currencies.of(code) : undefined
      if (!name || name === code) return code
      return direction === 'rtl' ? `${name} (${code})` : `${code} (${name})`
    },
    titleOf: ({ type, taxMinor, offer }) => {
      if (offer) return catalogue[`title.${offer.type}`]
      if (type === 'standard') return catalogue[taxMinor === 0n ? 'title.invoice' : 'title.tax_invoice']
      return catalogue[`title.${type}`]
    },
    inSentence: (title) => title.toLocaleLowerCase(locale),
  }
}

const isolate = { start: '\u2068', end: '\u2069' } as const
/** Digits with their separators keep their order without help. After Arabic letters, a dash or a currency symbol does not. */
const keepsOrder = /^[\p{N}.,/ \u00a0]*$/u
/** Letters of scripts that are written from right to left, such as Hebrew, Arabic, N'Ko and Adlam. */
const fromRight = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/**
 * A value inside text. Without these marks, a name that is written in the other direction would change the order of the words around it:
 * in an English sentence, the date after an Arabic name would stand before the name.
 */
function isolated(value: string, direction: 'ltr' | 'rtl'): string {
  if (direction === 'ltr' ? !fromRight.test(value) : keepsOrder.test(value)) return value
  return `${isolate.start}${isBalanced(value) ? value : value.replace(isolates, '')}${isolate.end}`
}

const isolates = /[\u2066-\u2069]/g
/** Marks of foreign text could end ours too early. */
function isBalanced(text: string): boolean {
  let depth = 0
  for (const mark of text.match(isolates) ?? []) {
    depth += mark === isolate.end ? -1 : 1
    if (depth < 0) return false
  }
  return depth === 0
}

/**
 * A text that becomes part of a document. The API refuses marks that enclose others in texts of documents, so that a draft could not be
 * changed with the texts that it has. Marks that stand alone keep the order too.
 */
export const asDocumentText = (text: string): string => text.replace(isolates, '\u200e')

type Format = (units: bigint, scale: number, sign?: string) => string

/**
 * Numbers with the separators of a locale and a true minus sign: `−1,234.50`. Only the signs come from Intl, because the
 * digits of an amount must stay exact. In Arabic the currency symbol stands left of the number, as before it in English.
 */
function figuresOf(locale: string, direction: 'ltr' | 'rtl') {
  const parts = new Intl.NumberFormat(locale, { style: 'currency', currency: 'XXX' }).formatToParts(123_456.7)
  const partOf = (type: Intl.NumberFormatPartTypes) => parts.find((part) => part.type === type)?.value ?? ''
  const [group, decimal] = [partOf('group'), partOf('decimal')]
  const isSignLast = direction === 'ltr' && parts.findIndex(({ type }) => type === 'currency') > 0
  const format: Format = (units, scale, sign = '') => {
    const [whole = '', fraction] = spelled(units < 0n ? -units : units, scale).split('.')
    const parted = whole.replace(/\B(?=(\d{3})+$)/g, group)
    const digits = fraction === undefined ? parted : `${parted}${decimal}${fraction}`
    const minus = units < 0n ? '−' : ''
    if (sign === '') return minus + digits
    return isSignLast ? `${minus}${digits}\u00a0${sign.trim()}` : `${minus}${sign}${digits}`
  }
  return { format, sign: signOf }
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
/** Currency symbol before an amount. A currency whose symbol is ambiguous is written as its code, in every language. */
function signOf(currency: string): string {
  if (!/^[A-Z]{3}$/.test(currency)) return `${currency}\u00a0`
  const known = signs.get(currency)
  if (known !== undefined) return known
  const sign = clearSymbol(currency) ?? `${currency}\u00a0`
  signs.set(currency, sign)
  return sign
}

function monthsOf(locale: string): (day: string) => string {
  const format = new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' })
  const months = Array.from({ length: 12 }, (_, month) => format.format(new Date(Date.UTC(2026, month, 15))))
  return (day) => months[Number(day.slice(5, 7)) - 1] ?? ''
}

/** Writes days by the pattern and the month names of a locale. */
function daysOf(locale: string): (day: string) => string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
  const months = Array.from({ length: 12 }, (_, month) => {
    const parts = format.formatToParts(new Date(Date.UTC(2026, month, 15)))
    return parts.find(({ type }) => type === 'month')?.value ?? ''
  })
  const pattern = format.formatToParts(new Date(Date.UTC(2026, 0, 31)))
  return (day) => {
    const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? []
    const name = months[Number(month) - 1]
    if (name === undefined) return day
    const values: Partial<Record<Intl.DateTimeFormatPartTypes, string | undefined>> = {
      day: String(Number(date)),
      month: name,
      year,
    }
    return pattern.map(({ type, value }) => values[type] ?? value).join('')
  }
}
