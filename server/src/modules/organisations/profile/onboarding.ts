import type { UserCaller } from '../../../kernel/callers.ts'
import { refuse } from '../../../kernel/refusals.ts'
import { type Inside, type Outside, operation, preparedOperation } from '../../../platform/operations/operation.ts'
import { normaliseEmail, oneTimeCodes, requireTextMessages, textPhoneCode, textsADay } from '../../people/index.ts'
import { missingForOnboarding } from '../organisation.ts'
import { lockOrganisation, saveOnboarded, saveVerifiedPhone } from '../organisations.store.ts'

export const sendOrganisationPhoneCode = preparedOperation(
  { time: 'real', needs: ['organization.update'], refuses: [] },
  async ({ throttle, caller, ports }: Outside<UserCaller>, _input: { phone: string }) => {
    requireTextMessages(ports)
    await throttle('organisation-phone', caller.tenant.organisationId, { perDay: textsADay })
  },
  async (context: Inside<UserCaller>, { phone }: { phone: string }) => {
    const { organisationId } = context.caller.tenant
    const claims = { phone, organisationId }
    const code = await oneTimeCodes.issueCode(context, context.caller.userId, 'verify_organisation_phone', { claims })
    await textPhoneCode(context, phone, code)
    return { phone }
  },
)

/** Only the person who requested the code, acting for the same organisation, can use it. */
export const verifyOrganisationPhone = preparedOperation(
  { time: 'real', needs: ['organization.update'], refuses: ['phone.code_wrong'] },
  async ({ throttle, caller }: Outside<UserCaller>, _input: { code: string }) =>
    await throttle('organisation-phone-code', caller.tenant.organisationId),
  async (context: Inside<UserCaller>, { code }: { code: string }) => {
    const { tx, caller, now, emit } = context
    const { organisationId } = caller.tenant
    const person = { ...caller, id: caller.userId }
    const account = normaliseEmail(caller.email)
    const redeemed = await oneTimeCodes.redeemCode(
      context,
      { purpose: 'verify_organisation_phone', account, person },
      code,
    )
    const { phone, organisationId: verifiedFor } = redeemed?.claims ?? {}
    if (phone === undefined || verifiedFor !== organisationId) return refuse('phone.code_wrong')
    const organisation = await saveVerifiedPhone(tx, organisationId, phone, now)
    emit('organization.phone_verified', { organisationId, objectId: organisationId }, { phone })
    return organisation
  },
)

export const completeOnboarding = operation(
  { time: 'real', needs: ['organization.update'], refuses: ['onboarding.incomplete', 'resource.not_found'] },
  async ({ tx, caller, now, emit, ports }: Inside<UserCaller>) => {
    const { organisationId } = caller.tenant
    const organisation = await lockOrganisation(tx, organisationId)
    if (!organisation) throw refuse('resource.not_found')
    if (organisation.onboardedAt) return organisation
    const hasAuthority = ports.jurisdictions.authority(organisation.country, caller.tenant.mode) !== undefined
    const missing = missingForOnboarding(organisation, { hasAuthority })
    if (missing.length > 0) throw refuse('onboarding.incomplete', { details: missing })
    emit('organization.onboarding_completed', { organisationId, objectId: organisationId }, { name: organisation.name })
    return await saveOnboarded(tx, organisationId, now)
  },
)
