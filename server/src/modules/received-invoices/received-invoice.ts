import type { AuthorityCopy, InputTaxClaim, ReportedPaymentStatus } from '../../jurisdictions/port.ts'
import type { Id } from '../../kernel/ids.ts'
import type { DocumentType } from '../../kernel/invoice-document.ts'
import type { Fault } from '../../kernel/refusals.ts'
import { searchText, searchTextOf } from '../../kernel/search-text.ts'

export type ReceivedInvoiceId = Id<'received-invoice'>

export const receivedPaymentStatuses = ['unpaid', 'partial', 'paid', 'rejected'] as const
export type ReceivedPaymentStatus = (typeof receivedPaymentStatuses)[number]

export const transmissionStatuses = ['transmitted', 'acknowledged'] as const
/** `transmitted`: receipt is not confirmed to the sender yet. */
export type TransmissionStatus = (typeof transmissionStatuses)[number]

/** A document that another business sent. Its full text is read separately, because it may be long. */
export interface ReceivedInvoice {
  readonly id: ReceivedInvoiceId
  /** The authority reference. */
  readonly reference: string
  readonly repeatedAs: readonly string[]
  /** References of other documents of the supplier with the same number and type, but another day of issue. */
  readonly possibleDuplicates: readonly string[]
  readonly type: DocumentType
  readonly typeCode: string
  readonly kind: string | null
  readonly number: string
  readonly issueDate: string
  readonly dueDate: string | null
  readonly currency: string
  readonly sellerName: string | null
  readonly sellerTaxId: string | null
  readonly sellerEmail: string | null
  readonly sellerPhone: string | null
  readonly sellerCity: string | null
  readonly sellerCountry: string | null
  readonly buyerName: string | null
  readonly buyerTaxId: string | null
  readonly buyerTaxIdNormal: string
  /** References of the documents that a credit or debit note corrects. */
  readonly corrects: readonly string[]
  readonly netMinor: bigint
  readonly taxMinor: bigint
  readonly payableMinor: bigint
  readonly paymentStatus: ReceivedPaymentStatus
  readonly accessPoint: string | null
  /** What our own rules found wrong. */
  readonly faults: readonly Fault[]
  readonly isClaimable: boolean
  readonly claimRule: string
  readonly claimMessage: string
  /** The last day on which its tax can be claimed. */
  readonly claimUntil: string | null
  /** Tax that can be claimed until that day, after credit and debit notes. */
  readonly claimableMinor: bigint
  readonly receivedAt: Date
  readonly acknowledgedAt: Date | null
}

/** A document as it is first stored. */
export interface NewReceivedInvoice
  extends Omit<ReceivedInvoice, 'repeatedAs' | 'possibleDuplicates' | 'claimableMinor' | 'acknowledgedAt'> {
  /** Tax by the document's own merits: to claim, or on a credit note to take back. */
  readonly inputTaxMinor: bigint
  readonly sellerTaxIdPlain: string
  readonly sellerSearch: string
  readonly search: string
  /** The authority's copy, decrypted. */
  readonly document: string
}

export const plainTaxId = (text: string): string => text.toUpperCase().replace(/[^A-Z0-9]/g, '')

const storedStatuses = { pending: 'unpaid', partial: 'partial', paid: 'paid', rejected: 'rejected' } as const
export const paymentStatusOf = (feedState: ReportedPaymentStatus): ReceivedPaymentStatus => storedStatuses[feedState]

export interface JudgedInvoice {
  readonly faults: readonly Fault[]
  readonly claim: InputTaxClaim
}

/**
 * Builds the stored form of a document. `reportedStatus` is the current payment status at the authority, which may be newer
 * than the document.
 */
export function receivedFrom(
  copy: AuthorityCopy & { readonly buyer: { readonly taxIdNormal: string } },
  {
    id,
    document,
    reportedStatus: feedState,
    accessPoint,
    judged,
    now,
  }: {
    readonly id: ReceivedInvoiceId
    readonly document: string
    readonly reportedStatus: AuthorityCopy['paymentStatus']
    readonly accessPoint: string | null
    readonly judged: JudgedInvoice
    readonly now: Date
  },
): NewReceivedInvoice {
  const { seller, buyer } = copy
  const { faults, claim } = judged
  return {
    id,
    reference: copy.reference,
    type: copy.type,
    typeCode: copy.typeCode,
    kind: copy.kind,
    number: copy.number,
    issueDate: copy.issueDate,
    dueDate: copy.dueDate,
    currency: copy.currency,
    sellerName: seller.name,
    sellerTaxId: seller.taxId,
    sellerTaxIdPlain: plainTaxId(seller.taxIdNormal ?? seller.taxId ?? ''),
    sellerSearch: searchText(seller.name ?? ''),
    sellerEmail: seller.email,
    sellerPhone: seller.phone,
    sellerCity: seller.city,
    sellerCountry: seller.country,
    buyerName: buyer.name,
    buyerTaxId: buyer.taxId,
    buyerTaxIdNormal: buyer.taxIdNormal,
    corrects: copy.corrects,
    netMinor: copy.netMinor,
    taxMinor: copy.taxMinor,
    payableMinor: copy.payableMinor,
    paymentStatus: paymentStatusOf(feedState ?? copy.paymentStatus ?? 'pending'),
    accessPoint,
    faults,
    isClaimable: claim.claimable,
    claimRule: claim.rule,
    claimMessage: claim.message,
    claimUntil: claim.until,
    inputTaxMinor: claim.taxMinor,
    document,
    search: searchTextOf(copy.number, copy.reference, seller.name, seller.taxId, copy.notes?.slice(0, 500)),
    receivedAt: now,
  }
}

/** Whether its tax can be claimed today, and how much. The time limit of the law needs no update of the row. */
export function claimToday(
  { type, isClaimable, claimRule, claimMessage, claimUntil, claimableMinor }: ReceivedInvoice,
  today: string,
): InputTaxClaim {
  const no = (rule: string, message: string): InputTaxClaim => ({
    claimable: false,
    rule,
    message,
    until: null,
    taxMinor: 0n,
  })
  if (!isClaimable) return no(claimRule, claimMessage)
  if (claimUntil !== null && claimUntil < today) return no('too_old', `Its tax could be claimed until ${claimUntil}.`)
  if (claimableMinor <= 0n)
    return no(
      'credited',
      type === 'debit_note'
        ? 'Credit notes cancel the tax of this debit note, or it cancels a credit note. Then the tax counts on the credited document.'
        : 'Credit notes cancel all of its tax.',
    )
  return { claimable: true, rule: claimRule, message: claimMessage, until: claimUntil, taxMinor: claimableMinor }
}

/** The due date has passed and the document is not paid. */
export const isReceivedOverdue = (
  { dueDate, paymentStatus }: Pick<ReceivedInvoice, 'dueDate' | 'paymentStatus'>,
  today: string,
): boolean => dueDate !== null && dueDate < today && paymentStatus !== 'paid'
