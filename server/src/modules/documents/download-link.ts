import type { Maker } from '../../kernel/callers.ts'
import type { Mode } from '../../kernel/tenant.ts'
import type { Vault } from '../../platform/secrets/secrets.ts'
import type { DocumentRef } from './read-document.ts'
import type { DocumentFormat } from './rendering.ts'

/** What a link grants: the file, its expiry, its fingerprint and its creator. */
export interface DownloadGrant extends DocumentRef {
  readonly format: DocumentFormat
  readonly sha256: string
  readonly expiresAt: Date
  readonly maker: Maker
}

const purpose = 'download link'

/** A signed grant as text: no character can be changed. */
export function linkToken(
  vault: Vault,
  { organisationId, mode, id, format, sha256, expiresAt, maker }: DownloadGrant,
): string {
  const words = [organisationId, mode, id, format, sha256, expiresAt.getTime(), maker.kind, maker.id].join(' ')
  const encoded = Buffer.from(words).toString('base64url')
  return `${encoded}~${vault.mac(purpose, encoded)}`
}

/** `undefined` if the signature is not ours. The caller checks the expiry. */
export function grantFrom(vault: Vault, token: string): DownloadGrant | undefined {
  const [, encoded = '', mac = '', keyId = ''] = /^([\w-]+)~(([^~.]+)\.[\w-]+)$/.exec(token) ?? []
  if (!isSigned(vault, { keyId, mac, encoded })) return undefined
  const words = Buffer.from(encoded, 'base64url').toString().split(' ')
  const [organisationId, mode, id, format, sha256 = '', expires, makerKind, makerId] = words
  // Links of earlier versions name no creator and are invalid.
  if (makerId === undefined) return undefined
  // The signature is ours, so the format is known.
  return {
    organisationId: organisationId as DownloadGrant['organisationId'],
    mode: mode as Mode,
    id: id as DownloadGrant['id'],
    format: format as DocumentFormat,
    sha256,
    expiresAt: new Date(Number(expires)),
    maker: { kind: makerKind, id: makerId } as Maker,
  }
}

/** A signature by an unknown or deleted key is invalid. */
function isSigned(vault: Vault, { keyId, mac, encoded }: Record<'keyId' | 'mac' | 'encoded', string>): boolean {
  return vault.signingKey(keyId) !== undefined && vault.macMatches(mac, purpose, encoded)
}
