import type { Decimal } from '../kernel/decimal.ts'
import type { DocumentType, InvoiceDocument } from '../kernel/invoice-document.ts'
import type { Fault } from '../kernel/refusals.ts'
import type { ListsInForce } from './code-lists.ts'

/** By what an authority knows the business that reports to it. The organisation's connection keeps this. */
export interface ReportingBusiness {
  readonly businessId: string
  /** the part of every reference that says who gave it */
  readonly serviceId: string
}

/** A document exactly as it goes to the authority: these bytes are kept before they are sent, and sent again as they are. */
export interface ReportedDocument {
  /** the number by which the authority knows it; the same for the same number, day of issue and business */
  readonly reference: string
  readonly bytes: Buffer
  /** of the bytes, in hex */
  readonly sha256: string
  /** what these bytes say of payment */
  readonly paymentStatus: PaymentStanding
}

/** What a business got from the authority to stamp its documents with. Its text is a secret of the organisation. */
export interface KeyFile {
  readonly publicKeyPem: string
  readonly certificate: string
}

/** A document as the authority holds it: one of ours, or one that somebody sent to us. What it does not say is null. */
export interface AuthorityCopy {
  readonly reference: string
  /** the authority's id of the business that issued it */
  readonly businessId: string | null
  readonly type: DocumentType
  /** the authority's own code of the type: there are more of them than we issue */
  readonly typeCode: string
  readonly kind: string | null
  /** as far as the reference tells it: letters and digits alone */
  readonly number: string
  readonly issueDate: string
  readonly dueDate: string | null
  readonly currency: string
  readonly seller: CopyParty
  readonly buyer: CopyParty | null
  /** references of what a note corrects */
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
  /** as the issuer stated it when it was signed */
  readonly paymentStatus: PaymentStanding | null
  readonly notes: string | null
}

export interface CopyParty {
  readonly name: string | null
  /** as it was written */
  readonly taxId: string | null
  /** by which numbers are compared; null where it is none of this country */
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
  /** in percent; null where it is told as an amount alone */
  readonly rate: Decimal | null
  readonly taxableMinor: bigint
  readonly taxMinor: bigint
}

export const paymentStandings = ['pending', 'partial', 'paid', 'rejected'] as const
/** What the authority is told, and tells, about payment. */
export type PaymentStanding = (typeof paymentStandings)[number]

/** Whether the tax on a purchase can be deducted, with a sentence that says why or why not. */
export interface InputTaxClaim {
  readonly claimable: boolean
  /** a short code for it, such as `not_validated` */
  readonly rule: string
  readonly message: string
  /** the last day on which it can be, as `2026-01-31`; null where it cannot, or where no law says so */
  readonly until: string | null
  /** the tax that counts, in minor units: what can be claimed, or what a credit note takes back; 0 where neither */
  readonly taxMinor: bigint
}

/** What counts beside the document itself, when somebody wants to deduct its tax. */
export interface ClaimFacts {
  /** the authority has it: `lookup` found it */
  readonly isReported: boolean
  /** as `2026-01-31` */
  readonly today: string
  /** what `faultsOfCopy` found */
  readonly faults: readonly Fault[]
  /** our own tax numbers, in the spelling by which they are compared */
  readonly ownTaxIds: readonly string[]
}

/** A refusal of the authority in plain words. */
export interface ExplainedRefusal {
  /** what the authority said, as it said it */
  readonly told: string
  /** whether the catalogue knows this text; unknown ones are passed as they are, and should be counted */
  readonly isKnown: boolean
  /**
   * the place in the core's document, such as `buyer.taxId` or `lineItems[2].hsnCode`, and what to do. The path is empty where
   * the text names no place. Forms translate the path as they do for readiness.
   */
  readonly fault: Fault
  /**
   * `reopen`: a change of the document, or of the parties whose copy it gets anew; `connection`: a change of the organisation's
   * connection; `operator`: a change of this installation's access; `unknown` where the text is not known
   */
  readonly mendedBy: 'reopen' | 'connection' | 'operator' | 'unknown'
}

