import {
  createRole,
  getRole,
  listPermissions,
  listRoles,
  listSystemRoles,
  removeRole,
  updateRole,
} from '../../modules/organisations/index.ts'
import { endpoint } from '../endpoint.ts'

const roles = '/a/v1/organizations/{orgId}/roles'

export const roleEndpoints = {
  listSystem: endpoint('GET', roles, 'user', listSystemRoles, {
    summary: 'List the roles of the system',
  }),
  list: endpoint('GET', roles, 'user', listRoles, { summary: 'List the roles of the system and of the organisation' }),
  create: endpoint('POST', roles, 'user', createRole, {
    summary: 'Create a role',
    description: 'A role can have only permissions that you have yourself.',
  }),
  get: endpoint('GET', `${roles}/{roleId}`, 'user', getRole, { summary: 'Get a role' }),
  update: endpoint('PATCH', `${roles}/{roleId}`, 'user', updateRole, {
    summary: 'Change a role',
    description:
      'The change affects everyone with the role at once. Their tokens are refused until they are refreshed.',
  }),
  remove: endpoint('DELETE', `${roles}/{roleId}`, 'user', removeRole, { summary: 'Delete a role that nobody has' }),
  listPermissions: endpoint('GET', `${roles}/permissions/available`, 'user', listPermissions, {
    summary: 'List all capabilities',
  }),
}
