import { documentTypes } from '../../../kernel/invoice-document.ts'
import { countingStatuses, reportingOf, simpleStatusOf } from '../derived-statuses.ts'
import { declaredPaymentStatuses, deliveries } from '../invoice.ts'
import { invoiceStatuses } from '../status-moves.ts'
import type { InvoiceFilter } from './invoice-filter.ts'

export const creatorTypes = ['user', 'api_key', 'service', 'system'] as const

/**
 * The position of each facet in the packed number, and its values in the order of their codes. Codes are stored: add
 * new values at the end of a list.
 */
export const facets = {
  status: { shift: 0, bits: 4, values: invoiceStatuses },
  type: { shift: 4, bits: 2, values: documentTypes },
  payment: { shift: 6, bits: 2, values: declaredPaymentStatuses },
  delivery: { shift: 8, bits: 3, values: deliveries },
  credited: { shift: 11, bits: 1, values: [false, true] },
  refundOwed: { shift: 12, bits: 1, values: [false, true] },
  /** an amount is due, so the document is overdue after its due date */
  open: { shift: 13, bits: 1, values: [false, true] },
  creator: { shift: 14, bits: 2, values: creatorTypes },
} as const
type Facet = keyof typeof facets

/** Above all facets: the three letters of the currency, five bits each. */
export const currencyShift = 16
const currencyBits = 15
/** Bits of a non-negative integer column. */
const bitsKept = 31

export interface FacetPlace {
  readonly shift: number
  readonly bits: number
  readonly values: readonly unknown[]
}

/** Facets that would overlap or exceed the number. */
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

/** The masked bits must equal one of these values. */
export interface FacetClause {
  readonly mask: number
  readonly values: readonly number[]
}

/** The mask of a facet after shifting down. */
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

/** The simple status depends on three facets: all combinations that give it. */
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
/** Statistics separate these facets. Kept sums are stored under them. */
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

/** A filter's conditions on the packed facets. */
export function facetClauses(filter: InvoiceFilter): FacetClause[] {
  const { status, type, paymentStatus, delivery, credited, refundOwed, amountDue, createdByType, currency } = filter
  const clauses: FacetClause[] = []
  if (status !== undefined) clauses.push(isOneOf('status', status))
  if (type !== undefined) clauses.push(isOneOf('type', [type]))
  if (paymentStatus !== undefined && paymentStatus !== 'overdue') clauses.push(isOneOf('payment', [paymentStatus]))
  if (delivery !== undefined) clauses.push(isOneOf('delivery', [delivery]))
  if (credited !== undefined) clauses.push(isOneOf('credited', [credited]))
  if (refundOwed !== undefined) clauses.push(isOneOf('refundOwed', [refundOwed]))
  if (amountDue !== undefined) clauses.push(isOneOf('open', [amountDue]))
  if (createdByType !== undefined) clauses.push(isOneOf('creator', [createdByType]))
  if (filter.reporting !== undefined)
    clauses.push(
      isOneOf(
        'status',
        invoiceStatuses.filter((one) => reportingOf[one] === filter.reporting),
      ),
    )
  if (filter.counted !== undefined)
    clauses.push(
      isOneOf(
        'status',
        invoiceStatuses.filter((one) => countingStatuses.includes(one) === filter.counted),
      ),
    )
  if (filter.simpleStatus !== undefined) clauses.push(isSimply(filter.simpleStatus))
  if (currency !== undefined) clauses.push(isCurrency(currency))
  return clauses
}
