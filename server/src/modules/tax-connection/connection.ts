import type { CountryRecord } from '../../jurisdictions/port.ts'
import type { Id, UserId } from '../../kernel/ids.ts'
import type { SealedPlace, Vault } from '../../platform/secrets/secrets.ts'

export type ConnectionId = Id<'tax-connection'>
/** Without a row, the tenant is not connected. */
export const connectionStatuses = ['pending', 'connected', 'revoked'] as const
export type ConnectionStatus = (typeof connectionStatuses)[number]

export const connectionProblems = [
  /** The call to the authority has not ended yet. */
  'not_asked',
  'no_access',
  'no_answer',
  /** The organisation's own keys. */
  'keys_refused',
  'unknown_business',
  'other_service_id',
  /** The organisation must confirm its own number first. */
  'tax_number_unconfirmed',
  'other_tax_number',
  'other_name',
  'other_organisation',
  'key_file_missing',
] as const
export type ConnectionProblem = (typeof connectionProblems)[number]

/** Identifiers of a business at the authority. */
export interface AuthorityIdentifiers {
  readonly businessId: string
  readonly serviceId: string
}

/** A tenant's connection to the authority. Secrets are sealed: `credentialsOf` and `keyFileOf` open them. */
export interface Connection extends AuthorityIdentifiers {
  readonly id: ConnectionId
  readonly status: ConnectionStatus
  /** Template of the authority references of its documents. */
  readonly numberTemplate: string
  readonly businessName: string | null
  /** Tax number of the business in the authority's record. */
  readonly taxIdNormal: string | null
  readonly sealedCredentials: string | null
  readonly sealedKeyFile: string | null
  readonly keyFileFingerprint: string | null
  readonly keyFileAt: Date | null
  readonly consentVersion: string | null
  readonly consentedAt: Date | null
  readonly consentedBy: UserId | null
  readonly problem: ConnectionProblem | null
  readonly attemptId: string | null
  /** When the authority last answered about it. */
  readonly checkedAt: Date | null
  readonly connectedAt: Date | null
  readonly revokedAt: Date | null
  readonly revokedReason: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** Documents can be submitted only while this is true. */
export const isConnected = (connection: Connection | undefined): connection is Connection =>
  connection?.status === 'connected'

export const credentialsPlace = (id: string): SealedPlace => ({
  table: 'tax_connections',
  column: 'sealed_credentials',
  id,
})
export const keyFilePlace = (id: string): SealedPlace => ({ table: 'tax_connections', column: 'sealed_key_file', id })

export const sealCredentials = (vault: Vault, id: ConnectionId, credentials: CountryRecord): string =>
  vault.seal(JSON.stringify(credentials), credentialsPlace(id))

/** The organisation's own keys to the authority. Undefined if it uses the keys of this installation. */
export const credentialsOf = (
  vault: Vault,
  { id, sealedCredentials }: Pick<Connection, 'id' | 'sealedCredentials'>,
): CountryRecord | undefined =>
  sealedCredentials === null
    ? undefined
    : (JSON.parse(vault.open(sealedCredentials, credentialsPlace(id))) as CountryRecord)

/** The keys that stamp its documents. Undefined until the key file is stored. */
export const keyFileOf = (
  vault: Vault,
  { id, sealedKeyFile }: Pick<Connection, 'id' | 'sealedKeyFile'>,
): CountryRecord | undefined =>
  sealedKeyFile === null ? undefined : (JSON.parse(vault.open(sealedKeyFile, keyFilePlace(id))) as CountryRecord)

const explanations: Readonly<Record<ConnectionProblem, string>> = {
  not_asked: 'The tax authority has not answered yet. Refresh the connection in a few seconds.',
  no_access: 'This installation has no access to the tax authority in this mode. Ask its operator to set it up.',
  no_answer: 'The tax authority does not answer. Try again later.',
  keys_refused: 'The tax authority refuses your keys. Check the API key and its secret.',
  unknown_business: 'The tax authority has no business with this id. Check the business id.',
  other_service_id: 'The tax authority has another service id for this business. Check the service id.',
  tax_number_unconfirmed:
    'Your organisation’s tax number is not confirmed in live mode. Confirm it with verify-tax-number, then connect again.',
  other_tax_number:
    'The tax authority has another tax number for this business than your confirmed one. Check the business id.',
  other_name:
    'The tax authority has another name for this business than yours. Correct your organisation’s name, or check the business id.',
  other_organisation:
    'Another organisation is connected as this business or with its tax number. Ask its owner to revoke that connection, or ask the operator.',
  key_file_missing: 'The authority confirmed the business. Send its key file to complete the connection.',
}

export const explainProblem = (problem: ConnectionProblem): string => explanations[problem]
