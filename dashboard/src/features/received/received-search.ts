import type { ReceivedInvoicesListQuery } from '@risiti/sdk'

export const payments = {
  unpaid: 'Unpaid',
  partial: 'Partly paid',
  paid: 'Paid',
  overdue: 'Overdue',
  rejected: 'Rejected',
} as const

export const sorts = {
  '-receivedAt': 'Newest first',
  receivedAt: 'Oldest first',
  '-issueDate': 'By date, latest first',
  issueDate: 'By date, earliest first',
  '-amount': 'Largest first',
  amount: 'Smallest first',
} as const

/** Filters and order, all of them in the address. */
export interface ReceivedSearch {
  readonly q?: string | undefined
  readonly paymentStatus?: keyof typeof payments | undefined
  readonly issueDateFrom?: string | undefined
  readonly issueDateTo?: string | undefined
  readonly sort?: keyof typeof sorts | undefined
  readonly page?: number | undefined
}

const oneOf = <Words extends object>(words: Words, value: unknown): keyof Words | undefined =>
  typeof value === 'string' && Object.hasOwn(words, value) ? (value as keyof Words) : undefined
const day = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? value : undefined

/** Reads the address, which anyone can write. Invalid values are dropped. */
export const readReceivedSearch = (address: Record<string, unknown>): ReceivedSearch => ({
  q: address.q === undefined || address.q === '' ? undefined : String(address.q).slice(0, 100),
  paymentStatus: oneOf(payments, address.paymentStatus),
  issueDateFrom: day(address.issueDateFrom),
  issueDateTo: day(address.issueDateTo),
  sort: oneOf(sorts, address.sort),
  page: Number.isSafeInteger(address.page) && Number(address.page) > 1 ? Number(address.page) : undefined,
})

/** The query without order and page, because the figures cover all matching rows. */
export const filterOf = ({
  q,
  paymentStatus,
  issueDateFrom,
  issueDateTo,
}: ReceivedSearch): ReceivedInvoicesListQuery => ({
  q,
  paymentStatus,
  issueDateFrom,
  issueDateTo,
})

export const isFiltered = (search: ReceivedSearch): boolean =>
  Object.values(filterOf(search)).some((value) => value !== undefined)
