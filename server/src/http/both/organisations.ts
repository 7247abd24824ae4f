import Type from 'typebox'
import type { OrganisationId } from '../../kernel/ids.ts'
import { organisationEndpoints as endpoints } from '../endpoints/organisations.ts'
import {
  Country,
  Fields,
  Instant,
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
import { speak } from '../speak.ts'
import { Tokens, toTokens } from '../tokens.ts'

export const AddressView = Named('OrganizationAddress', {
  line1: Text(1, 200),
  line2: Type.Optional(Text(1, 200)),
  city: Text(1, 100),
  state: Text(1, 100),
  postalCode: Type.Optional(Text(1, 20)),
  country: Country,
})

const LogoView = Named(
  'Logo',
  {
    contentType: OneOf('image/png', 'image/jpeg'),
    base64: Type.String({ format: 'byte', description: 'the bytes of the picture' }),
  },
  { description: 'shown on documents; at most 200 kB and 4,000,000 pixels' },
)

const BankDetailsView = Named(
  'BankDetails',
  {
    bankName: Text(1, 100),
    accountName: Text(1, 100),
    accountNumber: Type.String({ pattern: '^[0-9A-Za-z]{4,34}$', explanation: 'must be 4 to 34 letters and digits' }),
  },
  { description: 'where the organisation wants to be paid; shown on documents' },
)

/** What documents show of the organisation; `null` where nothing is set, and to clear it. */
export const letterheadFields = { logo: Maybe(LogoView), bankDetails: Maybe(BankDetailsView) }
export const letterheadChanges = {
  logo: Type.Optional(letterheadFields.logo),
  bankDetails: Type.Optional(letterheadFields.bankDetails),
}

export const switchRoute = speak(endpoints.switch, {
  status: 200,
  body: Fields({ organizationId: Uuid, mode: Type.Optional(ModeField) }),
  reply: Tokens,
  decode: ({ body }) => ({ organisationId: body.organizationId as OrganisationId, mode: body.mode }),
  encode: toTokens,
})

const AuditEntry = Named('AuditEntry', {
  id: Uuid,
  type: Type.String(),
  version: Type.Integer(),
  actor: Fields({ type: OneOf('user', 'api_key', 'service', 'system'), id: Maybe(Uuid), name: Type.String() }),
  object: Fields({ type: Type.String(), id: Type.String(), version: Maybe(Type.Integer()) }),
  mode: Maybe(ModeField),
  data: Type.Record(Type.String(), Type.Unknown()),
  address: Type.String(),
  userAgent: Type.String(),
  requestId: Type.String(),
  createdAt: Instant,
})

export const auditLogRoute = speak(endpoints.auditLog, {
  status: 200,
  params: Fields({ orgId: OrgId }),
  query: Fields({
    ...PageQuery(),
    type: Type.Optional(Text(1, 100)),
    actorId: Type.Optional(Uuid),
    objectId: Type.Optional(Text(1, 100)),
    from: Type.Optional(Instant),
    to: Type.Optional(Instant),
  }),
  reply: List(AuditEntry),
  decode: ({ query }) => ({
    page: pageFrom(query),
    filter: {
      type: query.type,
      actorId: query.actorId,
      objectId: query.objectId,
      from: query.from === undefined ? undefined : new Date(query.from),
      to: query.to === undefined ? undefined : new Date(query.to),
    },
  }),
  encode: ({ rows }) =>
    rows.map(
      ({
        id,
        type,
        version,
        actorKind,
        actorId,
        actorName,
        objectId,
        objectVersion,
        mode,
        data,
        address,
        userAgent,
        requestId,
        createdAt,
      }) => ({
        id,
        type,
        version,
        actor: { type: actorKind, id: actorId, name: actorName },
        object: { type: type.split('.')[0] as string, id: objectId, version: objectVersion },
        mode,
        data: data as Record<string, unknown>,
        address,
        userAgent,
        requestId,
        createdAt: createdAt.toISOString(),
      }),
    ),
  pagination: (page) => page,
})
