import { organisationOperations } from '../../modules/organisations/index.ts'
import { defineRoute } from '../definitions/route-definition.ts'

const roles = '/a/v1/organizations/{orgId}/roles'

export const roleRoutes = {
  listSystem: defineRoute('GET', roles, 'user', organisationOperations.listSystemRoles, {
    summary: 'List the roles of the system',
  }),
  list: defineRoute('GET', roles, 'user', organisationOperations.listRoles, {
    summary: 'List the roles of the system and of the organisation',
  }),
  create: defineRoute('POST', roles, 'user', organisationOperations.createRole, {
    summary: 'Create a role',
    description: 'A role can have only permissions that you have yourself.',
  }),
  get: defineRoute('GET', `${roles}/{roleId}`, 'user', organisationOperations.getRole, { summary: 'Get a role' }),
  update: defineRoute('PATCH', `${roles}/{roleId}`, 'user', organisationOperations.updateRole, {
    summary: 'Change a role',
    description:
      'The change affects everyone with the role at once. Their tokens are refused until they are refreshed.',
  }),
  remove: defineRoute('DELETE', `${roles}/{roleId}`, 'user', organisationOperations.removeRole, {
    summary: 'Delete a role that nobody has',
  }),
  listPermissions: defineRoute(
    'GET',
    `${roles}/permissions/available`,
    'user',
    organisationOperations.listPermissions,
    {
      summary: 'List all capabilities',
    },
  ),
}
