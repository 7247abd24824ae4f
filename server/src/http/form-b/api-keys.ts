import Type from 'typebox'
import type { ApiKeyId, RoleId } from '../../kernel/ids.ts'
import { capabilitiesOfKey, keyStatuses, type ShownKey } from '../../modules/api-keys/index.ts'
import { describeRoute, elsewhere } from '../definitions/describe-route.ts'
import {
  Fields,
  Instant,
  isoOrNull,
  List,
  Maybe,
  means,
  Named,
  OneOf,
  OrgId,
  PageQuery,
  pageFrom,
  Text,
  Uuid,
} from '../definitions/fields.ts'
import { apiKeyRoutes as routes } from '../routes/api-keys.ts'
import { OrgParams } from '../shared/members.ts'
import { meaningOf } from '../shared/value-meanings.ts'
import { fromModeName, ModeName, modeNames } from './mode-names.ts'

const RateLimitFields = Named(
  'RateLimit',
  {
    requestsPerMinute: Type.Optional(
      means(
        'Requests per minute that the key may send. Without it the limit of the service counts.',
        Type.Integer({ minimum: 1, maximum: 1_000_000 }),
      ),
    ),
    dailyQuota: Type.Optional(
      means(
        'Requests per day that the key may send. Without it there is no limit per day.',
        Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
      ),
    ),
  },
  { description: 'Limits of one API key. They count only where they are lower than the limits of the service.' },
)

const keyFields = {
  id: means('Unique identifier of the API key (UUIDv7).', Uuid),
  name: means('Name of the API key, as its maker chose it.', Type.String()),
  mode: means('Mode that the API key works in: `sandbox` or `production`. It never changes.', ModeName),
  status: means(meaningOf.keyStatuses, OneOf(...keyStatuses)),
  role: means(
    'Role of the key. Null if it was created in Form A with capabilities of its own.',
    Maybe(
      Fields({
        id: means('Unique identifier of the role.', Uuid),
        name: means('Name of the role for programs, such as `VIEWER`.', Type.String()),
      }),
    ),
  ),
  permissions: means('Names of the permissions that the key has.', List(Type.String())),
  rateLimit: means('Limits of this key. Null if it has none of its own.', Maybe(RateLimitFields)),
  hint: means('Beginning and last four characters of the key, to tell keys apart.', Type.String()),
  createdBy: means('Unique identifier of the person who created the key. Null if Risiti did.', Maybe(Uuid)),
  createdAt: means('When the API key was created.', Instant),
  expiresAt: means('When the key stops working by itself. Null if it has no end.', Maybe(Instant)),
  stopsAt: means('When the key stops working because it was replaced. Null if it was not.', Maybe(Instant)),
  revokedAt: means('When the key was revoked. Null if it was not.', Maybe(Instant)),
  lastUsedAt: means('When the API key was last used. Null if it never was.', Maybe(Instant)),
}
const KeyView = Named('ApiKey', keyFields)
const NewKeyView = Named('ApiKeyWithSecret', {
  ...keyFields,
  key: Type.Optional(
    means(
      'The key itself, shown only in this reply. Absent if the request was a repeat with the same Idempotency-Key.',
      Type.String(),
    ),
  ),
  secretAlreadyShown: Type.Optional(
    means(
      'True if the request was a repeat with the same Idempotency-Key, so that the key is left out.',
      Type.Boolean(),
    ),
  ),
})

function toRateLimit({ requestsPerMinute, dailyQuota }: ShownKey) {
  if (requestsPerMinute === null && dailyQuota === null) return null
  return {
    ...(requestsPerMinute === null ? {} : { requestsPerMinute }),
    ...(dailyQuota === null ? {} : { dailyQuota }),
  }
}

const toView = (key: ShownKey) => ({
  id: key.id,
  name: key.name,
  mode: modeNames[key.mode],
  status: key.status,
  role: key.role && { id: key.role.id, name: key.role.name },
  permissions: [...capabilitiesOfKey(key)],
  rateLimit: toRateLimit(key),
  hint: key.hint,
  createdBy: key.createdBy,
  createdAt: key.createdAt.toISOString(),
  expiresAt: isoOrNull(key.expiresAt),
  stopsAt: isoOrNull(key.stopsAt),
  revokedAt: isoOrNull(key.revokedAt),
  lastUsedAt: isoOrNull(key.lastUsedAt),
})

const withoutKey = <V extends { key?: string }>({ key: _, ...view }: V) => ({ ...view, secretAlreadyShown: true })

const OneParams = Fields({ orgId: OrgId, id: means('Unique identifier of the API key.', Uuid) })
const ofKey = { status: 200, params: OneParams, reply: KeyView, encode: toView } as const

