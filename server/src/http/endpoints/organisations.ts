import { createOrganisation } from '../../modules/foundings/index.ts'
import { switchOrganisation } from '../../modules/identity/index.ts'
import {
  changeCreditPool,
  completeOnboarding,
  getCreditPool,
  getOrganisation,
  listChildOrganisations,
  listOrganisations,
  partFromChild,
  readAuditLog,
  sendOrganisationPhoneCode,
  updateOrganisation,
  verifyOrganisationPhone,
} from '../../modules/organisations/index.ts'
import { verifyOwnTaxNumber } from '../../modules/sellers/index.ts'
import { endpoint } from '../endpoint.ts'

const me = '/a/v1/organizations/me'

export const organisationEndpoints = {
  listMine: endpoint('GET', '/a/v1/organizations', 'user', listOrganisations, { summary: 'Your organisations' }),
  create: endpoint('POST', '/a/v1/organizations', 'user', createOrganisation, {
    summary: 'Create an organisation',
    description: 'You become its owner. `asChild: true` makes it a child of the organisation you act for.',
  }),
  getCurrent: endpoint('GET', me, 'both', getOrganisation, { summary: 'The organisation of the token' }),
  updateCurrent: endpoint('PATCH', me, 'user', updateOrganisation, {
    summary: 'Change the profile of the organisation',
    description:
      '`contactEmail`, `address` and `bankDetails` also need the capability `organization.update_contact`. Changing `bankDetails` takes a sign-in of the last ten minutes (401 with `Risiti-Reason: auth.sign_in_too_old`: sign in again and repeat it), and every owner is told by mail.',
  }),
  get: endpoint('GET', '/a/v1/organizations/{orgId}', 'both', getOrganisation, {
    summary: 'An organisation’s profile',
  }),
  update: endpoint('PATCH', '/a/v1/organizations/{orgId}', 'user', updateOrganisation, {
    summary: 'Change an organisation’s profile',
    description:
      '`contactEmail`, `address` and `bankDetails` also need the capability `organization.update_contact`. Changing `bankDetails` takes a sign-in of the last ten minutes (401 with `Risiti-Reason: auth.sign_in_too_old`: sign in again and repeat it), and every owner is told by mail.',
  }),
  switch: endpoint('POST', '/a/v1/organizations/switch', 'user', switchOrganisation, {
    summary: 'Act for another of your organisations',
    description: 'Answers a new token pair; tokens of this session issued before stop working.',
    idempotent: false,
  }),
  listChildren: endpoint('GET', `${me}/children`, 'user', listChildOrganisations, { summary: 'Child organisations' }),
  partFromChild: endpoint('DELETE', `${me}/children/{orgId}`, 'user', partFromChild, {
    summary: 'Part from a child organisation',
    description:
      'It pays for itself from now on and is no longer listed. What you paid for it and is taken back later still goes back to you.',
  }),
  getCreditPool: endpoint('GET', `${me}/credit-pool-config`, 'user', getCreditPool, {
    summary: 'Who pays for children',
  }),
  changeCreditPool: endpoint('PATCH', `${me}/credit-pool-config`, 'user', changeCreditPool, {
    summary: 'Change who pays for children',
  }),
  sendPhoneCode: endpoint('POST', `${me}/onboarding/send-phone-verification`, 'user', sendOrganisationPhoneCode, {
    summary: 'Text a code to the phone of the business',
  }),
  verifyPhone: endpoint('POST', `${me}/onboarding/verify-phone`, 'user', verifyOrganisationPhone, {
    summary: 'Verify the phone of the business',
  }),
  verifyTaxNumber: endpoint('POST', `${me}/onboarding/verify-tax-number`, 'user', verifyOwnTaxNumber, {
    summary: 'Have the tax number of the business confirmed by the authority',
  }),
  completeOnboarding: endpoint('POST', `${me}/onboarding/complete`, 'user', completeOnboarding, {
    summary: 'Complete onboarding',
  }),
  auditLog: endpoint('GET', '/a/v1/organizations/{orgId}/audit-log', 'user', readAuditLog, {
    summary: 'Who did what, when and from where',
    description:
      'Newest first, the entries of what you may read: with `organization.read` alone, those of the organisation itself. `type` may be a whole family, such as `api_key.*`.',
  }),
}
