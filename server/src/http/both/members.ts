import Type from 'typebox'
import type { UserId } from '../../kernel/ids.ts'
import type { Mode } from '../../kernel/tenant.ts'
import { keyStatuses, type ShownKey } from '../../modules/api-keys/index.ts'
import type { ChangedMember, Member } from '../../modules/organisations/index.ts'
import { memberEndpoints as endpoints } from '../endpoints/members.ts'
import {
  Email,
  Fields,
  Instant,
  isoOrNull,
  List,
  Maybe,
  Named,
  OneOf,
  OrgId,
  Secret,
  Text,
  UserRef,
  Uuid,
  userFrom,
} from '../fields.ts'
import { speak } from '../speak.ts'

export const OrgParams = Fields({ orgId: OrgId })
export const MemberParams = Fields({ orgId: OrgId, userId: UserRef })
export const RoleRef = Named('RoleRef', { id: Uuid, name: Type.String(), label: Type.String() })

/** What both forms tell of a member alike. */
export const memberFields = {
  id: Uuid,
  email: Type.String(),
  firstName: Type.String(),
  lastName: Type.String(),
  fullName: Type.String(),
  role: RoleRef,
  status: OneOf('active', 'suspended', 'deactivated'),
  emailVerified: Type.Boolean(),
  totpEnabled: Type.Boolean(),
  joinedAt: Instant,
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

/** A member after a change of what belongs to the person: done, or waiting for that person's word. */
export const changedMemberFields = {
  awaitingConfirmation: Type.Optional(
    Named('AwaitedChange', { what: OneOf('name', 'phone', 'second_factor'), expiresAt: Instant }),
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
    Type.Boolean({ default: false, description: 'revoke, in the same step, the API keys that they made' }),
  ),
})

/** The keys that somebody leaves behind; each form has its own word for a mode. */
export function keysLeft<Name extends string>(modeNames: Readonly<Record<Mode, Name>>) {
  const KeyView = Named('ApiKeyLeft', {
    id: Uuid,
    name: Type.String(),
    mode: OneOf(modeNames.sandbox, modeNames.live),
    status: OneOf(...keyStatuses),
    hint: Type.String(),
    createdAt: Instant,
    lastUsedAt: Maybe(Instant),
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

/** Removing somebody and leaving, in the words of a form. */
export const goingMembers = <Name extends string>(apiKeys: ReturnType<typeof keysLeft<Name>>) => ({
  remove: speak(endpoints.remove, {
    status: 200,
    params: MemberParams,
    query: GoingQuery,
    reply: Fields({ id: Uuid, removed: Type.Boolean(), apiKeys: apiKeys.reply }),
    decode: ({ params, query, caller }) => ({
      userId: userFrom(params.userId, caller),
      revokeKeys: query.revokeKeys ?? false,
    }),
    encode: ({ userId, removed, apiKeys: left }) => ({ id: userId, removed, apiKeys: apiKeys.encode(left) }),
  }),
  leave: speak(endpoints.leave, {
    status: 200,
    params: OrgParams,
    query: GoingQuery,
    reply: Fields({ organizationId: Uuid, left: Type.Boolean(), apiKeys: apiKeys.reply }),
    decode: ({ query }) => ({ revokeKeys: query.revokeKeys ?? false }),
    encode: ({ organisationId, left, apiKeys: keys }) => ({
      organizationId: organisationId,
      left,
      apiKeys: apiKeys.encode(keys),
    }),
  }),
})

/** The same words in both forms. */
export const sharedMembers = {
  transferOwnership: speak(endpoints.transferOwnership, {
    status: 200,
    params: OrgParams,
    body: Fields({
      toUserId: Uuid,
      password: Secret(1, 128),
      code: Type.Optional(Text(6, 16)),
      retainOwnership: Type.Optional(Type.Boolean({ default: false })),
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
  removeSecondFactor: speak(endpoints.removeSecondFactor, {
    ...changedStatus,
    params: MemberParams,
    reply: Fields({ ...memberFields, ...changedMemberFields }),
    decode: ({ params, caller }) => ({ userId: userFrom(params.userId, caller) }),
    encode: (changed) => ({ ...toMemberFields(changed.member), ...toAwaited(changed) }),
  }),
  confirmChange: speak(endpoints.confirmChange, {
    status: 200,
    body: Fields({ email: Email(), code: Text(12, 20) }),
    reply: Fields({
      what: OneOf('name', 'phone', 'second_factor'),
      organization: Fields({ id: Uuid, name: Type.String() }),
      confirmed: Type.Boolean(),
    }),
    decode: ({ body }) => body,
    encode: ({ what, organisation: { id, name } }) => ({ what, organization: { id, name }, confirmed: true }),
  }),
}
