import Type from 'typebox'
import { keyCapabilities } from '../../kernel/capabilities.ts'
import type { ApiKeyId } from '../../kernel/ids.ts'
import { capabilitiesOfKey, keyStatuses, presetNames, type ShownKey } from '../../modules/api-keys/index.ts'
import { describeRoute, elsewhere } from '../definitions/describe-route.ts'
import {
  Fields,
  Instant,
  isoOrNull,
  List,
  Maybe,
  ModeField,
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

const keyFields = {
  id: means('Unique identifier of the API key (UUIDv7).', Uuid),
  name: means('Name of the API key, as its maker chose it.', Type.String()),
  mode: means('Mode that the API key works in. It never changes.', ModeField),
  status: means(meaningOf.keyStatuses, OneOf(...keyStatuses)),
  preset: means(
    'Named set of capabilities that the key was created with. Null if it was created with a list.',
    Maybe(Type.String()),
  ),
  role: means('Name of the role of the key, if it was created in Form B. Null otherwise.', Maybe(Type.String())),
  capabilities: means('Names of the capabilities that the key has.', List(Type.String())),
  hint: means('Beginning and last four characters of the key, to tell keys apart.', Type.String()),
  createdBy: means('Unique identifier of the person who created the key. Null if Risiti did.', Maybe(Uuid)),
  createdAt: means('When the API key was created.', Instant),
  expiresAt: means('When the key stops working by itself. Null if it has no end.', Maybe(Instant)),
  stopsAt: means('When the key stops working because it was replaced. Null if it was not.', Maybe(Instant)),
  revokedAt: means('When the key was revoked. Null if it was not.', Maybe(Instant)),
  lastUsedAt: means('When the API key was last used. Null if it never was.', Maybe(Instant)),
}
const KeyView = Named('ApiKey', keyFields)
const secret = {
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
}
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

const OneParams = Fields({ orgId: OrgId, id: means('Unique identifier of the API key.', Uuid) })
const ofKey = { status: 200, params: OneParams, reply: KeyView, encode: toView } as const
const Capabilities = Type.Array(OneOf(...keyCapabilities), { maxItems: 100 })

export const apiKeys = {
  list: describeRoute(routes.list, {
    status: 200,
    params: OrgParams,
    query: Fields({
      ...PageQuery(),
      status: Type.Optional(
        means('Return only keys with this status. `ApiKey.status` explains the values.', OneOf(...keyStatuses)),
      ),
      mode: Type.Optional(means('Return only keys of this mode.', ModeField)),
    }),
    reply: List(KeyView),
    decode: ({ query }) => ({ filter: { status: query.status, mode: query.mode }, page: pageFrom(query) }),
    encode: ({ rows }) => rows.map(toView),
    pagination: (page) => page,
  }),
  create: describeRoute(routes.create, {
    status: 201,
    params: OrgParams,
    body: Named('NewApiKey', {
      name: means('Name of the API key, to tell keys apart.', Text(1, 100)),
      mode: means('Mode that the API key works in. It cannot be changed later.', ModeField),
      preset: Type.Optional(
        means(
          'Named set of capabilities: reading (`read_only`), invoices and buyers too (`invoicing`), or everything that a key can do (`full_integration`).',
          OneOf(...presetNames),
        ),
      ),
      capabilities: Type.Optional(
        means(
          'Names of the capabilities that the key has, beside those of `preset`. Give at least one of the two.',
          Capabilities,
        ),
      ),
      expiresAt: Type.Optional(
        means('When the key stops working by itself. It has no end if you leave it out.', Instant),
      ),
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
  get: describeRoute(routes.get, { ...ofKey, decode: ({ params }) => ({ id: params.id as ApiKeyId }) }),
  rename: describeRoute(routes.rename, {
    ...ofKey,
    body: Fields({ name: means('New name of the API key.', Text(1, 100)) }),
    decode: ({ params, body }) => ({ id: params.id as ApiKeyId, name: body.name }),
  }),
  replaceCapabilities: describeRoute(routes.replaceCapabilities, {
    ...ofKey,
    body: Fields({ capabilities: means('Names of all capabilities that the key has from now on.', Capabilities) }),
    decode: ({ params, body }) => ({ id: params.id as ApiKeyId, capabilities: body.capabilities }),
  }),
  changeRole: elsewhere,
  getPermissions: describeRoute(routes.getPermissions, {
    status: 200,
    params: OneParams,
    reply: Named('ApiKeyCapabilities', {
      id: means('Unique identifier of the API key.', Uuid),
      capabilities: means('Names of the capabilities that the key has.', List(Type.String())),
      grantable: means('Names of the capabilities that you could give to the key.', List(Type.String())),
    }),
    decode: ({ params }) => ({ id: params.id as ApiKeyId }),
    encode: ({ key, capabilities, grantable }) => ({ id: key.id, capabilities: [...capabilities], grantable }),
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
