import Type from 'typebox'
import type { RoleId } from '../../kernel/ids.ts'
import type { Role } from '../../modules/organisations/index.ts'
import { describeRoute, elsewhere } from '../definitions/describe-route.ts'
import { Fields, List, means, Named, OrgId, Prose, Text, Uuid } from '../definitions/fields.ts'
import { roleRoutes as routes } from '../routes/roles.ts'
import { OrgParams } from '../shared/members.ts'
import { listPermissionsRoute } from '../shared/roles.ts'
import { PermissionList, readPermissions } from './permissions.ts'

const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[a-z][a-z0-9]*(-[a-z0-9]+)*$',
  explanation: 'must be lower-case letters and digits, with hyphens between',
})

const roleFields = {
  id: means('Unique identifier of the role (UUIDv7).', Uuid),
  name: means('Name of the role for programs, such as `ADMIN`.', Type.String()),
  displayName: means('Name of the role for people, such as `Admin`.', Type.String()),
  description: means('What the role is for, in a sentence. Empty if nobody wrote one.', Type.String()),
  permissions: means('Names of the permissions that the role gives.', List(Type.String())),
  isSystem: means('True for a role of the system, which nobody can change.', Type.Boolean()),
}
const RoleView = Named('Role', roleFields)
const toView = ({ id, name, label, description, system, capabilities }: Role) => ({
  id,
  name,
  displayName: label,
  description,
  permissions: [...capabilities],
  isSystem: system,
})

const OneParams = Fields({ orgId: OrgId, roleId: means('Unique identifier of the role.', Uuid) })

/** The role routes of this form refuse without a code. */
export const roles = {
  listSystem: elsewhere,
  list: describeRoute(routes.list, {
    status: 200,
    params: OrgParams,
    reply: List(RoleView),
    decode: () => undefined,
    encode: (list) => list.map(toView),
    pagination: (list) => ({ page: 1, limit: list.length, total: list.length }),
    codeless: true,
  }),
  create: describeRoute(routes.create, {
    status: 201,
    params: OrgParams,
    body: Fields({
      name: means('Name of the role for programs, unique in the organisation.', Name),
      displayName: means('Name of the role for people.', Text(1, 100)),
      description: Type.Optional(means('What the role is for, in a sentence.', Prose(0, 500))),
      permissions: means(
        'Names of the permissions that the role gives. You can give only those that you have.',
        PermissionList,
      ),
    }),
    reply: RoleView,
    decode: ({ body }) => ({
      name: body.name,
      label: body.displayName,
      description: body.description ?? '',
      capabilities: readPermissions(body.permissions),
    }),
    encode: toView,
    location: ({ id }) => `/a/v1/organizations/me/roles/${id}`,
    codeless: true,
  }),
  get: describeRoute(routes.get, {
    status: 200,
    params: OneParams,
    reply: Named('RoleInUse', {
      ...roleFields,
      userCount: means('Number of members who have the role.', Type.Integer()),
      apiKeyCount: means('Number of API keys that have the role.', Type.Integer()),
    }),
    decode: ({ params }) => ({ id: params.roleId as RoleId }),
    encode: ({ use, ...role }) => ({ ...toView(role), userCount: use.users, apiKeyCount: use.keys }),
    codeless: true,
  }),
  update: describeRoute(routes.update, {
    status: 200,
    params: OneParams,
    body: Fields({
      name: Type.Optional(means('New name of the role for programs, unique in the organisation.', Name)),
      displayName: Type.Optional(means('New name of the role for people.', Text(1, 100))),
      description: Type.Optional(means('What the role is for, in a sentence.', Prose(0, 500))),
      permissions: Type.Optional(
        means(
          'Names of all permissions that the role gives from now on. You can add only those that you have.',
          PermissionList,
        ),
      ),
    }),
    reply: RoleView,
    decode: ({ params, body: { name, displayName, description, permissions } }) => ({
      id: params.roleId as RoleId,
      change: {
        ...(name === undefined ? {} : { name }),
        ...(displayName === undefined ? {} : { label: displayName }),
        ...(description === undefined ? {} : { description }),
        ...(permissions === undefined ? {} : { capabilities: readPermissions(permissions) }),
      },
    }),
    encode: toView,
    codeless: true,
  }),
  remove: describeRoute(routes.remove, {
    status: 200,
    params: OneParams,
    reply: Fields({
      id: means('Unique identifier of the role that was deleted.', Uuid),
      deleted: means('Always true. The role no longer exists.', Type.Boolean()),
    }),
    decode: ({ params }) => ({ id: params.roleId as RoleId }),
    encode: (done) => done,
    codeless: true,
  }),
  listPermissions: listPermissionsRoute({ codeless: true }),
}
