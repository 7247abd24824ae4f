import type { CodeEntry, ListsInForce, SuggestedTaxCategory } from '../port.ts'

/** Nigeria Tax Act 2025, ss. 186–187: from this day, a part of the exempt goods and services is zero-rated. */
const actFrom = '2026-01-01'

/**
 * Groups of goods and services on the exemption list that the Act zero-rates. The others stay exempt: the Act names
 * baby products and shared transport.
 */
const zeroRated: ReadonlySet<string> = new Set([
  'Basic food',
  'Medical and pharmaceutical',
  'Laboratory and educational',
  'Fertiliser',
  'Schooling',
  'Medical services',
])

/** Formerly exempt services whose whole class is exempt or zero-rated; other classes are mixed. */
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

/** The tax category on a day, for a group that is not taxed at the standard rate. */
export const treatmentOn = (group: string, day: string): 'ZERO_VAT' | 'EXEMPTED' =>
  day >= actFrom && zeroRated.has(group) ? 'ZERO_VAT' : 'EXEMPTED'

/** The special tax category of a product or service code on a day; `undefined` for the standard rate. */
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
 * The list has eight digits, invoices have six. A code belongs to the group of all list entries below it, or of the
 * entry above it. If the entries below it are in several groups, the result is `undefined`.
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

/** A list does not change, so it is sorted once. */
function bySubheading(listed: readonly CodeEntry[]): ReadonlyMap<string, readonly CodeEntry[]> {
  let index = indexes.get(listed)
  if (!index) {
    index = Map.groupBy(listed, ({ code }) => digitsOf(code).slice(0, subheading))
    indexes.set(listed, index)
  }
  return index
}
