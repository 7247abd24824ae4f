import type { InvoicesListQuery } from '@risiti/sdk'
import { startOfDay } from '../../../ui/dates.ts'

/** Filters and order. The address holds all of them, so that a view can be saved, shared and revisited. */
export type ListSearch = Omit<InvoicesListQuery, 'limit' | 'overdue'> & {
  overdue?: true | undefined
  /** rows per page, if not the default */
  limit?: number | undefined
}

/** The allowed rows per page. The first is the default. */
export const pageSizes = [25, 50, 100] as const

type Text = Readonly<Record<string, string>>
type Kind = 'choice' | 'text' | 'day' | 'moment' | 'flag' | 'minor'

interface Filter {
  readonly kind: Kind
  readonly name: string
  /** the values of a choice, with their texts */
  readonly words?: Text
}

export const filters = {
  status: {
    kind: 'choice',
    name: 'Status',
    words: {
      draft: 'Draft',
      finalised: 'Ready to submit',
      queued: 'Waiting to be submitted',
      signed: 'Signed, not passed on yet',
      transmitted: 'Sent, not answered yet',
      accepted: 'Accepted',
      rejected: 'Rejected',
      failed: 'Not submitted',
      cancellation_pending: 'Being cancelled',
      cancelled: 'Cancelled',
    },
  },
  invoiceType: {
    kind: 'choice',
    name: 'Kind',
    words: { standard: 'Invoice', credit_note: 'Credit note', debit_note: 'Debit note' },
  },
  paymentStatus: {
    kind: 'choice',
    name: 'Payment',
    words: { unpaid: 'Unpaid', partially_paid: 'Partly paid', paid: 'Paid', payment_failed: 'Payment failed' },
  },
  invoiceDateFrom: { kind: 'day', name: 'Date from' },
  invoiceDateTo: { kind: 'day', name: 'Date to' },
  reporting: {
    kind: 'choice',
    name: 'Tax authority',
    words: {
      draft: 'Draft',
      not_reported: 'Not reported',
      in_progress: 'In progress',
      reported: 'Reported',
      needs_attention: 'Needs attention',
    },
  },
  simpleStatus: {
    kind: 'choice',
    name: 'Stage',
    words: {
      draft: 'Draft',
      issued: 'Issued',
      reported: 'Reported',
      delivered: 'Delivered',
      part_paid: 'Partly paid',
      paid: 'Paid',
      cancelled: 'Cancelled',
    },
  },
  delivery: {
    kind: 'choice',
    name: 'Delivery',
    words: {
      deliver_to_buyer: 'Still to be delivered',
      sent_email: 'By email',
      shared_link: 'By link',
      nrs: 'Through the tax authority',
      none: 'Not delivered',
    },
  },
  createdByType: {
    kind: 'choice',
    name: 'Created by',
    words: { user: 'A person', api_key: 'An API key', service: 'A service', system: 'Risiti' },
  },
  currency: { kind: 'text', name: 'Currency' },
  amountFromMinor: { kind: 'minor', name: 'Amount from' },
  amountToMinor: { kind: 'minor', name: 'Amount to' },
  dueDateFrom: { kind: 'day', name: 'Due from' },
  dueDateTo: { kind: 'day', name: 'Due to' },
  createdAtFrom: { kind: 'day', name: 'Created from' },
  createdAtTo: { kind: 'day', name: 'Created to' },
  overdue: { kind: 'flag', name: 'Overdue' },
  age: {
    kind: 'choice',
    name: 'Outstanding',
    words: {
      not_due: 'Not due yet',
      '1_30': '1 to 30 days late',
      '31_60': '31 to 60 days late',
      '61_90': '61 to 90 days late',
      over_90: 'More than 90 days late',
    },
  },
  counted: { kind: 'flag', name: 'In the turnover' },
  credited: { kind: 'flag', name: 'Credited' },
  refundOwed: { kind: 'flag', name: 'Refund owed' },
  reportDueTo: { kind: 'moment', name: 'Report due by' },
  search: { kind: 'text', name: 'Search' },
  buyerId: { kind: 'text', name: 'One buyer' },
  sellerId: { kind: 'text', name: 'One seller' },
  createdBy: { kind: 'text', name: 'One creator' },
} as const satisfies Partial<Record<keyof ListSearch, Filter>>

export type FilterName = keyof typeof filters
export const filterNames = Object.keys(filters) as readonly FilterName[]

export const filterOf = (name: FilterName): Filter => filters[name]

const sortKeys = ['createdAt', 'invoiceDate', 'invoiceNumber', 'payableMinor', 'dueDate', 'taxMinor'] as const
export type SortKey = (typeof sortKeys)[number]

/** Reads a value from the address, which anyone can write. Invalid values are dropped. */
function read({ kind, words }: Filter, given: unknown): string | number | boolean | undefined {
  // The router parses numeric text as a number.
  const text = typeof given === 'number' ? String(given) : given
  if (kind === 'flag') return given === true || (given === false ? false : undefined)
  if (typeof text !== 'string' || text.trim() === '') return undefined
  if (kind === 'choice') return words !== undefined && Object.hasOwn(words, text) ? text : undefined
  if (kind === 'day') return isDay(text) ? text : undefined
  if (kind === 'moment') return Number.isNaN(Date.parse(text)) ? undefined : text
  if (kind === 'minor') return /^\d{1,15}$/.test(text) ? Number(text) : undefined
  return text.slice(0, 200)
}

export function readListSearch(address: Record<string, unknown>): ListSearch {
  const kept: Record<string, unknown> = {}
  for (const name of filterNames) {
    const value = read(filters[name], address[name])
    if (value !== undefined && !(name === 'overdue' && value === false)) kept[name] = value
  }
  const { page, sortBy, sortOrder, limit } = address
  if (Number.isSafeInteger(page) && (page as number) > 1) kept.page = page
  if (pageSizes.slice(1).some((size) => size === limit)) kept.limit = limit
  if (sortKeys.includes(sortBy as SortKey)) {
    kept.sortBy = sortBy
    kept.sortOrder = sortOrder === 'ASC' ? 'ASC' : 'DESC'
  }
  return kept as ListSearch
}

const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text)

/** Text that is no day stays. */
const momentOf = (day: string, daysLater: 0 | 1): string => (isDay(day) ? startOfDay(day, daysLater) : day)

/** The address holds days of creation, the last one inclusive. The API takes moments, the last one exclusive. */
export const withMoments = <Search extends Pick<ListSearch, 'createdAtFrom' | 'createdAtTo'>>(
  search: Search,
): Search => ({
  ...search,
  ...(search.createdAtFrom !== undefined && { createdAtFrom: momentOf(search.createdAtFrom, 0) }),
  ...(search.createdAtTo !== undefined && { createdAtTo: momentOf(search.createdAtTo, 1) }),
})

export const queryOf = ({ overdue, ...search }: ListSearch): InvoicesListQuery => ({
  limit: pageSizes[0],
  ...withMoments(search),
  ...(overdue ? { overdue: 'true' as const } : {}),
})

/** For links to other views of the same list: only an exact match counts as the current page. */
export const asOtherView = { activeOptions: { exact: true, includeSearch: true } } as const

/** The active filters, without order and page. */
export const setFilters = (search: ListSearch): readonly FilterName[] =>
  filterNames.filter((name) => search[name] !== undefined)
