import { documentTypes } from '../../../kernel/invoice-document.ts'
import { declaredPaymentStatuses, deliveries } from '../invoice.ts'
import { invoiceStatuses } from '../life/life.ts'
import { reportingOf, simpleStatusOf } from '../life/standing.ts'
import type { InvoiceFilter } from './invoice-filter.ts'

export const creatorTypes = ['user', 'api_key', 'service', 'system'] as const

/**
 * Where in the packed number each fact stands, and its values in the order of their codes. Codes are stored: new values go to
 * the end of their list.
 */
export const facets = {
  status: { shift: 0, bits: 4, values: invoiceStatuses },
  type: { shift: 4, bits: 2, values: documentTypes },
  payment: { shift: 6, bits: 2, values: declaredPaymentStatuses },
  delivery: { shift: 8, bits: 3, values: deliveries },
  credited: { shift: 11, bits: 1, values: [false, true] },
  refundOwed: { shift: 12, bits: 1, values: [false, true] },
  /** something is left to pay, so that it is overdue from its due date on */
  open: { shift: 13, bits: 1, values: [false, true] },
  creator: { shift: 14, bits: 2, values: creatorTypes },
} as const
type Facet = keyof typeof facets

/** The three letters of a currency, five bits each, stand above all these. */
export const currencyShift = 16
const currencyCode = (currency: string): number =>
  [...currency].reduce((code, letter) => code * 32 + letter.charCodeAt(0) - 64, 0)

/** That the bits of a mask are one of these. */
export interface FacetClause {
  readonly mask: number
  readonly values: readonly number[]
}

const maskOf = (facet: Facet): number => (2 ** facets[facet].bits - 1) << facets[facet].shift
const codeOf = (facet: Facet, value: unknown): number =>
  (facets[facet].values as readonly unknown[]).indexOf(value) << facets[facet].shift

const isOneOf = (facet: Facet, values: readonly unknown[]): FacetClause => ({
  mask: maskOf(facet),
  values: values.map((value) => codeOf(facet, value)),
})

/** One word for people depends on three facts: all that come to it. */
function isSimply(wanted: string): FacetClause {
  const nothingPaid = { payableMinor: 1n, paidMinor: 0n, creditedMinor: 0n }
  const values = invoiceStatuses.flatMap((status) =>
    declaredPaymentStatuses.flatMap((payment) =>
      deliveries
        .filter(
          (delivery) => simpleStatusOf({ ...nothingPaid, declaredPaymentStatus: payment, status, delivery }) === wanted,
        )
        .map((delivery) => codeOf('status', status) | codeOf('payment', payment) | codeOf('delivery', delivery)),
    ),
  )
  return { mask: maskOf('status') | maskOf('payment') | maskOf('delivery'), values }
}

const isCurrency = (currency: string): FacetClause => ({
  mask: (2 ** 15 - 1) * 2 ** currencyShift,
  values: /^[A-Z]{3}$/.test(currency) ? [currencyCode(currency) * 2 ** currencyShift] : [],
})

export const isOpen: FacetClause = isOneOf('open', [true])

/** What a filter asks of the facts that are packed together. */
export function facetClauses(filter: InvoiceFilter): FacetClause[] {
  const { status, type, paymentStatus, delivery, credited, refundOwed, createdByType, currency } = filter
  const clauses: FacetClause[] = []
  if (status !== undefined) clauses.push(isOneOf('status', status))
  if (type !== undefined) clauses.push(isOneOf('type', [type]))
  if (paymentStatus !== undefined && paymentStatus !== 'overdue') clauses.push(isOneOf('payment', [paymentStatus]))
  if (delivery !== undefined) clauses.push(isOneOf('delivery', [delivery]))
  if (credited !== undefined) clauses.push(isOneOf('credited', [credited]))
  if (refundOwed !== undefined) clauses.push(isOneOf('refundOwed', [refundOwed]))
  if (createdByType !== undefined) clauses.push(isOneOf('creator', [createdByType]))
  if (filter.reporting !== undefined)
    clauses.push(
      isOneOf(
        'status',
        invoiceStatuses.filter((one) => reportingOf[one] === filter.reporting),
      ),
    )
  if (filter.simpleStatus !== undefined) clauses.push(isSimply(filter.simpleStatus))
  if (currency !== undefined) clauses.push(isCurrency(currency))
  return clauses
}
