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
  /** a group for browsing: a chapter, a section, a state */
  readonly category?: string
  /** further facts about the code, by the names of the list */
  readonly facts?: Readonly<Record<string, string | number>>
  /** the first and last day on which the code is valid; absent: always valid */
  readonly from?: string
  readonly to?: string
}

export interface CodeList {
  readonly type: ListType
  readonly version: string
  /** the first day on which this version is valid */
  readonly effectiveFrom: string
  readonly source: 'built-in' | 'import' | 'authority'
  readonly entries: readonly CodeEntry[]
}

/** The code lists that are valid today. */
export interface ListsInForce {
  has(list: ListType, code: string): boolean
  entries(list: ListType): readonly CodeEntry[]
}
