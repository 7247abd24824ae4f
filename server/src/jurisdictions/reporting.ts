import type { Decimal } from '../kernel/decimal.ts'
import type { DocumentType, InvoiceDocument } from '../kernel/invoice-document.ts'
import type { Fault } from '../kernel/refusals.ts'
import type { ListsInForce } from './code-lists.ts'

/** A business's identity at the authority, from the organisation's connection. */
export interface ReportingBusiness {
  readonly businessId: string
  /** the part of every reference that names the business */
  readonly serviceId: string
}

/** A document exactly as it is sent. The bytes are stored before the first request, and sent again unchanged. */
export interface ReportedDocument {
  /**
   * the key under which we look the document up; the same for the same number, day of issue and business. It is also
   * the authority reference, unless the authority gives a number of its own (`registeredAs`).
   */
  readonly reference: string
  readonly bytes: Buffer
  /** hash of the bytes, in hex */
  readonly sha256: string
  /** the payment status in these bytes */
  readonly paymentStatus: ReportedPaymentStatus
}

/** A document as the authority has it: ours, or a supplier's. Absent values are null. */
export interface AuthorityCopy {
  readonly reference: string
  /** the authority's id of the issuer */
  readonly businessId: string | null
  readonly type: DocumentType
  /** the authority's own type code: there are more of them than we issue */
  readonly typeCode: string
  readonly kind: string | null
  /** the number in the reference: letters and digits only */
  readonly number: string
  readonly issueDate: string
  readonly dueDate: string | null
  readonly currency: string
  readonly seller: CopyParty
  readonly buyer: CopyParty | null
  /** references of the documents that a note corrects */
  readonly corrects: readonly string[]
  readonly lines: readonly CopyLine[]
  readonly taxes: readonly CopyTax[]
  readonly netMinor: bigint
  readonly allowanceMinor: bigint
  readonly chargeMinor: bigint
  /** net − allowance + charge, as the issuer stated it */
  readonly exclusiveMinor: bigint
  readonly taxMinor: bigint
  readonly inclusiveMinor: bigint
  readonly payableMinor: bigint
  /** as the issuer stated it when the document was signed */
  readonly paymentStatus: ReportedPaymentStatus | null
  readonly notes: string | null
}

export interface CopyParty {
  readonly name: string | null
  /** as written */
  readonly taxId: string | null
  /** the normal spelling, by which numbers are compared; null if it is no number of this country */
  readonly taxIdNormal: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly city: string | null
  readonly country: string | null
}

export interface CopyLine {
  readonly description: string
  readonly itemName: string | null
  readonly hsnCode: string | null
  readonly serviceCode: string | null
  readonly category: string | null
  readonly quantity: Decimal
  readonly unitCode: string | null
  readonly unitPrice: Decimal
  readonly discountMinor: bigint
  readonly feeMinor: bigint
  readonly netMinor: bigint
}

export interface CopyTax {
  readonly category: string
  /** in percent; null if only an amount is given */
  readonly rate: Decimal | null
  readonly taxableMinor: bigint
  readonly taxMinor: bigint
}

export const reportedPaymentStatuses = ['pending', 'partial', 'paid', 'rejected'] as const
/** The payment status of a document at the authority. */
export type ReportedPaymentStatus = (typeof reportedPaymentStatuses)[number]

/** Whether the tax on a purchase can be deducted, with the reason in a sentence. */
export interface InputTaxClaim {
  readonly claimable: boolean
  /** short code of the reason, such as `not_validated` */
  readonly rule: string
  readonly message: string
  /** the last day for the deduction, as `2026-01-31`; null if it is not possible or no law sets one */
  readonly until: string | null
  /** the tax that counts, in minor units: what can be claimed, or what a credit note takes back; otherwise 0 */
  readonly taxMinor: bigint
}

/** Facts besides the document that decide about the deduction. */
export interface ClaimFacts {
  /** the authority has the document: `lookup` found it */
  readonly isReported: boolean
  /** as `2026-01-31` */
  readonly today: string
  /** the result of `faultsOfCopy` */
  readonly faults: readonly Fault[]
  /** our own tax numbers, in the normal spelling */
  readonly ownTaxIds: readonly string[]
}

/** A refusal of the authority in plain words. */
export interface ExplainedRefusal {
  /** the authority's text, unchanged */
  readonly authorityText: string
  /** whether the catalogue knows this text; unknown texts are passed unchanged, and should be counted */
  readonly isKnown: boolean
  /**
   * the place in the core's document, such as `buyer.taxId` or `lineItems[2].hsnCode`, and what to do. The path is
   * empty if the text names no place. Forms translate the path as they do for readiness.
   */
  readonly fault: Fault
  /**
   * who can correct it. `reopen`: a change of the document or its parties; `connection`: a change of the
   * organisation's connection; `operator`: a change of this installation's access; `unknown`: the text is not known
   */
  readonly mendedBy: 'reopen' | 'connection' | 'operator' | 'unknown'
}

