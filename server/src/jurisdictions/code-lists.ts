export const listTypes = [
  'countries',
  'currencies',
  'tax-categories',
  'payment-means',
  'invoice-types',
  'service-codes',
  'tax-exemptions',
  'product-codes',
  'units',
  'states',
  'lgas',
] as const
export type ListType = (typeof listTypes)[number]

export interface CodeEntry {
  readonly code: string
  readonly name: string
  /** a group that people browse by: a chapter, a section, a state */
  readonly category?: string
  /** what else is known of it, as the list names it */
  readonly facts?: Readonly<Record<string, string | number>>
  /** the days on which it counts; without them, always */
  readonly from?: string
  readonly to?: string
}

export interface CodeList {
  readonly type: ListType
  readonly version: string
  /** from which day on this version counts */
  readonly effectiveFrom: string
  readonly source: 'built-in' | 'import' | 'authority'
  readonly entries: readonly CodeEntry[]
}

/** The code lists that count today. */
export interface ListsInForce {
  has(list: ListType, code: string): boolean
  entries(list: ListType): readonly CodeEntry[]
}
