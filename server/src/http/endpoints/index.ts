import { apiKeyEndpoints } from './api-keys.ts'
import { billingEndpoints } from './billing.ts'
import { catalogueEndpoints } from './catalogue.ts'
import { identityEndpoints } from './identity.ts'
import { invitationEndpoints } from './invitations.ts'
import { memberEndpoints } from './members.ts'
import { organisationEndpoints } from './organisations.ts'
import { roleEndpoints } from './roles.ts'

/** Every operation that HTTP serves, in either form. */
export const endpoints = {
  identity: identityEndpoints,
  organisations: organisationEndpoints,
  members: memberEndpoints,
  roles: roleEndpoints,
  invitations: invitationEndpoints,
  apiKeys: apiKeyEndpoints,
  catalogue: catalogueEndpoints,
  billing: billingEndpoints,
}