export const apiKeys = {
  list: describeRoute(routes.list, {
    status: 200,
    params: OrgParams,
    query: Fields({
      ...PageQuery(),
      status: Type.Optional(
        means('Return only keys with this status. `ApiKey.status` explains the values.', OneOf(...keyStatuses)),
      ),
      mode: Type.Optional(means('Return only keys of this mode: `sandbox` or `production`.', ModeName)),
    }),
    reply: List(KeyView),
    decode: ({ query }) => ({
      filter: { status: query.status, mode: query.mode && fromModeName(query.mode) },
      page: pageFrom(query),
    }),
    encode: ({ rows }) => rows.map(toView),
    pagination: (page) => page,
  }),
  create: describeRoute(routes.create, {
    status: 201,
    params: OrgParams,
    body: Named('NewApiKey', {
      mode: means('Mode that the API key works in: `sandbox` or `production`. It cannot be changed later.', ModeName),
      name: Type.Optional(means('Name of the API key. If you leave it out, the mode followed by `key`.', Text(1, 100))),
      roleId: Type.Optional(means('Unique identifier of the role of the key. `VIEWER` if you leave it out.', Uuid)),
      expiresAt: Type.Optional(
        means('When the key stops working by itself. It has no end if you leave it out.', Instant),
      ),
      rateLimit: Type.Optional(
        means('Limits of this key, where they should be lower than those of the service.', RateLimitFields),
      ),
    }),
    reply: NewKeyView,
    decode: ({ body }) => ({
      name: body.name ?? `${body.mode} key`,
      mode: fromModeName(body.mode),
      grant: { kind: 'role' as const, roleId: body.roleId as RoleId | undefined },
      expiresAt: body.expiresAt === undefined ? undefined : new Date(body.expiresAt),
      requestsPerMinute: body.rateLimit?.requestsPerMinute,
      dailyQuota: body.rateLimit?.dailyQuota,
    }),
    encode: ({ key, ...made }) => ({ ...toView(made), key }),
    withoutSecret: withoutKey,
    location: ({ id }) => `/a/v1/organizations/me/api-keys/${id}`,
  }),
  get: describeRoute(routes.get, { ...ofKey, decode: ({ params }) => ({ id: params.id as ApiKeyId }) }),
  rename: describeRoute(routes.rename, {
    ...ofKey,
    body: Fields({ name: means('New name of the API key.', Text(1, 100)) }),
    decode: ({ params, body }) => ({ id: params.id as ApiKeyId, name: body.name }),
  }),
  replaceCapabilities: elsewhere,
  changeRole: describeRoute(routes.changeRole, {
    ...ofKey,
    body: Fields({ roleId: means('Unique identifier of the new role.', Uuid) }),
    decode: ({ params, body }) => ({ id: params.id as ApiKeyId, roleId: body.roleId as RoleId }),
  }),
  getPermissions: describeRoute(routes.getPermissions, {
    status: 200,
    params: OneParams,
    reply: Named('ApiKeyPermissions', {
      id: means('Unique identifier of the API key.', Uuid),
      role: means('Name of the role of the key. Null if it has capabilities of its own.', Maybe(Type.String())),
      permissions: means('Names of the permissions that the key has.', List(Type.String())),
      grantable: means('Names of the permissions that you could give to the key.', List(Type.String())),
    }),
    decode: ({ params }) => ({ id: params.id as ApiKeyId }),
    encode: ({ key, capabilities, grantable }) => ({
      id: key.id,
      role: key.role?.name ?? null,
      permissions: [...capabilities],
      grantable,
    }),
  }),
  revoke: describeRoute(routes.revoke, { ...ofKey, decode: ({ params }) => ({ id: params.id as ApiKeyId }) }),
  rotate: describeRoute(routes.rotate, {
    status: 200,
    params: OneParams,
    body: Fields({
      gracePeriodSeconds: Type.Optional(
        means(
          'Seconds that the old key goes on working, 604800 (a week) at most. The setting of the service if you leave it out.',
          Type.Integer({ minimum: 0, maximum: 604_800 }),
        ),
      ),
    }),
    reply: Named('RotatedApiKey', {
      previous: means('The old key, with the time when it stops working.', KeyView),
      current: means('The new key, with its text.', NewKeyView),
    }),
    decode: ({ params, body }) => ({ id: params.id as ApiKeyId, graceSeconds: body.gracePeriodSeconds }),
    encode: ({ previous, current: { key, ...current } }) => ({
      previous: toView(previous),
      current: { ...toView(current), key },
    }),
    withoutSecret: ({ previous, current }) => ({ previous, current: withoutKey(current) }),
  }),
}
