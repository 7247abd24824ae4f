import type { InvoiceDocument } from '../kernel/invoice-document.ts'
import type { Fault } from '../kernel/refusals.ts'
import type { Mode } from '../kernel/tenant.ts'
import type { UblRules } from './ubl-rules.ts'

export type { UblRules, UblTaxCategory } from './ubl-rules.ts'

/** What any country must provide. The modules know countries through this file alone. */
export interface Jurisdiction {
  /** ISO 3166-1 alpha-2 */
  readonly country: string
  readonly currency: string
  /** the time zone of its business days */
  readonly zone: string
  /** who may invoice whom: the kinds of invoice that the law knows */
  readonly invoiceKinds: readonly { readonly kind: string; readonly label: string }[]
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
  /** which of the authority's own lists refresh ours */
  readonly refreshableLists: readonly ListType[]
}

export const taxIdTypes = ['tin', 'rn', 'foreign', 'none'] as const
export type TaxIdType = (typeof taxIdTypes)[number]

export interface TaxIdRules {
  readonly types: readonly { readonly type: TaxIdType; readonly label: string; readonly example: string | null }[]
  /** one spelling for each number, by which two of them are compared; nothing when the text is none of this type */
  normalise(type: TaxIdType, text: string): string | undefined
  /** whether the authority can be asked about numbers of this type */
  canBeChecked(type: TaxIdType): boolean
}

export const listTypes = [
  'countries',
  'currencies',
  'tax-categories',
  'payment-means',
  'invoice-types',
  'service-codes',
  'tax-exemptions',
  'product-codes',
  'units',
  'states',
  'lgas',
] as const
export type ListType = (typeof listTypes)[number]

export interface CodeEntry {
  readonly code: string
  readonly name: string
  /** a group that people browse by: a chapter, a section, a state */
  readonly category?: string
  /** what else is known of it, as the list names it */
  readonly facts?: Readonly<Record<string, string | number>>
  /** the days on which it counts; without them, always */
  readonly from?: string
  readonly to?: string
}

export interface CodeList {
  readonly type: ListType
  readonly version: string
  /** from which day on this version counts */
  readonly effectiveFrom: string
  readonly source: 'built-in' | 'import' | 'authority'
  readonly entries: readonly CodeEntry[]
}

/** The code lists that count today. */
export interface ListsInForce {
  has(list: ListType, code: string): boolean
  entries(list: ListType): readonly CodeEntry[]
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
}

/** The authority of a country, in one mode. Every method asks once, within the signal's time, and may throw `AuthorityUnavailable`. */
export interface Authority {
  isHealthy(signal: AbortSignal): Promise<boolean>
  /** nothing when no taxpayer has this number */
  findTaxpayer(taxId: string, signal: AbortSignal): Promise<Taxpayer | undefined>
  findNetworkEntry(taxId: string, signal: AbortSignal): Promise<NetworkEntry>
  findBusiness(entityId: string, businessId: string, signal: AbortSignal): Promise<Business | undefined>
  /** as the authority has it, cleaned of what cannot be a code */
  readList(type: ListType, signal: AbortSignal): Promise<CodeEntry[]>
}

export interface Jurisdictions {
  /** nothing for a country that we do not serve yet */
  of(country: string): Jurisdiction | undefined
  readonly all: readonly Jurisdiction[]
  /** nothing when this installation has no access to it */
  authority(country: string, mode: Mode): Authority | undefined
}

declare module '../platform/operations/ports.ts' {
  interface Ports {
    readonly jurisdictions: Jurisdictions
  }
}
