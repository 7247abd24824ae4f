import type { InvoiceDocument } from '../kernel/invoice-document.ts'
import type { Fault } from '../kernel/refusals.ts'
import type { Mode } from '../kernel/tenant.ts'
import type { CodeEntry, CodeList, ListsInForce, ListType } from './code-lists.ts'
import type { ConnectionRules, CountryRecord } from './connection-rules.ts'
import type { CountryWords } from './country-words.ts'
import type { InvoiceKind } from './invoice-kinds.ts'
import type { ReportingAuthority, ReportingRules } from './reporting.ts'
import type { TaxCategoryAliases } from './tax-category-aliases.ts'
import type { TaxIdType } from './tax-id-types.ts'
import type { UblRules } from './ubl-rules.ts'

export { type CodeEntry, type CodeList, type ListsInForce, type ListType, listTypes } from './code-lists.ts'
export type { ConnectionField, ConnectionRules, CountryRecord, KeyFileRules } from './connection-rules.ts'
export type { CountryWords, ImportWords, PayerIdentifier, ReferenceWords } from './country-words.ts'
export {
  type AbsentAnswer,
  type AuthorityCopy,
  type ClaimFacts,
  type CopyLine,
  type CopyParty,
  type CopyTax,
  type DocumentStatus,
  type DoneAnswer,
  type DownloadAnswer,
  type ExchangeAnswer,
  type ExplainedRefusal,
  type InputTaxClaim,
  type LookupAnswer,
  type NotSentAnswer,
  type ProcessingAnswer,
  type PullAnswer,
  type RefusedAnswer,
  type Registration,
  type ReportedDocument,
  type ReportedPaymentStatus,
  type ReportingAuthority,
  type ReportingBusiness,
  type ReportingRules,
  reportedPaymentStatuses,
  type SignAnswer,
  type TaxReport,
  type TransmitAnswer,
  type UnclearAnswer,
  type UnclearReason,
  unclearReasons,
  type ValidAnswer,
} from './reporting.ts'
export { type TaxCategoryAliases, taxCategoryFrom } from './tax-category-aliases.ts'
export { type TaxIdType, taxIdTypes } from './tax-id-types.ts'
export type { UblRules, UblTaxCategory } from './ubl-rules.ts'

/** Everything that a country provides. Modules know countries only through this file. */
export interface Jurisdiction {
  /** ISO 3166-1 alpha-2 */
  readonly country: string
  readonly currency: string
  /** all currencies that documents can have, with its own */
  readonly invoiceCurrencies: readonly string[]
  /** time zone of its business days */
  readonly zone: string
  /** the kinds of invoice that the law knows: who may invoice whom */
  readonly invoiceKinds: readonly { readonly kind: InvoiceKind; readonly label: string }[]
  /** the default kind for each sort of buyer; `unregistered` also applies without a buyer */
  readonly kindsByBuyer: { readonly government: string; readonly unregistered: string; readonly registered: string }
  readonly taxIds: TaxIdRules
  /** the lists that come with the software; newer ones may be loaded */
  readonly builtInLists: readonly CodeList[]
  readonly taxCategoryAliases: TaxCategoryAliases
  /** short names of tax categories; without one, the list's name is used */
  readonly taxLabels: Readonly<Record<string, string>>
  /**
   * the legal rate of a tax category on a day, in percent, with the digits of the law; `undefined` if no law fixes it
   */
  taxRateOn(category: string, day: string): string | undefined
  readonly taxReturn: TaxReturnRules
  /** its words on documents, on pages and in imported files */
  readonly words: CountryWords
  /** how its facts are written in UBL */
  readonly ublRules: UblRules
  /** everything that the authority would refuse in a document; empty if it would accept it */
  readinessOf(
    document: InvoiceDocument,
    lists: ListsInForce,
    facts: { readonly today: string; readonly buyerTaxIdStatus?: string | undefined },
  ): Fault[]
  /** further rules of the law and likely slips; advice blocks nothing */
  adviceOn(document: InvoiceDocument, lists: ListsInForce, facts: { readonly today: string }): Fault[]
  /** the special tax category of a product or service code on a day; `undefined` for the standard rate */
  suggestedTaxCategory(
    code: { readonly hsnCode?: string | null; readonly serviceCode?: string | null },
    day: string,
    lists: ListsInForce,
  ): SuggestedTaxCategory | undefined
  /** how documents are sent to the authority, and how answers are read */
  readonly reporting: ReportingRules
  /** how a business connects to the authority */
  readonly connections: ConnectionRules
  /** our lists that the authority's own lists can refresh */
  readonly refreshableLists: readonly ListType[]
}

/** The monthly return of the tax on sales. */
export interface TaxReturnRules {
  /** the tax categories that belong to the return; other taxes on an invoice are declared elsewhere */
  readonly categories: readonly string[]
  /** names of the rules that decide whether input tax can be claimed (`InputTaxClaim.rule`) */
  readonly claimLabels: Readonly<Record<string, string>>
  /** the last day to file the return of the month that ends on a day */
  dueOn(lastDay: string): string
}

export interface SuggestedTaxCategory {
  readonly taxCategory: string
  /** the group of goods or services, in words */
  readonly group: string
}

export interface TaxIdRules {
  readonly types: readonly { readonly type: TaxIdType; readonly label: string; readonly example: string | null }[]
  /** the normal spelling, by which numbers are compared; `undefined` if the text is no number of this type */
  normalise(type: TaxIdType, text: string): string | undefined
  /** a national number as people write it, from the normal spelling */
  written(normal: string): string
  /** whether the authority can verify numbers of this type */
  canBeChecked(type: TaxIdType): boolean
}

/** A taxpayer in the authority's register. */
export interface Taxpayer {
  readonly taxId: string
  /** empty if the authority does not name it */
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

/** The authority did not answer, or its answer cannot be understood. */
export class AuthorityUnavailable extends Error {
  override readonly name = 'AuthorityUnavailable'
  /** whether this concerns the authority as a whole; see `UnclearAnswer` */
  readonly countsAgainstHealth: boolean
  /** the authority answered that it does not know the keys */
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
 * The authority of a country, in one mode, with one pair of keys. These methods send one request within the signal's
 * time and may throw `AuthorityUnavailable`. Those of `ReportingAuthority` return it as an answer.
 */
export interface Authority extends ReportingAuthority {
  isHealthy(signal: AbortSignal): Promise<boolean>
  /** `undefined` if no taxpayer has this number */
  findTaxpayer(taxId: string, signal: AbortSignal): Promise<Taxpayer | undefined>
  /** absent if the authority has no network between businesses */
  findNetworkEntry?(taxId: string, signal: AbortSignal): Promise<NetworkEntry>
  /** if the entity is unknown, pass the business's own id: then all visible entities are searched */
  findBusiness(entityId: string, businessId: string, signal: AbortSignal): Promise<Business | undefined>
  /** the authority's list, without invalid codes */
  readList(type: ListType, signal: AbortSignal): Promise<CodeEntry[]>
}

export interface Jurisdictions {
  /** `undefined` without a country, or for one that we do not serve */
  of(country: string | undefined): Jurisdiction | undefined
  readonly all: readonly Jurisdiction[]
  /** `undefined` if this installation has no access; with the organisation's own keys if its connection has them */
  authority(country: string, mode: Mode, credentials?: CountryRecord): Authority | undefined
  /**
   * The same over separate connections, for background work. So documents never wait behind the requests of people.
   */
  authorityForWork: Jurisdictions['authority']
}

declare module '../platform/operations/ports.ts' {
  interface Ports {
    readonly jurisdictions: Jurisdictions
  }
}
