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

/** An organisation with the parts that its documents show. */
export interface Profile extends Organisation {
  readonly logo: Letterhead['logo']
  readonly bankDetails: Letterhead['bank']
}

/** Fields that can be changed. An absent field stays as it is. */
export type ProfileChange = Partial<
  Pick<Profile, 'name' | 'contactEmail' | 'website' | 'address' | 'logo' | 'bankDetails'>
>

export const profileOf = (organisation: Organisation, { logo, bank }: Letterhead): Profile => ({
  ...organisation,
  logo,
  bankDetails: bank,
})

/** Contact and bank details are a thief's first target, so they need a capability of their own. */
export const contactFields = ['contactEmail', 'address', 'bankDetails'] as const

/**
 * What is missing before onboarding can be completed, in words. A country without an authority needs no confirmed
 * number.
 */
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
