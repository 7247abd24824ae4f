import type { OrganisationId } from '../../../kernel/ids.ts'

export interface Address {
  readonly line1: string
  readonly line2?: string
  readonly city: string
  readonly state: string
  readonly postalCode?: string
  readonly country: string
}

export interface Organisation {
  readonly id: OrganisationId
  readonly parentId: OrganisationId | null
  readonly name: string
  readonly country: string
  readonly contactEmail: string | null
  readonly website: string | null
  readonly address: Address | null
  readonly taxNumber: string | null
  readonly phone: string | null
  readonly phoneVerifiedAt: Date | null
  readonly onboardedAt: Date | null
  readonly createdAt: Date
}

/** The fields of a profile that can be changed; what is absent stays as it is. */
export type ProfileChange = Partial<Pick<Organisation, 'name' | 'contactEmail' | 'website' | 'address'>>

/** How to reach a business is what a thief would change first, so it takes a capability of its own. */
export const contactFields = ['contactEmail', 'address'] as const

/** What is still missing before onboarding is done, in words. The tax number joins with the tax authority. */
export function missingForOnboarding(
  organisation: Pick<Organisation, 'phoneVerifiedAt'>,
): { path: string; rule: string; message: string }[] {
  return organisation.phoneVerifiedAt
    ? []
    : [{ path: 'phone', rule: 'unverified', message: 'verify a phone number first' }]
}
