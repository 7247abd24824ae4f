import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import currencyCodes from 'currency-codes'
import { iso31661 } from 'iso-3166'
import { REC_20_3 } from 'un-ece-recommendation/20/3'
import type { CodeEntry, CodeList, ListType } from '../port.ts'
import { treatmentOn } from './tax-treatment.ts'

/** The date of the last review of these lists. */
const version = '2026-11'
const effectiveFrom = '2026-01-01'

/** A table of ours: a header, then one entry per line, separated by tabs. */
function table(name: string): Record<string, string>[] {
  const text = readFileSync(join(import.meta.dirname, 'lists', `${name}.tsv`), 'utf8')
  const [header = '', ...lines] = text.trimEnd().split('\n')
  const columns = header.split('\t')
  return lines.map((line) => {
    const cells = line.split('\t')
    return Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? '']))
  })
}

const list = (type: ListType, entries: readonly CodeEntry[]): CodeList => ({
  type,
  version,
  effectiveFrom,
  source: 'built-in',
  entries,
})

const named = (name: string): CodeEntry[] =>
  table(name).map(({ code = '', name: label = '' }) => ({ code, name: label }))

/** Six digits have a dot after the fourth, as the authority writes them; chapters are the categories. */
export const hsSpelling = (digits: string): string =>
  digits.length > 4 ? `${digits.slice(0, 4)}.${digits.slice(4)}` : digits

function productCodes(): CodeEntry[] {
  const rows = ['hs-01-40', 'hs-41-83', 'hs-84-97'].flatMap((name) => table(name))
  const chapters = new Map(
    rows.flatMap(({ code = '', description = '' }) => (code.length === 2 ? [[code, description]] : [])),
  )
  return rows
    .filter(({ code = '' }) => code.length > 2)
    .map(({ code = '', description = '' }) => ({
      code: hsSpelling(code),
      name: description,
      category: chapters.get(code.slice(0, 2)) ?? '',
    }))
}

function serviceCodes(): CodeEntry[] {
  const sections = table('isic-sections')
  const sectionOf = (division: string) =>
    sections.find(({ from = '', to = '' }) => from <= division && division <= to)?.section ?? ''
  return table('isic').map(({ code = '', description = '' }) => ({
    code,
    name: description,
    category: sectionOf(code.slice(0, 2)),
  }))
}

/** Packages are units too: their codes have an X before the code of the package list. */
function units(): CodeEntry[] {
  const everyday = new Map(table('everyday-units').map(({ code = '', name = '' }) => [code, name]))
  const entry = (category: string) => (unit: { code: string; name?: string }) => ({
    code: unit.code,
    name: everyday.get(unit.code) ?? (unit.name ?? unit.code).replace(/\s+/g, ' ').trim(),
    category: everyday.has(unit.code) ? 'Common' : category,
  })
  return [...REC_20_3.map(entry('Measure')), ...named('packages').map(entry('Package'))]
}

/** Laws change tax rates on a day: each rate is an entry with its days. */
function taxCategories(): CodeEntry[] {
  return table('tax-categories').map(({ code = '', name = '', percent = '', note = '' }) => ({
    code,
    name,
    facts: { ...(percent === '' ? {} : { percent }), ...(note === '' ? {} : { note }) },
  }))
}

/** The authority's codes of local governments are not public; these few are known. The others use state and name. */
const knownLocalGovernments: Readonly<Record<string, string>> = {
  'NG-AB:Aba North': 'NG-AB-ANO',
  'NG-AB:Aba South': 'NG-AB-ASO',
  'NG-AB:Arochukwu': 'NG-AB-ARO',
  'NG-LA:Agege': 'NG-LA-AGE',
  'NG-LA:Epe': 'NG-LA-EPE',
}

function localGovernments(): CodeEntry[] {
  return table('local-governments').map(({ state = '', name = '' }) => {
    const key = `${state}:${name}`
    return { code: knownLocalGovernments[key] ?? key, name, category: state }
  })
}

export const builtInLists = (): readonly CodeList[] => [
  list(
    'countries',
    iso31661.map(({ alpha2, alpha3, numeric, name }) => ({ code: alpha2, name, facts: { alpha3, numeric } })),
  ),
  list(
    'currencies',
    currencyCodes.data.map(({ code, currency, number, digits }) => ({
      code,
      name: currency.trim(),
      facts: { numeric: number, decimals: digits },
    })),
  ),
  list('tax-categories', taxCategories()),
  list('payment-means', named('payment-means')),
  list(
    'invoice-types',
    table('invoice-types').map(({ code = '', name = '', kind = '' }) => ({ code, name, facts: { kind } })),
  ),
  list('service-codes', serviceCodes()),
  list(
    'tax-exemptions',
    table('vat-exemptions').map(({ code = '', category = '', description = '' }) => ({
      code: hsSpelling(code),
      name: description,
      category,
      // The list is older than the Act; the current treatment stands beside each entry.
      facts: { taxCategory: treatmentOn(category, effectiveFrom) },
    })),
  ),
  list('product-codes', productCodes()),
  list('units', units()),
  list(
    'states',
    table('states').map(({ code = '', name = '', capital = '' }) => ({ code, name, facts: { capital } })),
  ),
  list('lgas', localGovernments()),
]
