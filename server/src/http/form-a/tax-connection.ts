import Type from 'typebox'
import { type ConnectionView, publicJwkOf } from '../../modules/tax-connection/index.ts'
import {
  ConnectionStatusField,
  CredentialsFields,
  exampleBusinessId,
  exampleServiceId,
  problemOf,
  statusOf,
} from '../both/tax-connection.ts'
import { taxConnectionEndpoints as endpoints } from '../endpoints/tax-connection.ts'
import { Fields, Instant, isoOrNull, Maybe, Named, OneOf, Prose, Text, Uuid } from '../fields.ts'
import { elsewhere, speak } from '../speak.ts'

const consentVersion = '2026-11'
/** What one looks like is its country's matter. */
const ServiceId = Type.String({ ...Text(1, 64), examples: [exampleServiceId] })
const BusinessId = Type.String({ format: 'uuid', examples: [exampleBusinessId] })

const View = Named('TaxConnection', {
  status: ConnectionStatusField,
  problem: Type.Union([Type.String(), Type.Null()], { description: 'why it is pending, and what to do' }),
  authorityIdentifiers: Maybe(Fields({ businessId: Uuid, serviceId: Type.String() })),
  businessName: Maybe(Type.String()),
  taxId: Type.Union([Type.String(), Type.Null()], { description: 'of the business, as the authority has it' }),
  numberTemplate: Maybe(Type.String()),
  hasOwnCredentials: Type.Boolean(),
  keyFile: Maybe(Fields({ fingerprint: Type.String(), storedAt: Instant })),
  consent: Maybe(
    Fields({
      textVersion: Type.String({ description: 'the current one, to be sent with `accepted: true`' }),
      text: Type.String(),
      acceptedVersion: Maybe(Type.String()),
      acceptedAt: Maybe(Instant),
    }),
  ),
  connectedAt: Maybe(Instant),
  checkedAt: Maybe(Instant),
  revokedAt: Maybe(Instant),
  revokedReason: Maybe(Type.String()),
})

function toView(view: ConnectionView) {
  const { connection: c, consent, taxId } = view
  return {
    status: statusOf(view),
    problem: problemOf(view),
    authorityIdentifiers: c ? { businessId: c.businessId, serviceId: c.serviceId } : null,
    businessName: c?.businessName ?? null,
    taxId,
    numberTemplate: c?.numberTemplate ?? null,
    hasOwnCredentials: (c?.sealedCredentials ?? null) !== null,
    keyFile: c?.keyFileAt ? { fingerprint: c.keyFileFingerprint as string, storedAt: c.keyFileAt.toISOString() } : null,
    consent: consent
      ? { ...consent, acceptedVersion: c?.consentVersion ?? null, acceptedAt: isoOrNull(c?.consentedAt ?? null) }
      : null,
    connectedAt: isoOrNull(c?.connectedAt ?? null),
    checkedAt: isoOrNull(c?.checkedAt ?? null),
    revokedAt: isoOrNull(c?.revokedAt ?? null),
    revokedReason: c?.revokedReason ?? null,
  }
}

const shown = { status: 200, reply: View, encode: toView } as const

const hasTaxId = (body: unknown): boolean => typeof body === 'object' && body !== null && Object.hasOwn(body, 'taxId')

export const taxConnection = {
  get: speak(endpoints.get, { ...shown, decode: () => undefined }),
  connect: speak(endpoints.connect, {
    ...shown,
    status: 201,
    body: Named('NewTaxConnection', {
      taxId: Type.Optional(Type.Unknown({ deprecated: true, description: 'refused: the authority’s record tells it' })),
      authorityIdentifiers: Fields({ businessId: BusinessId, serviceId: ServiceId }),
      consent: Fields({
        accepted: Type.Literal(true),
        textVersion: Type.String({ ...Text(1, 50), examples: [consentVersion] }),
      }),
      credentials: Type.Optional(CredentialsFields),
    }),
    checkBody: (body) =>
      hasTaxId(body)
        ? [
            {
              path: 'taxId',
              rule: 'deprecated',
              message: 'is not taken any more: the authority’s record of the business tells it; leave it out',
            },
          ]
        : [],
    decode: ({ body: { authorityIdentifiers, consent, credentials } }) => ({
      ...authorityIdentifiers,
      consentVersion: consent.textVersion,
      numberTemplate: null,
      credentials: credentials ?? null,
    }),
    location: () => '/i/v1/tax-connection',
    fieldNames: { serviceId: 'authorityIdentifiers.serviceId', consentVersion: 'consent.textVersion' },
  }),
  replace: elsewhere,
  revoke: speak(endpoints.revoke, {
    ...shown,
    body: Fields({ reason: Type.Optional(Prose(1, 500)) }),
    decode: ({ body }) => ({ reason: body.reason ?? null }),
  }),
  refresh: speak(endpoints.refresh, { ...shown, decode: () => undefined }),
  getTransportKey: speak(endpoints.getTransportKey, {
    status: 200,
    reply: Named('TransportKey', {
      keyId: Type.String(),
      algorithm: OneOf('RSA-OAEP-256'),
      encryption: OneOf('A256GCM'),
      publicKeyPem: Type.String(),
      jwk: Fields({
        kty: Type.String(),
        n: Type.String(),
        e: Type.String(),
        kid: Type.String(),
        alg: OneOf('RSA-OAEP-256'),
        use: OneOf('enc'),
      }),
      createdAt: Instant,
    }),
    decode: () => undefined,
    encode: ({ keyId, publicKeyPem, createdAt }) => ({
      keyId,
      algorithm: 'RSA-OAEP-256' as const,
      encryption: 'A256GCM' as const,
      publicKeyPem,
      jwk: { ...publicJwkOf(publicKeyPem), kid: keyId, alg: 'RSA-OAEP-256' as const, use: 'enc' as const },
      createdAt: createdAt.toISOString(),
    }),
  }),
  storeKeyFile: speak(endpoints.storeKeyFile, {
    ...shown,
    body: Fields({
      envelope: Type.String({
        format: 'single-line',
        minLength: 1,
        maxLength: 16_384,
        description: 'JWE in the compact form',
        examples: ['eyJhbGciOiJSU0EtT0FFUC0yNTYiLCJlbmMiOiJBMjU2R0NNIn0.AbCd.EfGh.IjKl.MnOp'],
      }),
    }),
    decode: ({ body }) => body,
  }),
}
