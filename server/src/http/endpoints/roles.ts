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
    summary: 'Roles of the system and their capabilities',
  }),
  list: endpoint('GET', roles, 'user', listRoles, { summary: 'Roles of the system and of the organisation' }),
  create: endpoint('POST', roles, 'user', createRole, {
    summary: 'Create a role',
    description: 'You can put into it only what you hold yourself.',
  }),
  get: endpoint('GET', `${roles}/{roleId}`, 'user', getRole, { summary: 'A role' }),
  update: endpoint('PATCH', `${roles}/{roleId}`, 'user', updateRole, {
    summary: 'Change a role',
    description: 'Everyone who holds it is affected at once; their tokens are refused until refreshed.',
  }),
  remove: endpoint('DELETE', `${roles}/{roleId}`, 'user', removeRole, { summary: 'Delete a role that nobody holds' }),
  listPermissions: endpoint('GET', `${roles}/permissions/available`, 'user', listPermissions, {
    summary: 'Every capability, and which a key may hold',
  }),
}
