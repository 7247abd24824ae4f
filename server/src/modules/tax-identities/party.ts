/** Kinds of buyers and sellers. */
export const partyTypes = ['individual', 'company', 'partnership', 'non_profit', 'government'] as const
export type PartyType = (typeof partyTypes)[number]

export interface PostalAddress {
  readonly line1: string
  readonly line2?: string
  readonly city: string
  readonly state?: string
  readonly district?: string
  readonly postalCode?: string
  readonly country: string
}

export const taxIdStatuses = [
  'unverified',
  'pending',
  'verified',
  'not_found',
  'name_mismatch',
  'unavailable',
  'valid_off_network',
  'checking',
] as const
export type TaxIdStatus = (typeof taxIdStatuses)[number]