/** How documents are reported in a country. All functions are pure and send no requests. */
export interface ReportingRules {
  /**
   * whether the authority cancels a registered document, by a credit note for all of it; if not, a cancellation is refused
   */
  readonly canCancel: boolean
  /** whether a text can be an authority reference, in capital letters */
  isReference(text: string): boolean
  /** whether a text can be a service id */
  isServiceId(text: string): boolean
  /** the service id in a template of references; `undefined` if it has none */
  serviceIdIn(numberTemplate: string): string | undefined
  referenceOf(document: Pick<InvoiceDocument, 'number' | 'issueDate'>, business: ReportingBusiness): string
  /**
   * The bytes to send. Deterministic: the same document, business and lists give the same bytes. The document must be
   * ready (`readinessOf` finds nothing); otherwise the authority will refuse it. `reference` is that of an earlier
   * send, which a document keeps even if the connection changed.
   */
  documentFor(
    document: InvoiceDocument,
    business: ReportingBusiness,
    lists: ListsInForce,
    reference?: string,
  ): ReportedDocument
  /**
   * Reads bytes that were sent, or the result of `download`. `undefined` if they are no document of this authority.
   */
  readCopy(bytes: Buffer): AuthorityCopy | undefined
  /**
   * Whether the authority's document under our reference is the one that we sent: reference, issuer, the buyer's
   * tax number, type, currency, net, tax and total agree. If not, another party used our reference, and a person must look at it.
   */
  isSameDocument(sent: Buffer, held: Buffer): boolean
  /** whether the document also goes to the buyer over the authority's network, and is accepted only then */
  goesToBuyer(document: Pick<InvoiceDocument, 'kind'>): boolean
  /** the legal deadline for reporting; `undefined` without one */
  reportBy(document: Pick<InvoiceDocument, 'kind'>, issuedAt: Date): Date | undefined
  explain(authorityText: string): ExplainedRefusal
  /**
   * the document that a notification names; `undefined` if it is no notification. A notification proves nothing: look
   * the document up.
   */
  readNotification(body: Buffer): { readonly reference: string } | undefined
  /** faults that our rules find in a document of another issuer */
  faultsOfCopy(copy: AuthorityCopy, lists: ListsInForce): Fault[]
  inputTaxClaim(copy: AuthorityCopy, facts: ClaimFacts): InputTaxClaim
}

export const unclearReasons = [
  /** no complete answer came in time */
  'no_answer',
  /** a status of 500 or above */
  'server_error',
  /** an answer outside the protocol: a web page, incomplete JSON, an odd status, fields of the wrong type */
  'not_protocol',
  /** the answer names another document */
  'other_document',
  /** a refusal in words that the authority also uses for its own failures and for documents that it already has */
  'ambiguous',
  /**
   * the keys are refused, or the rate limit is reached: the document was probably not processed, but nothing
   * guarantees that
   */
  'keys_refused',
  'too_many',
  /** we stopped waiting, for a reason of our own */
  'given_up',
] as const
export type UnclearReason = (typeof unclearReasons)[number]

/**
 * The effect of the request is unknown: it may or may not have been carried out. Look the document up. Only reasons
 * with `countsAgainstHealth` concern the authority as a whole; the others concern this request.
 */
export interface UnclearAnswer {
  readonly kind: 'unclear'
  readonly reason: UnclearReason
  /** one sentence of ours, without keys or parts of a body */
  readonly why: string
  /** the authority's own words, if any */
  readonly messages: readonly string[]
  readonly countsAgainstHealth: boolean
}

/** Not a byte left: the request may be sent again as if for the first time. */
export interface NotSentAnswer {
  readonly kind: 'not_sent'
  readonly why: string
  readonly countsAgainstHealth: boolean
}

/** The authority understood the request and refused it, in words that it does not use for its own failures. */
export interface RefusedAnswer {
  readonly kind: 'refused'
  /** its words, unchanged: usually the first fault only. `ReportingRules.explain` explains them. */
  readonly messages: readonly string[]
}

/** The authority clearly says that it has no such object. */
export interface AbsentAnswer {
  readonly kind: 'absent'
}

/** The authority has registered a document, which cannot be undone. */
export interface Registration {
  /** the number that the authority gave it, if that is another one than our reference */
  readonly registeredAs?: string | undefined
}

/** The authority took the document and has not decided yet. A lookup shows its decision later. */
export interface ProcessingAnswer {
  readonly kind: 'processing'
}

/**
 * - `processing`: the authority took the document. Look it up until the authority has decided.
 * - `signed`: the authority has registered the document, which cannot be undone.
 * - `refused`: this request did not register it. An earlier request with the same reference may have, and the
 *   authority may then refuse in the same words. Look the document up before it becomes rejected.
 * - `unclear`: look the document up before sending it again. `not_sent`: send it again.
 */
export type SignAnswer =
  | ({ readonly kind: 'signed' } & Registration)
  | ProcessingAnswer
  | RefusedAnswer
  | UnclearAnswer
  | NotSentAnswer

