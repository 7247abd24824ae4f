import { documentTypes } from '../../../kernel/invoice-document.ts'
import { reportingOf, simpleStatusOf } from '../derived-statuses.ts'
import { declaredPaymentStatuses, deliveries } from '../invoice.ts'
import { invoiceStatuses } from '../status-moves.ts'
import type { InvoiceFilter } from './invoice-filter.ts'

export const creatorTypes = ['user', 'api_key', 'service', 'system'] as const

/**
 * Where in the packed number each facet stands, and its values in the order of their codes. Codes are stored: new values go to
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
const currencyBits = 15
/** Of an integer that is not negative, as the listing keeps it. */
const bitsKept = 31

export interface FacetPlace {
  readonly shift: number
  readonly bits: number
  readonly values: readonly unknown[]
}

/** Everything that would let one facet run into another, or out of the number. */
export function misfits(places: Readonly<Record<string, FacetPlace>>, above: number): string[] {
  const inOrder = Object.entries(places).sort(([, one], [, other]) => one.shift - other.shift)
  const ends = inOrder.map((_, at) => inOrder[at + 1]?.[1].shift ?? above)
  return [
    ...inOrder.flatMap(([name, { shift, bits, values }], at) => [
      ...(values.length > 2 ** bits ? [`${name} has ${values.length} values, and ${bits} bits for them`] : []),
      ...(new Set(values).size < values.length ? [`${name} has a value twice`] : []),
      ...(shift + bits > (ends[at] as number) ? [`${name} runs into what stands above it`] : []),
    ]),
    ...(above + currencyBits > bitsKept ? ['the currency runs out of the number'] : []),
  ]
}

const wrong = misfits(facets, currencyShift)
if (wrong.length > 0) throw new Error(`the facets of lists do not fit: ${wrong.join('; ')}`)
const currencyCode = (currency: string): number =>
  [...currency].reduce((code, letter) => code * 32 + letter.charCodeAt(0) - 64, 0)

/** That the bits of a mask are one of these. */
export interface FacetClause {
  readonly mask: number
  readonly values: readonly number[]
}

/** The bits of a facet, once they are shifted down. */
export const lowMaskOf = (facet: Facet): number => 2 ** facets[facet].bits - 1
/** The code of a facet in the packed number. */
export const facetIn = (packed: number, facet: Facet): number => (packed >> facets[facet].shift) & lowMaskOf(facet)
const maskOf = (facet: Facet): number => lowMaskOf(facet) << facets[facet].shift
function codeOf(facet: Facet, value: unknown): number {
  const code = (facets[facet].values as readonly unknown[]).indexOf(value)
  if (code < 0) throw new Error(`${String(value)} is no value of the facet ${facet}`)
  return code << facets[facet].shift
}

const isOneOf = (facet: Facet, values: readonly unknown[]): FacetClause => ({
  mask: maskOf(facet),
  values: values.map((value) => codeOf(facet, value)),
})

/** One word for people depends on three facets: all that come to it. */
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

export const currencyMask = (2 ** currencyBits - 1) * 2 ** currencyShift
/** Statistics tell these apart. Kept sums are stored under them. */
export const statisticsMask = maskOf('status') | maskOf('type') | currencyMask

/** The currency in the packed number. */
export function currencyIn(packed: number): string {
  const code = packed >> currencyShift
  return [10, 5, 0].map((shift) => String.fromCharCode(((code >> shift) & 31) + 64)).join('')
}

const isCurrency = (currency: string): FacetClause => ({
  mask: currencyMask,
  values: /^[A-Z]{3}$/.test(currency) ? [currencyCode(currency) * 2 ** currencyShift] : [],
})

export const isOpen: FacetClause = isOneOf('open', [true])

/** What a filter asks of the facets that are packed together. */
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