/** How documents are reported in a country: all of it pure, nothing is asked of anybody. */
export interface ReportingRules {
  /** whether a text can be a business's service id */
  isServiceId(text: string): boolean
  /** the service id in a business's template of references; nothing when it has none */
  serviceIdIn(numberTemplate: string): string | undefined
  referenceOf(document: Pick<InvoiceDocument, 'number' | 'issueDate'>, business: ReportingBusiness): string
  /**
   * The bytes to send. Deterministic: the same document, business and lists make the same bytes. The document must be ready
   * (`readinessOf` finds nothing); what it makes of another one is for the authority to refuse. `reference` is that of an earlier
   * sending, which a document keeps even if the connection changed since.
   */
  documentFor(
    document: InvoiceDocument,
    business: ReportingBusiness,
    lists: ListsInForce,
    reference?: string,
  ): ReportedDocument
  /** Reads bytes that were sent, or what `download` gave. Nothing when it is no document of this authority. */
  readCopy(bytes: Buffer): AuthorityCopy | undefined
  /**
   * Whether what the authority has under our reference is what we sent: reference, issuer, type, currency and total agree. Where
   * it is not, somebody else used our reference: nothing may be concluded but that a person has to look at it.
   */
  isSameDocument(sent: Buffer, held: Buffer): boolean
  /** whether it also goes to the buyer over the authority's network, and is accepted only then */
  goesToBuyer(document: Pick<InvoiceDocument, 'kind'>): boolean
  /** until when it must be reported at the latest; nothing where no law says so */
  reportBy(document: Pick<InvoiceDocument, 'kind'>, issuedAt: Date): Date | undefined
  /** nothing when the text is no key file, or its key cannot be used */
  readKeyFile(text: string): KeyFile | undefined
  /** The text of the QR code. It is different every time it is made: make it once, and keep it with the document. */
  qrTextFor(reference: string, keyFile: KeyFile, at: Date): string
  explain(told: string): ExplainedRefusal
  /** what a notification from the authority is about; nothing when it is none. It proves nothing: ask the authority. */
  readNotification(body: Buffer): { readonly reference: string } | undefined
  /** what our own rules find wrong in a document that somebody else made */
  faultsOfCopy(copy: AuthorityCopy, lists: ListsInForce): Fault[]
  inputTaxClaim(copy: AuthorityCopy, facts: ClaimFacts): InputTaxClaim
}

export const unclearReasons = [
  /** no whole answer came in time, or none at all */
  'no_answer',
  /** a status of 500 or above */
  'server_error',
  /** an answer outside of the protocol: a web page, half of a JSON, an odd status, fields that are not what they ought to be */
  'not_protocol',
  /** it spoke of another document than we did */
  'other_document',
  /** a refusal in words that it also uses for its own passing troubles and for what it has already */
  'ambiguous',
  /** it refuses the keys, or asks for fewer requests: the document was hardly looked at, but nobody promises that */
  'keys_refused',
  'too_many',
  /** whoever asked stopped waiting, for a reason of ours */
  'given_up',
] as const
export type UnclearReason = (typeof unclearReasons)[number]

/**
 * Nobody knows what became of it. Nothing may be concluded: neither that it was carried out nor that it was not. Look it up.
 * Only what `countsAgainstHealth` says something about the authority as a whole; the rest is about this one question.
 */
export interface Unclear {
  readonly kind: 'unclear'
  readonly reason: UnclearReason
  /** one sentence of ours; no key and nothing of a body is in it */
  readonly why: string
  /** the authority's own words, if it said any */
  readonly told: readonly string[]
  readonly countsAgainstHealth: boolean
}

/** Not a byte has left: it may be sent again as if nothing had been. */
export interface NotSent {
  readonly kind: 'not_sent'
  readonly why: string
  readonly countsAgainstHealth: boolean
}

/** The authority understood and said no, in words that are not those of its own troubles. */
export interface Refusal {
  readonly kind: 'refused'
  /** its words, as they came: usually the first fault alone. `ReportingRules.explain` makes them plain. */
  readonly told: readonly string[]
}

/** The authority has no such thing, and says so clearly. */
export interface Absent {
  readonly kind: 'absent'
}

/**
 * - `signed`: the authority has it, for good.
 * - `refused`: this request did not register it. An earlier one with the same reference may have, and then the authority may refuse
 *   in the same words: look it up once more before the document is called rejected.
 * - `unclear`: look it up; never send again before that. `not_sent`: send again.
 */
