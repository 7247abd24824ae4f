import Type from 'typebox'
import type { RoleId } from '../../kernel/ids.ts'
import type { Role } from '../../modules/organisations/index.ts'
import { describeRoute, elsewhere } from '../definitions/describe-route.ts'
import { Fields, List, means, Named, OrgId, Uuid } from '../definitions/fields.ts'
import { roleRoutes as routes } from '../routes/roles.ts'
import { OrgParams } from '../shared/members.ts'
import { listPermissionsRoute } from '../shared/roles.ts'

const RoleView = Named('Role', {
  id: means('Unique identifier of the role (UUIDv7).', Uuid),
  name: means('Name of the role for programs, such as `ADMIN`.', Type.String()),
  label: means('Name of the role for people, such as `Admin`.', Type.String()),
  description: means('What the role is for, in a sentence.', Type.String()),
  system: means('True for a role of the system, which nobody can change.', Type.Boolean()),
  capabilities: means('Names of the capabilities that the role gives.', List(Type.String())),
})
const toView = ({ id, name, label, description, system, capabilities }: Role) => ({
  id,
  name,
  label,
  description,
  system,
  capabilities: [...capabilities],
})

export const roles = {
  listSystem: describeRoute(routes.listSystem, {
    status: 200,
    params: OrgParams,
    reply: List(RoleView),
    decode: () => undefined,
    encode: (list) => list.map(toView),
    pagination: (list) => ({ page: 1, limit: list.length, total: list.length }),
  }),
  get: describeRoute(routes.get, {
    status: 200,
    params: Fields({ orgId: OrgId, roleId: means('Unique identifier of the role.', Uuid) }),
    reply: RoleView,
    decode: ({ params }) => ({ id: params.roleId as RoleId }),
    encode: toView,
  }),
  listPermissions: listPermissionsRoute({}),
  list: elsewhere,
  create: elsewhere,
  update: elsewhere,
  remove: elsewhere,
}
