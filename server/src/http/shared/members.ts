import Type from 'typebox'
import type { UserId } from '../../kernel/ids.ts'
import type { Mode } from '../../kernel/tenant.ts'
import { keyStatuses, type ShownKey } from '../../modules/api-keys/index.ts'
import type { ChangedMember, Member } from '../../modules/organisations/index.ts'
import { describeRoute } from '../definitions/describe-route.ts'
import {
  Email,
  Fields,
  Instant,
  isoOrNull,
  List,
  Maybe,
  means,
  Named,
  OneOf,
  OrgId,
  Secret,
  Text,
  UserRef,
  Uuid,
  userFrom,
} from '../definitions/fields.ts'
import { memberRoutes as routes } from '../routes/members.ts'
import { meaningOf } from './value-meanings.ts'

export const OrgParams = Fields({ orgId: OrgId })
export const MemberParams = Fields({ orgId: OrgId, userId: UserRef })
export const RoleRef = Named('RoleRef', {
  id: means('Unique identifier of the role (UUIDv7).', Uuid),
  name: means('Name of the role for programs, such as `ADMIN`.', Type.String()),
  label: means('Name of the role for people, such as `Admin`.', Type.String()),
})

/** Fields of a member that both forms share. */
export const memberFields = {
  id: means('Unique identifier of the person (UUIDv7).', Uuid),
  email: means('Email address that the person signs in with.', Type.String()),
  firstName: means('First name of the person.', Type.String()),
  lastName: means('Last name of the person.', Type.String()),
  fullName: means('First and last name, separated by a space.', Type.String()),
  role: means('Role of the person in the organisation.', RoleRef),
  status: means(`Status of the membership. ${meaningOf.memberStatuses}`, OneOf('active', 'suspended', 'deactivated')),
  emailVerified: means('True once the person has proved that the email address is theirs.', Type.Boolean()),
  totpEnabled: means('True if signing in asks for a code of an authenticator app.', Type.Boolean()),
  joinedAt: means('When the person joined the organisation.', Instant),
}

export const toMemberFields = ({
  userId,
  email,
  firstName,
  lastName,
  role,
  status,
  emailVerified,
  totpEnabled,
  joinedAt,
}: Member) => ({
  id: userId,
  email,
  firstName,
  lastName,
  fullName: `${firstName} ${lastName}`,
  role: { id: role.id, name: role.name, label: role.label },
  status,
  emailVerified,
  totpEnabled,
  joinedAt: joinedAt.toISOString(),
})

const MemberView = Named('NewOwner', memberFields)

/** Present while a change of the person waits for that person's confirmation. */
export const changedMemberFields = {
  awaitingConfirmation: means(
    'Change that waits for the member’s confirmation by mail. Absent if the change is done.',
    Type.Optional(
      Named('AwaitedChange', {
        what: means(
          `What is to change: ${meaningOf.memberChanges} of the member.`,
          OneOf('name', 'phone', 'second_factor'),
        ),
        expiresAt: means('When the code in the mail expires, 24 hours after the request.', Instant),
      }),
    ),
  ),
}

export const toAwaited = ({ awaited }: ChangedMember) =>
  awaited ? { awaitingConfirmation: { what: awaited.what, expiresAt: awaited.expiresAt.toISOString() } } : {}

export const changedStatus = {
  status: 200,
  otherStatuses: [202],
  statusOf: ({ awaited }: ChangedMember) => (awaited ? 202 : 200),
} as const

export const GoingQuery = Fields({
  revokeKeys: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Set to `true` to revoke the API keys that the person made, in the same step.',
    }),
  ),
})

/** Keys of a person who leaves. Each form has its own names of the modes. */
export function keysLeft<Name extends string>(modeNames: Readonly<Record<Mode, Name>>) {
  const KeyView = Named('ApiKeyLeft', {
    id: means('Unique identifier of the API key (UUIDv7).', Uuid),
    name: means('Name of the API key, as its maker chose it.', Type.String()),
    mode: means(
      `Mode that the API key works in: \`${modeNames.sandbox}\` or \`${modeNames.live}\`.`,
      OneOf(modeNames.sandbox, modeNames.live),
    ),
    status: means(meaningOf.keyStatusesLeft, OneOf(...keyStatuses)),
    hint: means('Beginning and last four characters of the key, to tell keys apart.', Type.String()),
    createdAt: means('When the API key was created.', Instant),
    lastUsedAt: means('When the API key was last used. Null if it never was.', Maybe(Instant)),
  })
  return {
    reply: List(KeyView),
    encode: (keys: readonly ShownKey[]) =>
      keys.map(({ id, name, mode, status, hint, createdAt, lastUsedAt }) => ({
        id,
        name,
        mode: modeNames[mode],
        status,
        hint,
        createdAt: createdAt.toISOString(),
        lastUsedAt: isoOrNull(lastUsedAt),
      })),
  }
}

