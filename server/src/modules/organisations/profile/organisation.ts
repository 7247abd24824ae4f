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
  readonly taxNumberVerifiedAt: Date | null
  readonly phone: string | null
  readonly phoneVerifiedAt: Date | null
  readonly onboardedAt: Date | null
  readonly createdAt: Date
}

/** The fields of a profile that can be changed; what is absent stays as it is. */
export type ProfileChange = Partial<Pick<Organisation, 'name' | 'contactEmail' | 'website' | 'address'>>

/** How to reach a business is what a thief would change first, so it takes a capability of its own. */
export const contactFields = ['contactEmail', 'address'] as const

/** What is still missing before onboarding is done, in words. Where no authority is known, no number can be confirmed. */
export function missingForOnboarding(
  { phoneVerifiedAt, taxNumberVerifiedAt }: Pick<Organisation, 'phoneVerifiedAt' | 'taxNumberVerifiedAt'>,
  { hasAuthority }: { hasAuthority: boolean },
): { path: string; rule: string; message: string }[] {
  const missing = (path: string, message: string) => ({ path, rule: 'unverified', message })
  return [
    ...(hasAuthority && !taxNumberVerifiedAt ? [missing('taxNumber', 'have the tax number verified first')] : []),
    ...(phoneVerifiedAt ? [] : [missing('phone', 'verify a phone number first')]),
  ]
}
