import type { CodeEntry, ListsInForce, SuggestedTaxCategory } from '../port.ts'

/** Nigeria Tax Act 2025, ss. 186–187: from this day on, part of what had been exempt is zero-rated. */
const actFrom = '2026-01-01'

/**
 * Goods on the list of exemptions that the Act zero-rates, and services that it does, by the groups under which they are listed. The
 * others stay exempt: baby products and shared transport by its own words.
 */
const zeroRated: ReadonlySet<string> = new Set([
  'Basic food',
  'Medical and pharmaceutical',
  'Laboratory and educational',
  'Fertiliser',
  'Schooling',
  'Medical services',
])

/** Services that were exempt and are exempt or zero-rated, where a whole class of them is; of others a class holds both sorts. */
const servicesByGroup: Readonly<Record<string, string>> = {
  4911: 'Shared passenger transport',
  4921: 'Shared passenger transport',
  8510: 'Schooling',
  8521: 'Schooling',
  8522: 'Schooling',
  8530: 'Schooling',
  8610: 'Medical services',
  8620: 'Medical services',
  8690: 'Medical services',
}

/** The tax category of a group of goods or services that are not taxed at the standard rate, on a day. */
export const treatmentOn = (group: string, day: string): 'ZERO_VAT' | 'EXEMPTED' =>
  day >= actFrom && zeroRated.has(group) ? 'ZERO_VAT' : 'EXEMPTED'

/** What the law makes of a product or service code on a day, where it does not tax it as it does everything else. */
export function suggestedTaxCategory(
  { hsnCode, serviceCode }: { readonly hsnCode?: string | null; readonly serviceCode?: string | null },
  day: string,
  lists: ListsInForce,
): SuggestedTaxCategory | undefined {
  const group = hsnCode
    ? groupOfGoods(hsnCode, lists.entries('tax-exemptions'))
    : serviceCode && Object.hasOwn(servicesByGroup, serviceCode)
      ? servicesByGroup[serviceCode]
      : undefined
  return group === undefined ? undefined : { taxCategory: treatmentOn(group, day), group }
}

const digitsOf = (code: string): string => code.replace(/\D/g, '')

/**
 * The list says eight digits, invoices say six: a code is in the group that all lines of the list below it, or the one above it, are
 * in. Lines below one code that are of several groups leave it open.
 */
function groupOfGoods(code: string, listed: readonly CodeEntry[]): string | undefined {
  const digits = digitsOf(code)
  if (digits.length < subheading) return undefined
  const near = bySubheading(listed).get(digits.slice(0, subheading)) ?? []
  const groups = new Set(
    near.flatMap(({ code: line, category }) => {
      const other = digitsOf(line)
      return category && (other.startsWith(digits) || digits.startsWith(other)) ? [category] : []
    }),
  )
  return groups.size === 1 ? [...groups][0] : undefined
}

const subheading = 6
const indexes = new WeakMap<readonly CodeEntry[], ReadonlyMap<string, readonly CodeEntry[]>>()

/** A list does not change: it is sorted once. */
function bySubheading(listed: readonly CodeEntry[]): ReadonlyMap<string, readonly CodeEntry[]> {
  let index = indexes.get(listed)
  if (!index) {
    index = Map.groupBy(listed, ({ code }) => digitsOf(code).slice(0, subheading))
    indexes.set(listed, index)
  }
  return index
}
