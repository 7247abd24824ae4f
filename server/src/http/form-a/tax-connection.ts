import Type from 'typebox'
import { type ConnectionView, publicJwkOf } from '../../modules/tax-connection/index.ts'
import { describeRoute, elsewhere } from '../definitions/describe-route.ts'
import { Fields, Instant, isoOrNull, Maybe, means, Named, OneOf, Prose, Text, Uuid } from '../definitions/fields.ts'
import { taxConnectionRoutes as routes } from '../routes/tax-connection.ts'
import {
  ConnectionStatusField,
  CredentialsFields,
  exampleBusinessId,
  exampleServiceId,
  ProblemField,
  problemOf,
  statusOf,
} from '../shared/tax-connection.ts'

const consentVersion = '2026-11'
/** The country checks the format of a service id, not this schema. */
const ServiceId = Type.String({
  ...Text(1, 64),
  description: 'Service identifier that the authority gave the business, at most 64 characters.',
  examples: [exampleServiceId],
})
const BusinessId = Type.String({
  format: 'uuid',
  description: 'Identifier of the business at the authority (UUID).',
  examples: [exampleBusinessId],
})

const View = Named('TaxConnection', {
  status: ConnectionStatusField,
  problem: ProblemField,
  authorityIdentifiers: means(
    'Identifiers of the business at the authority. Null until you connect.',
    Maybe(
      Fields({
        businessId: means('Identifier of the business at the authority (UUID).', Uuid),
        serviceId: means('Service identifier of the business at the authority.', Type.String()),
      }),
    ),
  ),
  businessName: means(
    'Name of the business in the authority’s record. Null until the authority confirms the business.',
    Maybe(Type.String()),
  ),
  taxId: Type.Union([Type.String(), Type.Null()], {
    description:
      'Tax number of the business in the authority’s record. Null until the authority confirms the business.',
  }),
  numberTemplate: means(
    'Template of the authority references of your documents. Null until you connect.',
    Maybe(Type.String()),
  ),
  hasOwnCredentials: means(
    'Whether your own keys to the authority are used, not those of this installation.',
    Type.Boolean(),
  ),
  keyFile: means(
    'The stored key file. Null until you send one.',
    Maybe(
      Fields({
        fingerprint: means('Fingerprint of the key file, to compare files.', Type.String()),
        storedAt: means('When the key file was stored.', Instant),
      }),
    ),
  ),
  consent: means(
    'Consent to act for the business before the authority. Null if your country asks for none.',
    Maybe(
      Fields({
        textVersion: Type.String({
          description: 'Version of the current text. Send it with `accepted: true` to connect.',
        }),
        text: means('Text of the consent in its current version.', Type.String()),
        acceptedVersion: means('Version that was accepted. Null until one was.', Maybe(Type.String())),
        acceptedAt: means('When the consent was accepted. Null until it was.', Maybe(Instant)),
      }),
    ),
  ),
  connectedAt: means('When the connection was completed. Null until then.', Maybe(Instant)),
  checkedAt: means(
    'When the authority last answered about the business. Null before its first answer.',
    Maybe(Instant),
  ),
  revokedAt: means('When a user revoked the connection. Null unless it is revoked.', Maybe(Instant)),
  revokedReason: means('Reason that the user gave for revoking it. Null if none was given.', Maybe(Type.String())),
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
  get: describeRoute(routes.get, { ...shown, decode: () => undefined }),
  connect: describeRoute(routes.connect, {
    ...shown,
    status: 201,
    body: Named('NewTaxConnection', {
      taxId: Type.Optional(
        Type.Unknown({
          deprecated: true,
          description: 'Refused since the authority’s record gives the tax number. Leave it out.',
        }),
      ),
      authorityIdentifiers: means(
        'Identifiers of the business at the authority.',
        Fields({ businessId: BusinessId, serviceId: ServiceId }),
      ),
      consent: means(
        'Consent to act for the business before the authority.',
        Fields({
          accepted: means('Must be `true`: you accept the text on behalf of the business.', Type.Literal(true)),
          textVersion: Type.String({
            ...Text(1, 50),
            description: 'Version of the text that is accepted. It must be the current one.',
            examples: [consentVersion],
          }),
        }),
      ),
      credentials: means(
        'Your own keys to the authority. This installation’s keys are used if left out.',
        Type.Optional(CredentialsFields),
      ),
    }),
    checkBody: (body) =>
      hasTaxId(body)
        ? [
            {
              path: 'taxId',
              rule: 'deprecated',
              message: 'is no longer accepted, because the authority’s record of the business gives it; leave it out',
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
  revoke: describeRoute(routes.revoke, {
    ...shown,
    body: Fields({
      reason: means('Why you revoke the connection, at most 500 characters.', Type.Optional(Prose(1, 500))),
    }),
    decode: ({ body }) => ({ reason: body.reason ?? null }),
  }),
  refresh: describeRoute(routes.refresh, { ...shown, decode: () => undefined }),
  getTransportKey: describeRoute(routes.getTransportKey, {
    status: 200,
    reply: Named('TransportKey', {
      keyId: means('Identifier of the key: its JWK thumbprint (RFC 7638).', Type.String()),
      algorithm: means('JWE algorithm that encrypts the content key.', OneOf('RSA-OAEP-256')),
      encryption: means('JWE algorithm that encrypts the key file.', OneOf('A256GCM')),
      publicKeyPem: means('The public key in PEM format (SPKI).', Type.String()),
      jwk: means(
        'The same public key in JWK format (RFC 7517).',
        Fields({
          kty: means('Key type, which is `RSA`.', Type.String()),
          n: means('Modulus of the key, in base64url.', Type.String()),
          e: means('Exponent of the key, in base64url.', Type.String()),
          kid: means('Identifier of the key, the same as `keyId`.', Type.String()),
          alg: means('JWE algorithm of the key, the same as `algorithm`.', OneOf('RSA-OAEP-256')),
          use: means('Use of the key: `enc` stands for encryption.', OneOf('enc')),
        }),
      ),
      createdAt: means('When the key was created.', Instant),
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
  storeKeyFile: describeRoute(routes.storeKeyFile, {
    ...shown,
    body: Fields({
      envelope: Type.String({
        format: 'single-line',
        minLength: 1,
        maxLength: 16_384,
        description: 'The key file, encrypted as a JWE in compact form; at most 16,384 characters.',
        examples: ['eyJhbGciOiJSU0EtT0FFUC0yNTYiLCJlbmMiOiJBMjU2R0NNIn0.AbCd.EfGh.IjKl.MnOp'],
      }),
    }),
    decode: ({ body }) => body,
  }),
}
