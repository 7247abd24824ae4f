import Type from 'typebox'
import type { OrganisationId } from '../../kernel/ids.ts'
import { describeRoute } from '../definitions/describe-route.ts'
import {
  Country,
  Fields,
  Instant,
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
import { Tokens, toTokens } from '../definitions/tokens.ts'
import { organisationRoutes as routes } from '../routes/organisations.ts'
import { toEventData } from './contract-words.ts'
import { meaningOf } from './value-meanings.ts'

export const AddressView = Named('OrganizationAddress', {
  line1: means('Street and house number.', Text(1, 200)),
  line2: Type.Optional(means('Second line, such as a floor or a building.', Text(1, 200))),
  city: means('City or town of the address.', Text(1, 100)),
  state: means('State or province of the address.', Text(1, 100)),
  postalCode: Type.Optional(means('Postal code of the address.', Text(1, 20))),
  country: means('Country of the address.', Country),
})

const LogoView = Named(
  'Logo',
  {
    contentType: means('Media type of the picture.', OneOf('image/png', 'image/jpeg')),
    base64: Type.String({ format: 'byte', description: 'Bytes of the picture, in Base64.' }),
  },
  { description: 'Picture that documents show. At most 200 kB and 4,000,000 pixels.' },
)

const BankDetailsView = Named(
  'BankDetails',
  {
    bankName: means('Name of the bank.', Text(1, 100)),
    accountName: means('Name of the account holder.', Text(1, 100)),
    accountNumber: means(
      'Number of the bank account.',
      Type.String({ pattern: '^[0-9A-Za-z]{4,34}$', explanation: 'must be 4 to 34 letters and digits' }),
    ),
  },
  { description: 'Bank account of the organisation that documents ask to pay to.' },
)

/** What documents show of the organisation. Null if nothing is set; sending null clears it. */
export const letterheadFields = {
  logo: means('Logo on the documents of the organisation. Null if there is none.', Maybe(LogoView)),
  bankDetails: means('Bank account that documents ask to pay to. Null if there is none.', Maybe(BankDetailsView)),
}
export const letterheadChanges = {
  logo: Type.Optional(
    means(
      'Logo on the documents of the organisation. Null if there is none; send null to remove it.',
      letterheadFields.logo,
    ),
  ),
  bankDetails: Type.Optional(
    means(
      'Bank account that documents ask to pay to. Null if there is none; send null to remove it.',
      letterheadFields.bankDetails,
    ),
  ),
}

export const switchRoute = describeRoute(routes.switch, {
  status: 200,
  body: Fields({
    organizationId: means('Unique identifier of the organisation to act for. You must be an active member.', Uuid),
    mode: Type.Optional(means('Mode to act in. The mode stays as it is if you leave it out.', ModeField)),
  }),
  reply: Tokens,
  decode: ({ body }) => ({ organisationId: body.organizationId as OrganisationId, mode: body.mode }),
  encode: toTokens,
})

const AuditEntry = Named('AuditEntry', {
  id: means('Unique identifier of the event (UUIDv7).', Uuid),
  type: means('Type of the event, such as `invoice.created`.', Type.String()),
  version: means('Version of the event type, from 1. It grows when the form of `data` changes.', Type.Integer()),
  actor: means(
    'Who did it: a person, an API key, or Risiti itself.',
    Fields({
      type: means(meaningOf.actors, OneOf('user', 'api_key', 'service', 'system')),
      id: means('Unique identifier of the person or the API key. Null for Risiti itself.', Maybe(Uuid)),
      name: means('Name of the actor when it happened.', Type.String()),
    }),
  ),
  object: means(
    'Object that the event is about, such as the invoice that was issued.',
    Fields({
      type: means('Kind of object, such as `invoice`.', Type.String()),
      id: means('Unique identifier of the object.', Type.String()),
      version: means(
        'Version of the object after the event. Null if the object has no versions.',
        Maybe(Type.Integer()),
      ),
    }),
  ),
  mode: means('Mode that it happened in. Null if it concerns the organisation as a whole.', Maybe(ModeField)),
  data: means('Payload of the event. Its fields depend on the type.', Type.Record(Type.String(), Type.Unknown())),
  address: means('IP address that the request came from. Empty if there was no request.', Type.String()),
  userAgent: means('Name of the program that sent the request. Empty if there was no request.', Type.String()),
  requestId: means('Id of the request, as `X-Request-Id` had it. Empty if there was no request.', Type.String()),
  createdAt: means('When the event happened.', Instant),
})

export const auditLogRoute = describeRoute(routes.auditLog, {
  status: 200,
  params: Fields({ orgId: OrgId }),
  query: Fields({
    ...PageQuery(),
    type: Type.Optional(means('Return only events of this type, or of a family such as `api_key.*`.', Text(1, 100))),
    actorId: Type.Optional(means('Return only events of this person or API key.', Uuid)),
    objectId: Type.Optional(means('Return only events that happened to this object.', Text(1, 100))),
    from: Type.Optional(means('Return only events at or after this time.', Instant)),
    to: Type.Optional(means('Return only events before this time.', Instant)),
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
        data: toEventData(data),
        address,
        userAgent,
        requestId,
        createdAt: createdAt.toISOString(),
      }),
    ),
  pagination: (page) => page,
})
