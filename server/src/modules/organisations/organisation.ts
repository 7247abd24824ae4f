import type { OrganisationId } from '../../kernel/ids.ts'
import type { Letterhead } from '../../kernel/invoice-document.ts'

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

/** An organisation with what its documents show of it. */
export interface Profile extends Organisation {
  readonly logo: Letterhead['logo']
  readonly bankDetails: Letterhead['bank']
}

/** The fields of a profile that can be changed; what is absent stays as it is. */
export type ProfileChange = Partial<
  Pick<Profile, 'name' | 'contactEmail' | 'website' | 'address' | 'logo' | 'bankDetails'>
>

export const profileOf = (organisation: Organisation, { logo, bank }: Letterhead): Profile => ({
  ...organisation,
  logo,
  bankDetails: bank,
})

/** How to reach and to pay a business is what a thief would change first, so it takes a capability of its own. */
export const contactFields = ['contactEmail', 'address', 'bankDetails'] as const

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
