import type { Id } from '../../kernel/ids.ts'
import type { Language } from '../../kernel/languages/languages.ts'
import { searchTextOf } from '../../kernel/search-text.ts'
import type { PartyType, PostalAddress, TaxIdentity, TaxIdStatus } from '../tax-identities/index.ts'

export type BuyerId = Id<'buyer'>

/** Facts of a buyer besides its tax number. */
export interface BuyerDetails {
  readonly name: string
  readonly legalName: string | null
  readonly tradingName: string | null
  readonly partyType: PartyType
  readonly vatNumber: string | null
  readonly registrationNumber: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly website: string | null
  readonly address: PostalAddress | null
  readonly businessDescription: string | null
  readonly reference: string | null
  readonly notes: string | null
  /** of documents, pages and mails for the buyer; null: the standard language */
  readonly language: Language | null
}

export interface Buyer extends BuyerDetails, TaxIdentity {
  readonly id: BuyerId
  readonly taxIdStatus: TaxIdStatus
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly archivedAt: Date | null
}

export const noDetails: Omit<BuyerDetails, 'name' | 'partyType'> = {
  legalName: null,
  tradingName: null,
  vatNumber: null,
  registrationNumber: null,
  email: null,
  phone: null,
  website: null,
  address: null,
  businessDescription: null,
  reference: null,
  notes: null,
  language: null,
}

/** Searchable text: names, and the tax number as typed and as compared. */
export const searchOf = ({ name, legalName, tradingName, taxId, taxIdNormal }: BuyerDetails & TaxIdentity): string =>
  searchTextOf(name, legalName, tradingName, taxId, taxIdNormal)
