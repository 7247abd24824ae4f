// Closed lists that events carry. `http/shared/event-schemas.ts` compiles only if each equals the list of its module.
type TaxIdType = 'national' | 'registration' | 'foreign' | 'none'
export type TaxIdStatus =
  | 'unverified'
  | 'pending'
  | 'verified'
  | 'not_found'
  | 'name_mismatch'
  | 'unavailable'
  | 'valid_off_network'
  | 'checking'

/** Payload of every buyer event. */
export interface BuyerPayload {
  readonly buyerId: string
  readonly name: string
  readonly taxId: string | null
  readonly taxIdType: TaxIdType
  readonly taxIdStatus: TaxIdStatus
}

/** The period of a statement of account, in the organisation's time zone. */
export interface StatementPeriodPayload {
  readonly currency: string
  readonly from: string
  readonly to: string
}

/** A public link to a statement of account. */
export interface StatementLinkPayload extends StatementPeriodPayload {
  readonly linkId: string
  readonly expiresAt: string
}
