import Type from 'typebox'
import { systemRole, systemRoleNames } from '../../kernel/roles.ts'
import type { Member } from '../../modules/organisations/index.ts'
import { describeRoute, elsewhere } from '../definitions/describe-route.ts'
import {
  Fields,
  List,
  Maybe,
  means,
  Named,
  OneOf,
  PageQuery,
  Prose,
  pageFrom,
  Text,
  Uuid,
  userFrom,
} from '../definitions/fields.ts'
import { memberRoutes as routes } from '../routes/members.ts'
import {
  GoingQuery,
  goingMembers,
  keysLeft,
  MemberParams,
  memberFields,
  OrgParams,
  sharedMembers,
  toMemberFields,
} from '../shared/members.ts'
import { systemRoleFrom } from './system-role.ts'

const view = {
  ...memberFields,
  phone: means('Telephone number of the person (E.164). Null if none is known.', Maybe(Type.String())),
  capabilities: means('Everything that the person may do, by name, from the role and beside it.', List(Type.String())),
}
const MemberView = Named('Member', view)
const left = keysLeft({ sandbox: 'sandbox', live: 'live' })
const StatusView = Named('MemberWithKeys', {
  ...view,
  apiKeys: means('API keys that the person made. They go on working unless `revokeKeys` was set.', left.reply),
})
const toView = (member: Member) => ({
  ...toMemberFields(member),
  phone: member.phone,
  capabilities: [...new Set([...member.role.capabilities, ...member.extraCapabilities])].sort(),
})

export const members = {
  ...sharedMembers,
  ...goingMembers(left),
  list: describeRoute(routes.list, {
    status: 200,
    params: OrgParams,
    query: Fields({
      ...PageQuery(),
      status: Type.Optional(means('Return only `active` or only `suspended` members.', OneOf('active', 'suspended'))),
      role: Type.Optional(means('Return only members with this role.', OneOf(...systemRoleNames))),
      search: Type.Optional(
        means('Return only members whose name or email address begins with this text.', Text(1, 100)),
      ),
    }),
    reply: List(MemberView),
    decode: ({ query }) => ({
      filter: { status: query.status, roleId: query.role && systemRole(query.role).id, search: query.search },
      page: pageFrom(query),
    }),
    encode: ({ rows }) => rows.map(toView),
    pagination: (page) => page,
  }),
  get: describeRoute(routes.get, {
    status: 200,
    params: MemberParams,
    reply: MemberView,
    decode: ({ params, caller }) => ({ userId: userFrom(params.userId, caller) }),
    encode: toView,
  }),
  changeRole: describeRoute(routes.changeRole, {
    status: 200,
    params: MemberParams,
    body: Fields({ roleId: means('Unique identifier of the new role. It must be a role of the system.', Uuid) }),
    reply: MemberView,
    decode: ({ params, body, caller }) => ({
      userId: userFrom(params.userId, caller),
      roleId: systemRoleFrom(body.roleId),
    }),
    encode: toView,
  }),
  changeStatus: describeRoute(routes.changeStatus, {
    status: 200,
    params: MemberParams,
    body: Fields({
      status: means(
        'New status: `suspended` keeps the member out, `active` lets the member in again.',
        OneOf('active', 'suspended'),
      ),
      reason: Type.Optional(means('Why you change the status. It is kept in the audit log.', Prose(1, 500))),
    }),
    query: GoingQuery,
    reply: StatusView,
    decode: ({ params, query, body, caller }) => ({
      userId: userFrom(params.userId, caller),
      status: body.status,
      reason: body.reason,
      revokeKeys: query.revokeKeys ?? false,
    }),
    encode: ({ member, apiKeys }) => ({ ...toView(member), apiKeys: left.encode(apiKeys) }),
  }),
  update: elsewhere,
  getPermissions: elsewhere,
  grantPermissions: elsewhere,
  withdrawPermissions: elsewhere,
  sendPhoneCode: elsewhere,
  verifyPhone: elsewhere,
}
