import { createOrganisation } from '../../modules/foundings/index.ts'
import { identityOperations } from '../../modules/identity/index.ts'
import { organisationOperations } from '../../modules/organisations/index.ts'
import { sellerOperations } from '../../modules/sellers/index.ts'
import { defineRoute } from '../definitions/route-definition.ts'

const me = '/a/v1/organizations/me'

export const organisationRoutes = {
  listMine: defineRoute('GET', '/a/v1/organizations', 'user', organisationOperations.listOrganisations, {
    summary: 'List your organisations',
  }),
  create: defineRoute('POST', '/a/v1/organizations', 'user', createOrganisation, {
    summary: 'Create an organisation',
    description: 'You become the owner. `asChild: true` makes it a child of the organisation that you act for.',
  }),
  getCurrent: defineRoute('GET', me, 'token', organisationOperations.getOrganisation, {
    summary: 'Get the organisation of the token',
  }),
  updateCurrent: defineRoute('PATCH', me, 'user', organisationOperations.updateOrganisation, {
    summary: 'Change the organisation of the token',
    description:
      '`contactEmail`, `address` and `bankDetails` also need the capability `organization.update_contact`. Changing `bankDetails` needs a sign-in less than ten minutes old. Otherwise the reply is 401 with `Risiti-Reason: auth.sign_in_too_old`: sign in and try again. Every owner is informed by mail.',
  }),
  get: defineRoute('GET', '/a/v1/organizations/{orgId}', 'token', organisationOperations.getOrganisation, {
    summary: 'Get an organisation',
  }),
  update: defineRoute('PATCH', '/a/v1/organizations/{orgId}', 'user', organisationOperations.updateOrganisation, {
    summary: 'Change an organisation',
    description:
      '`contactEmail`, `address` and `bankDetails` also need the capability `organization.update_contact`. Changing `bankDetails` needs a sign-in less than ten minutes old. Otherwise the reply is 401 with `Risiti-Reason: auth.sign_in_too_old`: sign in and try again. Every owner is informed by mail.',
  }),
  switch: defineRoute('POST', '/a/v1/organizations/switch', 'user', identityOperations.switchOrganisation, {
    summary: 'Switch to another of your organisations',
    description: 'The reply has a new pair of tokens. The old tokens of the session stop working.',
    idempotent: false,
  }),
  listChildren: defineRoute('GET', `${me}/children`, 'user', organisationOperations.listChildOrganisations, {
    summary: 'List child organisations',
  }),
  partFromChild: defineRoute('DELETE', `${me}/children/{orgId}`, 'user', organisationOperations.partFromChild, {
    summary: 'Detach a child organisation',
    description:
      'The child pays for itself from now on and is no longer listed. Credits that you paid for it and that are released later still go back to you.',
  }),
  getCreditPool: defineRoute('GET', `${me}/credit-pool-config`, 'user', organisationOperations.getCreditPool, {
    summary: 'Get who pays for child organisations',
  }),
  changeCreditPool: defineRoute('PATCH', `${me}/credit-pool-config`, 'user', organisationOperations.changeCreditPool, {
    summary: 'Change who pays for child organisations',
  }),
  sendPhoneCode: defineRoute(
    'POST',
    `${me}/onboarding/send-phone-verification`,
    'user',
    organisationOperations.sendOrganisationPhoneCode,
    {
      summary: 'Send a code to the phone of the organisation',
    },
  ),
  verifyPhone: defineRoute(
    'POST',
    `${me}/onboarding/verify-phone`,
    'user',
    organisationOperations.verifyOrganisationPhone,
    {
      summary: 'Verify the phone of the organisation',
    },
  ),
  verifyTaxNumber: defineRoute(
    'POST',
    `${me}/onboarding/verify-tax-number`,
    'user',
    sellerOperations.verifyOwnTaxNumber,
    {
      summary: 'Verify the tax number of the organisation with the authority',
    },
  ),
  completeOnboarding: defineRoute(
    'POST',
    `${me}/onboarding/complete`,
    'user',
    organisationOperations.completeOnboarding,
    {
      summary: 'Complete onboarding',
    },
  ),
  auditLog: defineRoute('GET', '/a/v1/organizations/{orgId}/audit-log', 'user', organisationOperations.readAuditLog, {
    summary: 'Read the audit log',
    description:
      'Who did what, when and from where, newest first. You see only the events that you may read: with `organization.read` alone, those of the organisation itself.',
  }),
}
