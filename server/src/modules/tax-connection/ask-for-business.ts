import {
  AuthorityUnavailable,
  type Business,
  type CountryRecord,
  type Jurisdictions,
} from '../../jurisdictions/port.ts'
import type { Mode } from '../../kernel/tenant.ts'
import type { CallOutcome } from '../../platform/operations/operation.ts'

/** The authority's answer about a business: its record, an unknown business, refused keys, or no answer. */
export type BusinessAnswer =
  | { readonly kind: 'found'; readonly business: Business }
  | { readonly kind: 'unknown_business' }
  | { readonly kind: 'keys_refused' }
  | { readonly kind: 'no_answer' }
  | { readonly kind: 'no_access' }

export interface BusinessQuestion {
  readonly country: string
  readonly mode: Mode
  readonly businessId: string
  readonly credentials: CountryRecord | undefined
}

export async function askForBusiness(
  jurisdictions: Jurisdictions,
  { country, mode, businessId, credentials }: BusinessQuestion,
  signal: AbortSignal,
): Promise<BusinessAnswer> {
  const authority = jurisdictions.authority(country, mode, credentials)
  if (!authority) return { kind: 'no_access' }
  try {
    const business = await authority.findBusiness(businessId, businessId, signal)
    return business ? { kind: 'found', business } : { kind: 'unknown_business' }
  } catch (error) {
    if (!(error instanceof AuthorityUnavailable)) throw error
    // If the authority refuses the keys of this installation, the operator has to act, not the organisation.
    return { kind: error.keysRefused && credentials !== undefined ? 'keys_refused' : 'no_answer' }
  }
}

export const answerOf = (outcome: CallOutcome<BusinessAnswer>): BusinessAnswer =>
  outcome.kind === 'answered' ? outcome.answer : { kind: 'no_answer' }