/** Removing a member and leaving, with the mode names of a form. */
export const goingMembers = <Name extends string>(apiKeys: ReturnType<typeof keysLeft<Name>>) => ({
  remove: describeRoute(routes.remove, {
    status: 200,
    params: MemberParams,
    query: GoingQuery,
    reply: Fields({
      id: means('Unique identifier of the person who was removed.', Uuid),
      removed: means('Always true. The person is no longer a member.', Type.Boolean()),
      apiKeys: means('API keys that the person made. They go on working unless `revokeKeys` was set.', apiKeys.reply),
    }),
    decode: ({ params, query, caller }) => ({
      userId: userFrom(params.userId, caller),
      revokeKeys: query.revokeKeys ?? false,
    }),
    encode: ({ userId, removed, apiKeys: left }) => ({ id: userId, removed, apiKeys: apiKeys.encode(left) }),
  }),
  leave: describeRoute(routes.leave, {
    status: 200,
    params: OrgParams,
    query: GoingQuery,
    reply: Fields({
      organizationId: means('Unique identifier of the organisation that you left.', Uuid),
      left: means('Always true. You are no longer a member.', Type.Boolean()),
      apiKeys: means('API keys that you made. They go on working unless `revokeKeys` was set.', apiKeys.reply),
    }),
    decode: ({ query }) => ({ revokeKeys: query.revokeKeys ?? false }),
    encode: ({ organisationId, left, apiKeys: keys }) => ({
      organizationId: organisationId,
      left,
      apiKeys: apiKeys.encode(keys),
    }),
  }),
})

/** The same in both forms. */
export const sharedMembers = {
  transferOwnership: describeRoute(routes.transferOwnership, {
    status: 200,
    params: OrgParams,
    body: Fields({
      toUserId: means('Unique identifier of the member who becomes the owner.', Uuid),
      password: means('Current password of your account.', Secret(1, 128)),
      code: Type.Optional(
        means(
          'Code of the authenticator app, or a recovery code. Needed if your account has a second factor.',
          Text(6, 16),
        ),
      ),
      retainOwnership: Type.Optional(
        means(
          'Set to `true` to stay an owner beside the new one. `false` if you leave it out.',
          Type.Boolean({ default: false }),
        ),
      ),
    }),
    reply: MemberView,
    decode: ({ body }) => ({
      toUserId: body.toUserId as UserId,
      password: body.password,
      code: body.code,
      retainOwnership: body.retainOwnership ?? false,
    }),
    encode: toMemberFields,
  }),
  removeSecondFactor: describeRoute(routes.removeSecondFactor, {
    ...changedStatus,
    params: MemberParams,
    reply: Fields({ ...memberFields, ...changedMemberFields }),
    decode: ({ params, caller }) => ({ userId: userFrom(params.userId, caller) }),
    encode: (changed) => ({ ...toMemberFields(changed.member), ...toAwaited(changed) }),
  }),
  confirmChange: describeRoute(routes.confirmChange, {
    status: 200,
    body: Fields({
      email: means('Email address that the mail was sent to.', Email()),
      code: means('Code from the mail that asks you to confirm.', Text(12, 20)),
    }),
    reply: Fields({
      what: means(`What was changed: ${meaningOf.memberChanges}.`, OneOf('name', 'phone', 'second_factor')),
      organization: means(
        'Organisation that asked for the change.',
        Fields({
          id: means('Unique identifier of the organisation (UUIDv7).', Uuid),
          name: means('Name of the organisation.', Type.String()),
        }),
      ),
      confirmed: means('Always true. The change is done.', Type.Boolean()),
    }),
    decode: ({ body }) => body,
    encode: ({ what, organisation: { id, name } }) => ({ what, organization: { id, name }, confirmed: true }),
  }),
}
