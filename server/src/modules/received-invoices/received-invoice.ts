import type { AuthorityCopy, InputTaxClaim } from '../../jurisdictions/port.ts'
import type { Id } from '../../kernel/ids.ts'
import type { DocumentType } from '../../kernel/invoice-document.ts'
import type { Fault } from '../../kernel/refusals.ts'
import { searchText, searchTextOf } from '../../kernel/search-text.ts'

export type ReceivedInvoiceId = Id<'received-invoice'>

export const receivedPaymentStatuses = ['unpaid', 'partial', 'paid', 'rejected'] as const
export type ReceivedPaymentStatus = (typeof receivedPaymentStatuses)[number]

export const transmissionStatuses = ['transmitted', 'acknowledged'] as const
/** Under way to us, or told to the sender that we have it. */
export type TransmissionStatus = (typeof transmissionStatuses)[number]

/** An invoice or note that another business sent. Its document is read apart: it may be long. */
export interface ReceivedInvoice {
  readonly id: ReceivedInvoiceId
  /** by what the authority knows it */
  readonly reference: string
  readonly repeatedAs: readonly string[]
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
  /** references of what a note corrects */
  readonly corrects: readonly string[]
  readonly netMinor: bigint
  readonly taxMinor: bigint
  readonly payableMinor: bigint
  readonly paymentStatus: ReceivedPaymentStatus
  readonly accessPoint: string | null
  /** what our own rules found wrong with it */
  readonly faults: readonly Fault[]
  readonly isClaimable: boolean
  readonly claimRule: string
  readonly claimMessage: string
  /** the last day on which its tax can be claimed */
  readonly claimUntil: string | null
  readonly receivedAt: Date
  readonly acknowledgedAt: Date | null
}

/** One as it is first kept. */
export interface NewReceivedInvoice extends Omit<ReceivedInvoice, 'repeatedAs' | 'acknowledgedAt'> {
  readonly sellerTaxIdPlain: string
  readonly sellerSearch: string
  readonly search: string
  /** the authority's copy, as it was decrypted */
  readonly document: string
}

export const plainTaxId = (text: string): string => text.toUpperCase().replace(/[^A-Z0-9]/g, '')

const standings = { pending: 'unpaid', partial: 'partial', paid: 'paid', rejected: 'rejected' } as const

export interface Judged {
  readonly faults: readonly Fault[]
  readonly claim: InputTaxClaim
}

/** What is kept of a document. `standing` is what the authority says of its payment now, which may be newer than the document. */
export function receivedFrom(
  copy: AuthorityCopy & { readonly buyer: { readonly taxIdNormal: string } },
  {
    id,
    document,
    standing,
    accessPoint,
    judged,
    now,
  }: {
    readonly id: ReceivedInvoiceId
    readonly document: string
    readonly standing: AuthorityCopy['paymentStatus']
    readonly accessPoint: string | null
    readonly judged: Judged
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
    paymentStatus: standings[standing ?? copy.paymentStatus ?? 'pending'],
    accessPoint,
    faults,
    isClaimable: claim.claimable,
    claimRule: claim.rule,
    claimMessage: claim.message,
    claimUntil: claim.until,
    document,
    search: searchTextOf(copy.number, copy.reference, seller.name, seller.taxId, copy.notes?.slice(0, 500)),
    receivedAt: now,
  }
}

/** Whether its tax can be claimed today: what the law allows for a time ends by itself. */
export function claimToday(
  { isClaimable, claimRule, claimMessage, claimUntil }: ReceivedInvoice,
  today: string,
): InputTaxClaim {
  if (isClaimable && claimUntil !== null && claimUntil < today)
    return { claimable: false, rule: 'too_old', message: `Its tax could be claimed until ${claimUntil}.`, until: null }
  return { claimable: isClaimable, rule: claimRule, message: claimMessage, until: isClaimable ? claimUntil : null }
}

/** Its day has come and it is not paid. */
export const isReceivedOverdue = (
  { dueDate, paymentStatus }: Pick<ReceivedInvoice, 'dueDate' | 'paymentStatus'>,
  today: string,
): boolean => dueDate !== null && dueDate < today && paymentStatus !== 'paid'
