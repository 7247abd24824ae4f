import Type from 'typebox'
import type { RoleId } from '../../kernel/ids.ts'
import type { ChangedMember, Member } from '../../modules/organisations/index.ts'
import { describeRoute } from '../definitions/describe-route.ts'
import {
  Fields,
  List,
  Maybe,
  means,
  Named,
  OneOf,
  PageQuery,
  PersonName,
  Phone,
  Prose,
  pageFrom,
  Text,
  Uuid,
  userFrom,
} from '../definitions/fields.ts'
import { memberRoutes as routes } from '../routes/members.ts'
import {
  changedMemberFields,
  changedStatus,
  GoingQuery,
  goingMembers,
  keysLeft,
  MemberParams,
  memberFields,
  OrgParams,
  sharedMembers,
  toAwaited,
  toMemberFields,
} from '../shared/members.ts'
import { modeNames } from './mode-names.ts'
import { PermissionList, readPermissions } from './permissions.ts'

const fieldsOfMember = {
  ...memberFields,
  phoneNumber: means('Telephone number of the person (E.164). Null if none is known.', Maybe(Type.String())),
  phoneVerified: means('True once the person has entered the code that was sent to the number.', Type.Boolean()),
}
const MemberView = Named('Member', fieldsOfMember)
const ChangedView = Named('ChangedMember', { ...fieldsOfMember, ...changedMemberFields })
const left = keysLeft(modeNames)
const StatusView = Named('MemberWithKeys', {
  ...fieldsOfMember,
  apiKeys: means('API keys that the person made. They go on working unless `revokeKeys` was set.', left.reply),
})
const toView = (member: Member) => ({
  ...toMemberFields(member),
  phoneNumber: member.phone,
  phoneVerified: member.phoneVerified,
})

const toChanged = (changed: ChangedMember) => ({ ...toView(changed.member), ...toAwaited(changed) })

const PermissionsView = Named('MemberPermissions', {
  userId: means('Unique identifier of the person (UUIDv7).', Uuid),
  role: means('Name of the role of the person, such as `ADMIN`.', Type.String()),
  rolePermissions: means('Names of the permissions that the role gives.', List(Type.String())),
  customPermissions: means('Names of the permissions that the person has beside the role.', List(Type.String())),
  permissions: means('Everything that the person may do, by name, from the role and beside it.', List(Type.String())),
})
const toPermissions = ({ userId, role, extraCapabilities }: Member) => ({
  userId,
  role: role.name,
  rolePermissions: [...role.capabilities].sort(),
  customPermissions: [...extraCapabilities].sort(),
  permissions: [...new Set([...role.capabilities, ...extraCapabilities])].sort(),
})

const ofMember = { status: 200, params: MemberParams } as const

export const members = {
  ...sharedMembers,
  ...goingMembers(left),
  list: describeRoute(routes.list, {
    status: 200,
    params: OrgParams,
    query: Fields({
      ...PageQuery(),
      status: Type.Optional(
        means(
          'Return only members with this status: `active`, `suspended` or `deactivated`.',
          OneOf('active', 'suspended', 'deactivated'),
        ),
      ),
      roleId: Type.Optional(means('Return only members with this role.', Uuid)),
      search: Type.Optional(
        means('Return only members whose name or email address begins with this text.', Text(1, 100)),
      ),
    }),
    reply: List(MemberView),
    decode: ({ query }) => ({
      filter: { status: query.status, roleId: query.roleId as RoleId | undefined, search: query.search },
      page: pageFrom(query),
    }),
    encode: ({ rows }) => rows.map(toView),
    pagination: (page) => page,
  }),
  get: describeRoute(routes.get, {
    ...ofMember,
    reply: MemberView,
    decode: ({ params, caller }) => ({ userId: userFrom(params.userId, caller) }),
    encode: toView,
  }),
  update: describeRoute(routes.update, {
    ...changedStatus,
    params: MemberParams,
    body: Fields({
      firstName: Type.Optional(
        means('New first name of the person. It stays as it is if you leave it out.', PersonName(1, 100)),
      ),
      lastName: Type.Optional(
        means('New last name of the person. It stays as it is if you leave it out.', PersonName(1, 100)),
      ),
    }),
    reply: ChangedView,
    decode: ({ params, body, caller }) => ({ userId: userFrom(params.userId, caller), ...body }),
    encode: toChanged,
  }),
  changeRole: describeRoute(routes.changeRole, {
    ...ofMember,
    body: Fields({ roleId: means('Unique identifier of the new role.', Uuid) }),
    reply: MemberView,
    decode: ({ params, body, caller }) => ({
      userId: userFrom(params.userId, caller),
      roleId: body.roleId as RoleId,
    }),
    encode: toView,
  }),
  changeStatus: describeRoute(routes.changeStatus, {
    ...ofMember,
    body: Fields({
      status: means(
        'New status: `suspended` and `deactivated` keep the member out, `active` lets the member in again.',
        OneOf('active', 'suspended', 'deactivated'),
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
  getPermissions: describeRoute(routes.getPermissions, {
    ...ofMember,
    reply: PermissionsView,
    decode: ({ params, caller }) => ({ userId: userFrom(params.userId, caller) }),
    encode: toPermissions,
  }),
  grantPermissions: describeRoute(routes.grantPermissions, {
    ...ofMember,
    body: Fields({ permissions: means('Names of the permissions to give beside the role.', PermissionList) }),
    reply: PermissionsView,
    decode: ({ params, body, caller }) => ({
      userId: userFrom(params.userId, caller),
      permissions: readPermissions(body.permissions),
    }),
    encode: toPermissions,
  }),
  withdrawPermissions: describeRoute(routes.withdrawPermissions, {
    ...ofMember,
    body: Fields({
      permissions: means('Names of the permissions to take back. Those of the role stay.', PermissionList),
    }),
    reply: PermissionsView,
    decode: ({ params, body, caller }) => ({
      userId: userFrom(params.userId, caller),
      permissions: readPermissions(body.permissions),
    }),
    encode: toPermissions,
  }),
  sendPhoneCode: describeRoute(routes.sendPhoneCode, {
    ...ofMember,
    body: Fields({ phoneNumber: means('Telephone number to send the code to.', Phone) }),
    reply: Fields({ phoneNumber: means('Telephone number that the code was sent to (E.164).', Type.String()) }),
    decode: ({ params, body, caller }) => ({ userId: userFrom(params.userId, caller), phone: body.phoneNumber }),
    encode: ({ phone }) => ({ phoneNumber: phone }),
  }),
  verifyPhone: describeRoute(routes.verifyPhone, {
    ...changedStatus,
    params: MemberParams,
    body: Fields({
      phoneNumber: means('Telephone number that the code was sent to.', Phone),
      otp: means(
        'Six-digit code from the text message.',
        Type.String({ pattern: '^[0-9]{6}$', explanation: 'must be the six digits from the text message' }),
      ),
    }),
    reply: ChangedView,
    decode: ({ params, body, caller }) => ({
      userId: userFrom(params.userId, caller),
      phone: body.phoneNumber,
      code: body.otp,
    }),
    encode: toChanged,
  }),
}
