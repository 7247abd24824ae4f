import Type from 'typebox'
import type { ApiKeyId, RoleId } from '../../kernel/ids.ts'
import { capabilitiesOfKey, keyStatuses, type ShownKey } from '../../modules/api-keys/index.ts'
import { OrgParams } from '../both/members.ts'
import { apiKeyEndpoints as endpoints } from '../endpoints/api-keys.ts'
import {
  Fields,
  Instant,
  isoOrNull,
  List,
  Maybe,
  Named,
  OneOf,
  OrgId,
  PageQuery,
  pageFrom,
  Text,
  Uuid,
} from '../fields.ts'
import { elsewhere, speak } from '../speak.ts'
import { fromModeName, ModeName, modeNames } from './mode-names.ts'

const RateLimitFields = Named(
  'RateLimit',
  {
    requestsPerMinute: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    dailyQuota: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000 })),
  },
  { description: 'counts where it is lower than what the operator allows every key; it never lifts that' },
)

const keyFields = {
  id: Uuid,
  name: Type.String(),
  mode: ModeName,
  status: OneOf(...keyStatuses),
  role: Maybe(Fields({ id: Uuid, name: Type.String() })),
  permissions: List(Type.String()),
  rateLimit: Maybe(RateLimitFields),
  hint: Type.String(),
  createdBy: Maybe(Uuid),
  createdAt: Instant,
  expiresAt: Maybe(Instant),
  stopsAt: Maybe(Instant),
  revokedAt: Maybe(Instant),
  lastUsedAt: Maybe(Instant),
}
const KeyView = Named('ApiKey', keyFields)
const NewKeyView = Named('ApiKeyWithSecret', {
  ...keyFields,
  key: Type.Optional(Type.String()),
  secretAlreadyShown: Type.Optional(Type.Boolean()),
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

const OneParams = Fields({ orgId: OrgId, id: Uuid })
const ofKey = { status: 200, params: OneParams, reply: KeyView, encode: toView } as const

export const apiKeys = {
  list: speak(endpoints.list, {
    status: 200,
    params: OrgParams,
    query: Fields({ ...PageQuery(), status: Type.Optional(OneOf(...keyStatuses)), mode: Type.Optional(ModeName) }),
    reply: List(KeyView),
    decode: ({ query }) => ({
      filter: { status: query.status, mode: query.mode && fromModeName(query.mode) },
      page: pageFrom(query),
    }),
    encode: ({ rows }) => rows.map(toView),
    pagination: (page) => page,
  }),
  create: speak(endpoints.create, {
    status: 201,
    params: OrgParams,
    body: Named('NewApiKey', {
      mode: ModeName,
      name: Type.Optional(Text(1, 100)),
      roleId: Type.Optional(Uuid),
      expiresAt: Type.Optional(Instant),
      rateLimit: Type.Optional(RateLimitFields),
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
  get: speak(endpoints.get, { ...ofKey, decode: ({ params }) => ({ id: params.id as ApiKeyId }) }),
  rename: speak(endpoints.rename, {
    ...ofKey,
    body: Fields({ name: Text(1, 100) }),
    decode: ({ params, body }) => ({ id: params.id as ApiKeyId, name: body.name }),
  }),
  replaceCapabilities: elsewhere,
  changeRole: speak(endpoints.changeRole, {
    ...ofKey,
    body: Fields({ roleId: Uuid }),
    decode: ({ params, body }) => ({ id: params.id as ApiKeyId, roleId: body.roleId as RoleId }),
  }),
  getPermissions: speak(endpoints.getPermissions, {
    status: 200,
    params: OneParams,
    reply: Named('ApiKeyPermissions', {
      id: Uuid,
      role: Maybe(Type.String()),
      permissions: List(Type.String()),
      grantable: List(Type.String()),
    }),
    decode: ({ params }) => ({ id: params.id as ApiKeyId }),
    encode: ({ key, capabilities, grantable }) => ({
      id: key.id,
      role: key.role?.name ?? null,
      permissions: [...capabilities],
      grantable,
    }),
  }),
  revoke: speak(endpoints.revoke, { ...ofKey, decode: ({ params }) => ({ id: params.id as ApiKeyId }) }),
  rotate: speak(endpoints.rotate, {
    status: 200,
    params: OneParams,
    body: Fields({
      gracePeriodSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 604_800 })),
    }),
    reply: Named('RotatedApiKey', { previous: KeyView, current: NewKeyView }),
    decode: ({ params, body }) => ({ id: params.id as ApiKeyId, graceSeconds: body.gracePeriodSeconds }),
    encode: ({ previous, current: { key, ...current } }) => ({
      previous: toView(previous),
      current: { ...toView(current), key },
    }),
    withoutSecret: ({ previous, current }) => ({ previous, current: withoutKey(current) }),
  }),
}
