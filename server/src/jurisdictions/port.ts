import type { InvoiceDocument } from '../kernel/invoice-document.ts'
import type { Fault } from '../kernel/refusals.ts'
import type { Mode } from '../kernel/tenant.ts'
import type { CodeEntry, CodeList, ListsInForce, ListType } from './code-lists.ts'
import type { ConnectionRules } from './connection-rules.ts'
import type { InvoiceKind } from './invoice-kinds.ts'
import type { AuthorityCredentials, ReportingAuthority, ReportingRules } from './reporting.ts'
import type { UblRules } from './ubl-rules.ts'

export { type CodeEntry, type CodeList, type ListsInForce, type ListType, listTypes } from './code-lists.ts'
export type { ConnectionRules } from './connection-rules.ts'
export {
  type Absent,
  type AuthorityCopy,
  type AuthorityCredentials,
  type ClaimFacts,
  type CopyLine,
  type CopyParty,
  type CopyTax,
  type DoneAnswer,
  type DownloadAnswer,
  type ExchangeAnswer,
  type ExplainedRefusal,
  type InputTaxClaim,
  type KeyFile,
  type LookupAnswer,
  type NotSent,
  type PaymentStanding,
  type PullAnswer,
  paymentStandings,
  type Refusal,
  type ReportedDocument,
  type ReportingAuthority,
  type ReportingBusiness,
  type ReportingRules,
  type SignAnswer,
  type Standing,
  type TaxReport,
  type TransmitAnswer,
  type Unclear,
  type UnclearReason,
  unclearReasons,
  type ValidAnswer,
} from './reporting.ts'
export type { UblRules, UblTaxCategory } from './ubl-rules.ts'

/** What any country must provide. The modules know countries through this file alone. */
export interface Jurisdiction {
  /** ISO 3166-1 alpha-2 */
  readonly country: string
  readonly currency: string
  /** the time zone of its business days */
  readonly zone: string
  /** who may invoice whom: the kinds of invoice that the law knows */
  readonly invoiceKinds: readonly { readonly kind: InvoiceKind; readonly label: string }[]
  /** the kind of an invoice to each sort of buyer, for callers who do not name it; a buyer may be missing on the second */
  readonly kindsByBuyer: { readonly government: string; readonly unregistered: string; readonly registered: string }
  readonly taxIds: TaxIdRules
  /** the lists that come with the software; newer ones may be loaded beside them */
  readonly builtInLists: readonly CodeList[]
  /** words that callers may use for a tax category, and the code that each stands for */
  readonly taxCategoryAliases: Readonly<Record<string, string>>
  /** what each tax category is called where there is little room; the list's name where there is none */
  readonly taxLabels: Readonly<Record<string, string>>
  /** the rate of a tax category on a day, in percent, as exact as the law writes it; nothing where no law fixes it */
  taxRateOn(category: string, day: string): string | undefined
  /** how its facts are told in UBL */
  readonly ublRules: UblRules
  /** everything that the authority would refuse in a document; nothing when it would take it */
  readinessOf(
    document: InvoiceDocument,
    lists: ListsInForce,
    facts: { readonly today: string; readonly buyerTaxIdStatus?: string | undefined },
  ): Fault[]
  /** what the law asks beyond that, and what looks like a slip: told, and in nobody's way */
  adviceOn(document: InvoiceDocument, lists: ListsInForce, facts: { readonly today: string }): Fault[]
  /** the tax category of a product or service code on a day, where the law does not tax it as it does everything else */
  suggestedTaxCategory(
    code: { readonly hsnCode?: string | null; readonly serviceCode?: string | null },
    day: string,
    lists: ListsInForce,
  ): SuggestedTaxCategory | undefined
  /** how documents go to the authority, and how what comes back is read */
  readonly reporting: ReportingRules
  /** how a business is connected to the authority */
  readonly connections: ConnectionRules
  /** which of the authority's own lists refresh ours */
  readonly refreshableLists: readonly ListType[]
}

export interface SuggestedTaxCategory {
  readonly taxCategory: string
  /** what it is that the law treats so, in words */
  readonly group: string
}

export const taxIdTypes = ['tin', 'rn', 'foreign', 'none'] as const
export type TaxIdType = (typeof taxIdTypes)[number]

export interface TaxIdRules {
  readonly types: readonly { readonly type: TaxIdType; readonly label: string; readonly example: string | null }[]
  /** one spelling for each number, by which two of them are compared; nothing when the text is none of this type */
  normalise(type: TaxIdType, text: string): string | undefined
  /** a national number as people write it, from that one spelling */
  written(normal: string): string
  /** whether the authority can be asked about numbers of this type */
  canBeChecked(type: TaxIdType): boolean
}

/** Somebody the authority knows. */
export interface Taxpayer {
  readonly taxId: string
  /** empty where the authority does not say */
  readonly name: string
  readonly address: string | undefined
  readonly email: string | undefined
  readonly phone: string | undefined
}

/** Whether a taxpayer can be reached over the authority's network, and through whom. */
export interface NetworkEntry {
  readonly reachable: boolean
  readonly provider: string | undefined
}

export interface Business {
  readonly id: string
  readonly name: string
  readonly taxId: string
  readonly numberTemplate: string
}

/** The authority was asked and did not answer, or answered what cannot be understood. */
export class AuthorityUnavailable extends Error {
  override readonly name = 'AuthorityUnavailable'
  /** whether this says something about the authority as a whole; see `Unclear` */
  readonly countsAgainstHealth: boolean
  /** it answered, and the answer was that it does not know the keys */
  readonly keysRefused: boolean

  constructor(
    message: string,
    { countsAgainstHealth = true, keysRefused = false }: { countsAgainstHealth?: boolean; keysRefused?: boolean } = {},
  ) {
    super(message)
    this.countsAgainstHealth = countsAgainstHealth
    this.keysRefused = keysRefused
  }
}

/**
 * The authority of a country, in one mode, with one pair of keys. The methods below ask once, within the signal's time, and may
 * throw `AuthorityUnavailable`; those of `ReportingAuthority` say it with their answers.
 */
export interface Authority extends ReportingAuthority {
  isHealthy(signal: AbortSignal): Promise<boolean>
  /** nothing when no taxpayer has this number */
  findTaxpayer(taxId: string, signal: AbortSignal): Promise<Taxpayer | undefined>
  findNetworkEntry(taxId: string, signal: AbortSignal): Promise<NetworkEntry>
  /** `entityId` may be the business's own id where it is not known: then all that we may see are gone through */
  findBusiness(entityId: string, businessId: string, signal: AbortSignal): Promise<Business | undefined>
  /** as the authority has it, cleaned of what cannot be a code */
  readList(type: ListType, signal: AbortSignal): Promise<CodeEntry[]>
}

export interface Jurisdictions {
  /** nothing for a country that we do not serve yet */
  of(country: string): Jurisdiction | undefined
  readonly all: readonly Jurisdiction[]
  /** nothing when this installation has no access to it; with an organisation's own keys where its connection has them */
  authority(country: string, mode: Mode, credentials?: AuthorityCredentials): Authority | undefined
  /**
   * The same by a way of its own, for what is brought there and fetched from there in the background: however many people ask at once,
   * and however slowly they are answered, documents do not wait behind them.
   */
  authorityForWork: Jurisdictions['authority']
}

declare module '../platform/operations/ports.ts' {
  interface Ports {
    readonly jurisdictions: Jurisdictions
  }
}
