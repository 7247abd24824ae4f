import type { CodeEntry, ListType } from '../port.ts'
import { cleanText, readItems } from './nrs-answers.ts'
import { notProtocol } from './unanswered.ts'

type Item = Readonly<Record<string, unknown>>

interface Source {
  /** the authority's name of the list */
  readonly name: string
  code(item: Item): string
  label(item: Item): string
  /** the rest of the entry, by the names of our own lists */
  more?(item: Item): Pick<CodeEntry, 'category' | 'facts'>
}

/** Longer texts are cut. */
const longestText = 1_000

/** The lists contain numbers instead of texts, and the reverse. */
function textIn(item: Item, field: string): string {
  const value = item[field]
  if (typeof value === 'string') return cleanText(value.slice(0, longestText))
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : ''
}

const field = (name: string) => (item: Item) => textIn(item, name)
const coded = (name: string, label: string): Source => ({ name, code: field('code'), label: field(label) })

const factsOf = (facts: Readonly<Record<string, string>>): Pick<CodeEntry, 'facts'> => {
  const known = Object.entries(facts).filter(([, value]) => value !== '')
  return known.length === 0 ? {} : { facts: Object.fromEntries(known) }
}

const inCategory = (category: string): Pick<CodeEntry, 'category'> => (category === '' ? {} : { category })

/**
 * Four digits, a dot and the rest. A lost leading zero is restored; without the dot, nobody could tell where digits
 * are missing. Ranges and truncated codes are no codes. Chapter 00 does not exist.
 */
function hsCode(text: string, digitsBehind: 2 | 4): string {
  const found = new RegExp(`^(?:(\\d{3,4})\\.|(\\d{4}))(\\d{${digitsBehind}})$`).exec(text.replaceAll(' ', ''))
  const heading = (found?.[1] ?? found?.[2] ?? '').padStart(4, '0')
  return heading.startsWith('00') ? '' : `${heading}.${found?.[3]}`
}

/** Some lists include headings: four digits without a dot. */
const productCode = (text: string): string => (/^(?!00)\d{4}$/.test(text) ? text : hsCode(text, 2))

/** The shortest notation; empty for text that is no number. */
const percentIn = (text: string): string => (/^\d{1,3}(\.\d{1,6})?$/.test(text) ? String(Number(text)) : '')

function decimalsIn({ decimal_digits: digits }: Item): Pick<CodeEntry, 'facts'> {
  const decimals = Number(digits ?? Number.NaN)
  return Number.isInteger(decimals) && decimals >= 0 && decimals <= 9 ? { facts: { decimals } } : {}
}

const sources: Readonly<Record<ListType, Source>> = {
  countries: {
    name: 'countries',
    code: field('alpha_2'),
    label: field('name'),
    more: (item) => factsOf({ alpha3: textIn(item, 'alpha_3'), numeric: textIn(item, 'country_code') }),
  },
  currencies: { ...coded('currencies', 'name'), more: decimalsIn },
  'tax-categories': {
    ...coded('tax-categories', 'value'),
    more: (item) => factsOf({ percent: percentIn(textIn(item, 'percent')) }),
  },
  'payment-means': coded('payment-means', 'value'),
  'invoice-types': coded('invoice-types', 'value'),
  'service-codes': coded('services-codes', 'description'),
  'tax-exemptions': {
    name: 'vat-exemptions',
    code: (item) => hsCode(textIn(item, 'harmonized_system_code'), 4),
    // The description is that of the heading; "tariff" names its exempt part.
    label: (item) => [textIn(item, 'description'), textIn(item, 'tariff')].filter((text) => text !== '').join(': '),
    more: (item) => inCategory(textIn(item, 'tariff_category')),
  },
  'product-codes': {
    name: 'hs-codes',
    code: (item) => productCode(textIn(item, 'hscode')),
    label: field('description'),
  },
  units: coded('invoice-quantity-codes', 'name'),
  states: coded('states', 'name'),
  lgas: { ...coded('lgas', 'name'), more: (item) => inCategory(textIn(item, 'state_code')) },
}

export const listPath = (type: ListType): string => `/api/v1/invoice/resources/${sources[type].name}`

const mostEntries = 100_000
const longestCode = 64

/** The entries of a list, each code once, without empty ones. */
export function entriesOf(type: ListType, data: unknown): CodeEntry[] {
  const items = readItems(data) ?? []
  if (items.length > mostEntries) throw notProtocol('the authority has more codes than a list can hold')
  const entries = new Map<string, CodeEntry>()
  for (const item of items) {
    const entry = entryOf(sources[type], item)
    if (entry === undefined) continue
    // Codes are matched in any case, so codes that differ only in case are one.
    const key = entry.code.toUpperCase()
    if (!entries.has(key)) entries.set(key, entry)
  }
  // Some invalid entries are usual; only invalid entries mean another format.
  if (items.length > 0 && entries.size === 0) throw notProtocol('the authority sent a list without codes')
  return [...entries.values()]
}

function entryOf(source: Source, item: unknown): CodeEntry | undefined {
  if (typeof item !== 'object' || item === null) return undefined
  const code = source.code(item as Item)
  const name = source.label(item as Item)
  if (code === '' || code.length > longestCode || name === '') return undefined
  return { code, name, ...source.more?.(item as Item) }
}