/**
 * - `found`: the document is registered, which cannot be undone; `isSameDocument` with the result of `download` shows whether it is
 *   ours.
 * - `absent`: it was not registered at that moment. A document that was just sent may still appear: wait before
 *   sending again.
 * - `processing`: the authority has the document and has not decided yet.
 * - `refused`: the authority has decided against the document, which was not registered.
 * - `unclear`: nothing is known; a failed lookup never means "absent". A lookup that did not leave is unclear too.
 */
export type LookupAnswer =
  | ({ readonly kind: 'found' } & DocumentStatus & Registration)
  | ProcessingAnswer
  | RefusedAnswer
  | AbsentAnswer
  | UnclearAnswer

/** The state of a registered document at the authority. */
export interface DocumentStatus {
  /** the exchange with the buyer has begun */
  readonly transmitted: boolean
  /** every party has acknowledged it */
  readonly delivered: boolean
  readonly paymentStatus: ReportedPaymentStatus | undefined
  /** the day on which the authority got it, if known */
  readonly registeredOn: string | undefined
}

/**
 * `refused`: the document cannot go to the buyer at present, for example because nobody receives for them. It stays
 * registered. Repeating the request does no harm.
 */
export type TransmitAnswer = { readonly kind: 'transmitted' } | RefusedAnswer | UnclearAnswer | NotSentAnswer

/**
 * `bytes`: the decrypted document, for `ReportingRules.readCopy`. It is only checked to be JSON about this reference.
 */
export type DownloadAnswer = { readonly kind: 'downloaded'; readonly bytes: Buffer } | AbsentAnswer | UnclearAnswer

/** `done`: the authority carried out the request. Repeating it does no harm. */
export type DoneAnswer = { readonly kind: 'done' } | RefusedAnswer | UnclearAnswer | NotSentAnswer

/** `valid`: the authority would accept it now. Asking registers nothing. */
export type ValidAnswer = { readonly kind: 'valid' } | RefusedAnswer | UnclearAnswer

/** `references` of documents on their way to us, each once. */
export type PullAnswer = { readonly kind: 'pulled'; readonly references: readonly string[] } | UnclearAnswer

/** `parties`: the parties of the document, as far as the authority names them. */
export type ExchangeAnswer =
  | { readonly kind: 'found'; readonly parties: readonly { readonly taxId: string; readonly acknowledged: boolean }[] }
  | AbsentAnswer
  | UnclearAnswer

/** A declaration of the tax on one document. */
export interface TaxReport {
  readonly reference: string
  readonly sellerTaxId: string
  readonly buyerTaxId: string
  readonly description: string
  readonly currency: string
  /** as `2026-01-31` */
  readonly date: string
  readonly baseMinor: bigint
  readonly taxMinor: bigint
  readonly otherTaxesMinor: bigint
  readonly totalMinor: bigint
  /** in percent, as `7.5` */
  readonly rate: string
}

/**
 * Requests to an authority about documents. Each method sends one request within the signal's time. It never throws
 * for anything that the authority does: the answer says everything. Optional methods are absent if the authority does
 * not offer them.
 */
export interface ReportingAuthority {
  /** whether a reference fits the business's template and is free */
  validateReference?(
    asked: { readonly reference: string; readonly businessId: string; readonly documentNumber?: string | undefined },
    signal: AbortSignal,
  ): Promise<ValidAnswer>
  /** checks everything that `sign` checks, and registers nothing */
  validate?(bytes: Buffer, signal: AbortSignal): Promise<ValidAnswer>
  /** registers the document, which cannot be undone */
  sign(bytes: Buffer, signal: AbortSignal): Promise<SignAnswer>
  lookup(reference: string, signal: AbortSignal): Promise<LookupAnswer>
  transmit?(reference: string, signal: AbortSignal): Promise<TransmitAnswer>
  lookupExchange?(reference: string, signal: AbortSignal): Promise<ExchangeAnswer>
  download(reference: string, signal: AbortSignal): Promise<DownloadAnswer>
  updatePaymentStatus?(
    reference: string,
    /** `paidMinor`: the amount paid, for `partial` */
    payment: {
      readonly status: ReportedPaymentStatus
      readonly paidMinor?: bigint
      readonly note?: string | undefined
    },
    signal: AbortSignal,
  ): Promise<DoneAnswer>
  /** documents of these days, both included; acknowledged ones only on request */
  pull?(
    days: { readonly from: string; readonly to: string; readonly acknowledged?: boolean },
    signal: AbortSignal,
  ): Promise<PullAnswer>
  /** confirms to the sender that we have the document */
  acknowledge?(reference: string, signal: AbortSignal): Promise<DoneAnswer>
  reportTax?(report: TaxReport, serviceId: string, signal: AbortSignal): Promise<DoneAnswer>
  /** makes the authority send us a notification, to test whether its callbacks arrive */
  testNotification?(signal: AbortSignal): Promise<DoneAnswer>
}
