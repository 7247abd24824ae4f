import Type from 'typebox'
import { keyCapabilities } from '../../kernel/capabilities.ts'
import type { ApiKeyId } from '../../kernel/ids.ts'
import { capabilitiesOfKey, keyStatuses, presetNames, type ShownKey } from '../../modules/api-keys/index.ts'
import { OrgParams } from '../both/members.ts'
import { apiKeyEndpoints as endpoints } from '../endpoints/api-keys.ts'
import {
  Fields,
  Instant,
  isoOrNull,
  List,
  Maybe,
  ModeField,
  Named,
  OneOf,
  OrgId,
  PageQuery,
  pageFrom,
  Text,
  Uuid,
} from '../fields.ts'
import { elsewhere, speak } from '../speak.ts'

const keyFields = {
  id: Uuid,
  name: Type.String(),
  mode: ModeField,
  status: OneOf(...keyStatuses),
  preset: Maybe(Type.String()),
  role: Maybe(Type.String()),
  capabilities: List(Type.String()),
  hint: Type.String(),
  createdBy: Maybe(Uuid),
  createdAt: Instant,
  expiresAt: Maybe(Instant),
  stopsAt: Maybe(Instant),
  revokedAt: Maybe(Instant),
  lastUsedAt: Maybe(Instant),
}
const KeyView = Named('ApiKey', keyFields)
const secret = { key: Type.Optional(Type.String()), secretAlreadyShown: Type.Optional(Type.Boolean()) }
const NewKeyView = Named('ApiKeyWithSecret', { ...keyFields, ...secret })

const toView = (key: ShownKey) => ({
  id: key.id,
  name: key.name,
  mode: key.mode,
  status: key.status,
  preset: key.preset,
  role: key.role?.name ?? null,
  capabilities: [...capabilitiesOfKey(key)],
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
const Capabilities = Type.Array(OneOf(...keyCapabilities), { maxItems: 100 })

export const apiKeys = {
  list: speak(endpoints.list, {
    status: 200,
    params: OrgParams,
    query: Fields({ ...PageQuery(), status: Type.Optional(OneOf(...keyStatuses)), mode: Type.Optional(ModeField) }),
    reply: List(KeyView),
    decode: ({ query }) => ({ filter: { status: query.status, mode: query.mode }, page: pageFrom(query) }),
    encode: ({ rows }) => rows.map(toView),
    pagination: (page) => page,
  }),
  create: speak(endpoints.create, {
    status: 201,
    params: OrgParams,
    body: Named('NewApiKey', {
      name: Text(1, 100),
      mode: ModeField,
      preset: Type.Optional(OneOf(...presetNames)),
      capabilities: Type.Optional(Capabilities),
      expiresAt: Type.Optional(Instant),
    }),
    reply: NewKeyView,
    decode: ({ body }) => ({
      name: body.name,
      mode: body.mode,
      grant: { kind: 'capabilities' as const, preset: body.preset, capabilities: body.capabilities },
      expiresAt: body.expiresAt === undefined ? undefined : new Date(body.expiresAt),
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
  replaceCapabilities: speak(endpoints.replaceCapabilities, {
    ...ofKey,
    body: Fields({ capabilities: Capabilities }),
    decode: ({ params, body }) => ({ id: params.id as ApiKeyId, capabilities: body.capabilities }),
  }),
  changeRole: elsewhere,
  getPermissions: speak(endpoints.getPermissions, {
    status: 200,
    params: OneParams,
    reply: Named('ApiKeyCapabilities', { id: Uuid, capabilities: List(Type.String()), grantable: List(Type.String()) }),
    decode: ({ params }) => ({ id: params.id as ApiKeyId }),
    encode: ({ key, capabilities, grantable }) => ({ id: key.id, capabilities: [...capabilities], grantable }),
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
