import Type from 'typebox'
import type { ConnectionView } from '../../modules/tax-connection/index.ts'
import {
  ApiSecret,
  ConnectionStatusField,
  exampleBusinessId,
  exampleServiceId,
  problemOf,
  statusOf,
} from '../both/tax-connection.ts'
import { taxConnectionEndpoints as endpoints } from '../endpoints/tax-connection.ts'
import { Fields, Instant, isoOrNull, Maybe, Named, OrgId, Text, Uuid } from '../fields.ts'
import { elsewhere, speak } from '../speak.ts'

const registration = '/a/v1/organizations/{orgId}/tax-registration'

const View = Named('TaxConnection', {
  status: ConnectionStatusField,
  problem: Type.Union([Type.String(), Type.Null()], { description: 'why it is pending, and what to do' }),
  nrsBusinessId: Uuid,
  nrsServiceId: Type.String(),
  irnTemplate: Type.String(),
  hasOwnCredentials: Type.Boolean(),
  businessName: Maybe(Type.String()),
  taxNo: Maybe(Type.String()),
  connectedAt: Maybe(Instant),
  verifiedAt: Maybe(Instant),
  revokedAt: Maybe(Instant),
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

/** One without the other opens nothing. */
function halfOfKeys(body: unknown): readonly { path: string; rule: string; message: string }[] {
  const { nrsApiKey, nrsApiSecret } = (body ?? {}) as KeyFields
  const missing =
    nrsApiKey !== undefined && nrsApiSecret === undefined
      ? 'nrsApiSecret'
      : nrsApiKey === undefined && nrsApiSecret !== undefined
        ? 'nrsApiKey'
        : undefined
  return missing ? [{ path: missing, rule: 'required', message: 'belongs to the other key; send both or neither' }] : []
}

const credentialsIn = ({ nrsApiKey, nrsApiSecret }: KeyFields) =>
  nrsApiKey === undefined || nrsApiSecret === undefined ? null : { apiKey: nrsApiKey, apiSecret: nrsApiSecret }

export const taxConnection = {
  get: speak(endpoints.get, {
    ...shown,
    path: registration,
    reply: Maybe(View),
    decode: () => undefined,
    encode: (view) => (view.connection ? toView(view) : null),
  }),
  connect: elsewhere,
  replace: speak(endpoints.replace, {
    ...shown,
    body: Fields({
      nrsBusinessId: Type.String({ format: 'uuid', examples: [exampleBusinessId] }),
      nrsServiceId: Type.String({ ...Text(8, 8), examples: [exampleServiceId] }),
      irnTemplate: Type.Optional(
        Type.String({ ...Text(1, 200), examples: [`{{invoice_id}}-${exampleServiceId}-{{YYYYMMDD}}`] }),
      ),
      nrsApiKey: Type.Optional(ApiSecret(200)),
      nrsApiSecret: Type.Optional(ApiSecret(500)),
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
  revoke: speak(endpoints.revoke, {
    ...shown,
    method: 'POST',
    path: `${registration}/revoke`,
    decode: () => ({ reason: null }),
  }),
  refresh: elsewhere,
  getTransportKey: elsewhere,
  storeKeyFile: elsewhere,
}
