import Type from 'typebox'
import type { ConnectionView } from '../../modules/tax-connection/index.ts'
import { describeRoute, elsewhere } from '../definitions/describe-route.ts'
import { Fields, Instant, isoOrNull, Maybe, means, Named, OrgId, Text, Uuid } from '../definitions/fields.ts'
import { taxConnectionRoutes as routes } from '../routes/tax-connection.ts'
import {
  ApiSecret,
  ConnectionStatusField,
  exampleBusinessId,
  exampleServiceId,
  ProblemField,
  problemOf,
  statusOf,
} from '../shared/tax-connection.ts'

const registration = '/a/v1/organizations/{orgId}/tax-registration'

const View = Named('TaxConnection', {
  status: ConnectionStatusField,
  problem: ProblemField,
  nrsBusinessId: means('Identifier of the business at the authority (UUID).', Uuid),
  nrsServiceId: means('Service identifier of the business at the authority, 8 characters.', Type.String()),
  irnTemplate: means('Template of the invoice reference numbers (IRN) of your documents.', Type.String()),
  hasOwnCredentials: means(
    'Whether your own keys to the authority are used, not those of this installation.',
    Type.Boolean(),
  ),
  businessName: means(
    'Name of the business in the authority’s record. Null until the authority confirms the business.',
    Maybe(Type.String()),
  ),
  taxNo: means(
    'Tax number of the business in the authority’s record. Null until the authority confirms the business.',
    Maybe(Type.String()),
  ),
  connectedAt: means('When the connection was completed. Null until then.', Maybe(Instant)),
  verifiedAt: means(
    'When the authority last answered about the business. Null before its first answer.',
    Maybe(Instant),
  ),
  revokedAt: means('When a user revoked the connection. Null unless it is revoked.', Maybe(Instant)),
})

function toView(view: ConnectionView) {
  const { connection: c, taxId } = view
  if (!c) throw new Error('there is no connection to show')
  return {
    status: statusOf(view),
    problem: problemOf(view),
    nrsBusinessId: c.businessId,
    nrsServiceId: c.serviceId,
    irnTemplate: c.numberTemplate,
    hasOwnCredentials: c.sealedCredentials !== null,
    businessName: c.businessName,
    taxNo: taxId,
    connectedAt: isoOrNull(c.connectedAt),
    verifiedAt: isoOrNull(c.checkedAt),
    revokedAt: isoOrNull(c.revokedAt),
  }
}

const shown = { status: 200, params: Fields({ orgId: OrgId }), reply: View, encode: toView } as const

interface KeyFields {
  readonly nrsApiKey?: string
  readonly nrsApiSecret?: string
}

/** A key works only with its secret. */
function halfOfKeys(body: unknown): readonly { path: string; rule: string; message: string }[] {
  const { nrsApiKey, nrsApiSecret } = (body ?? {}) as KeyFields
  const missing =
    nrsApiKey !== undefined && nrsApiSecret === undefined
      ? 'nrsApiSecret'
      : nrsApiKey === undefined && nrsApiSecret !== undefined
        ? 'nrsApiKey'
        : undefined
  return missing
    ? [{ path: missing, rule: 'required', message: 'is missing; send both nrsApiKey and nrsApiSecret, or neither' }]
    : []
}

const credentialsIn = ({ nrsApiKey, nrsApiSecret }: KeyFields) =>
  nrsApiKey === undefined || nrsApiSecret === undefined ? null : { apiKey: nrsApiKey, apiSecret: nrsApiSecret }

export const taxConnection = {
  get: describeRoute(routes.get, {
    ...shown,
    path: registration,
    reply: Maybe(View),
    decode: () => undefined,
    encode: (view) => (view.connection ? toView(view) : null),
  }),
  connect: elsewhere,
  replace: describeRoute(routes.replace, {
    ...shown,
    body: Fields({
      nrsBusinessId: Type.String({
        format: 'uuid',
        description: 'Identifier of the business at the authority (UUID).',
        examples: [exampleBusinessId],
      }),
      nrsServiceId: Type.String({
        ...Text(8, 8),
        description: 'Service identifier that the authority gave the business, 8 characters.',
        examples: [exampleServiceId],
      }),
      irnTemplate: Type.Optional(
        Type.String({
          ...Text(1, 200),
          description:
            'Template of the invoice reference numbers (IRN), at most 200 characters. The authority’s template if left out.',
          examples: [`{{invoice_id}}-${exampleServiceId}-{{YYYYMMDD}}`],
        }),
      ),
      nrsApiKey: means(
        'Your own API key to the authority, at most 200 characters. This installation’s keys are used if left out.',
        Type.Optional(ApiSecret(200)),
      ),
      nrsApiSecret: means(
        'Secret of `nrsApiKey`, at most 500 characters. Required with it.',
        Type.Optional(ApiSecret(500)),
      ),
    }),
    checkBody: halfOfKeys,
    decode: ({ body }) => ({
      businessId: body.nrsBusinessId,
      serviceId: body.nrsServiceId,
      consentVersion: null,
      numberTemplate: body.irnTemplate ?? null,
      credentials: credentialsIn(body),
    }),
    fieldNames: { serviceId: 'nrsServiceId', numberTemplate: 'irnTemplate' },
  }),
  revoke: describeRoute(routes.revoke, {
    ...shown,
    method: 'POST',
    path: `${registration}/revoke`,
    decode: () => ({ reason: null }),
  }),
  refresh: elsewhere,
  getTransportKey: elsewhere,
  storeKeyFile: elsewhere,
}
