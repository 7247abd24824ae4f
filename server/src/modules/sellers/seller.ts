import type { Id, OrganisationId } from '../../kernel/ids.ts'
import { searchTextOf } from '../../kernel/search-text.ts'
import type { CheckStatus, PartyType, PostalAddress } from '../tax-identities/index.ts'

export type SellerId = Id<'seller'>

export interface SellerDetails {
  readonly name: string
  readonly tradingName: string | null
  readonly partyType: PartyType
  readonly vatNumber: string | null
  readonly registrationNumber: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly website: string | null
  readonly address: PostalAddress | null
  readonly notes: string | null
}

/** The party in whose name an organisation invoices. The primary seller follows the profile. */
export interface Seller extends SellerDetails {
  readonly organisationId: OrganisationId
  readonly id: SellerId
  readonly isPrimary: boolean
  readonly taxId: string | null
  readonly taxIdNormal: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A seller with the result of its check in one mode. */
export interface CheckedSeller extends Seller {
  readonly taxIdStatus: 'unverified' | CheckStatus
  readonly registeredName: string | null
  readonly checkedAt: Date | null
}

export const searchOf = ({ name, tradingName, taxId, taxIdNormal }: Seller): string =>
  searchTextOf(name, tradingName, taxId, taxIdNormal)