export type SignAnswer = { readonly kind: 'signed' } | Refusal | Unclear | NotSent

/**
 * - `found`: it is registered, for good; `isSameDocument` with what `download` gives tells whether it is ours.
 * - `absent`: at the moment of asking it was not there. One that was just sent may still appear: wait before sending again.
 * - `unclear`: nothing was learnt; a lookup that fails never means "absent". Lookups that did not leave are unclear too.
 */
export type LookupAnswer = ({ readonly kind: 'found' } & Standing) | Absent | Unclear

/** How a registered document stands at the authority. */
export interface Standing {
  /** its exchange with the buyer has begun */
  readonly transmitted: boolean
  /** every party has acknowledged it */
  readonly delivered: boolean
  readonly paymentStatus: PaymentStanding | undefined
  /** the day on which the authority got it, if it says so */
  readonly registeredOn: string | undefined
}

/**
 * `refused`: it cannot go to the buyer as things are (nobody receives for them, the authority has no address for callbacks); it
 * stays registered all the same. Repeating it does no harm.
 */
export type TransmitAnswer = { readonly kind: 'transmitted' } | Refusal | Unclear | NotSent

/** `bytes`: the document, decrypted, for `ReportingRules.readCopy`. It is not checked beyond being JSON about this reference. */
export type DownloadAnswer = { readonly kind: 'downloaded'; readonly bytes: Buffer } | Absent | Unclear

/** `done`: the authority took it. Repeating it does no harm. */
export type DoneAnswer = { readonly kind: 'done' } | Refusal | Unclear | NotSent

/** `valid`: it would be taken now. Nothing is registered by asking. */
export type ValidAnswer = { readonly kind: 'valid' } | Refusal | Unclear

/** `references` of documents on their way to us, each once. */
export type PullAnswer = { readonly kind: 'pulled'; readonly references: readonly string[] } | Unclear

/** `parties`: whom the document concerns, as far as the authority says so. */
export type ExchangeAnswer =
  | { readonly kind: 'found'; readonly parties: readonly { readonly taxId: string; readonly acknowledged: boolean }[] }
  | Absent
  | Unclear

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
 * What can be asked of an authority about documents. Each asks once, within the signal's time, and never throws for what the
 * authority does: the answer says all.
 */
export interface ReportingAuthority {
  /** whether a reference fits the business's template and is free */
  validateReference(
    asked: { readonly reference: string; readonly businessId: string; readonly documentNumber?: string | undefined },
    signal: AbortSignal,
  ): Promise<ValidAnswer>
  /** everything that `sign` would look at, and nothing is registered */
  validate(bytes: Buffer, signal: AbortSignal): Promise<ValidAnswer>
  /** registers it, which cannot be undone */
  sign(bytes: Buffer, signal: AbortSignal): Promise<SignAnswer>
  lookup(reference: string, signal: AbortSignal): Promise<LookupAnswer>
  transmit(reference: string, signal: AbortSignal): Promise<TransmitAnswer>
  lookupExchange(reference: string, signal: AbortSignal): Promise<ExchangeAnswer>
  download(reference: string, signal: AbortSignal): Promise<DownloadAnswer>
  updatePaymentStatus(
    reference: string,
    /** `paidMinor`: how much was paid, for `partial` */
    payment: { readonly status: PaymentStanding; readonly paidMinor?: bigint; readonly note?: string | undefined },
    signal: AbortSignal,
  ): Promise<DoneAnswer>
  /** those of these days, both included; what was acknowledged already is among them only if asked for */
  pull(
    days: { readonly from: string; readonly to: string; readonly acknowledged?: boolean },
    signal: AbortSignal,
  ): Promise<PullAnswer>
  /** tells the sender that we have it */
  acknowledge(reference: string, signal: AbortSignal): Promise<DoneAnswer>
  reportTax(report: TaxReport, serviceId: string, signal: AbortSignal): Promise<DoneAnswer>
  /** has the authority send us a notification, to see whether its callbacks arrive */
  testNotification(signal: AbortSignal): Promise<DoneAnswer>
}

/** The keys of an organisation that has its own access to the authority. */
export interface AuthorityCredentials {
  readonly apiKey: string
  readonly apiSecret: string
}
