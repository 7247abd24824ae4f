import type { AuthorityCopy, InputTaxClaim, PaymentStanding } from '../../jurisdictions/port.ts'
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
  /** references of other documents of the same supplier with the same number and type, and another day of issue */
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
  /** the tax that can be claimed until that day, after its notes */
  readonly claimableMinor: bigint
  readonly receivedAt: Date
  readonly acknowledgedAt: Date | null
}

/** One as it is first kept. */
export interface NewReceivedInvoice
  extends Omit<ReceivedInvoice, 'repeatedAs' | 'possibleDuplicates' | 'claimableMinor' | 'acknowledgedAt'> {
  /** the tax that counts by its own merits: to claim, or, on a credit note, to take back */
  readonly inputTaxMinor: bigint
  readonly sellerTaxIdPlain: string
  readonly sellerSearch: string
  readonly search: string
  /** the authority's copy, as it was decrypted */
  readonly document: string
}

export const plainTaxId = (text: string): string => text.toUpperCase().replace(/[^A-Z0-9]/g, '')

const standings = { pending: 'unpaid', partial: 'partial', paid: 'paid', rejected: 'rejected' } as const
/** What the authority says of payment, in the words of received invoices. */
export const paymentStatusOf = (standing: PaymentStanding): ReceivedPaymentStatus => standings[standing]

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
    paymentStatus: paymentStatusOf(standing ?? copy.paymentStatus ?? 'pending'),
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

/** Whether its tax can be claimed today, and how much of it: what the law allows for a time ends by itself. */
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

/** Its day has come and it is not paid. */
export const isReceivedOverdue = (
  { dueDate, paymentStatus }: Pick<ReceivedInvoice, 'dueDate' | 'paymentStatus'>,
  today: string,
): boolean => dueDate !== null && dueDate < today && paymentStatus !== 'paid'
