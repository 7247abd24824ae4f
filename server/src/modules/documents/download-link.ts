import type { Maker } from '../../kernel/callers.ts'
import type { Mode } from '../../kernel/tenant.ts'
import type { Vault } from '../../platform/secrets/secrets.ts'
import type { DocumentRef } from './read-document.ts'
import type { DocumentFormat } from './rendering.ts'

/** What a link gives to whoever has it, until when, what it then must be, and who answers for it. */
export interface DownloadGrant extends DocumentRef {
  readonly format: DocumentFormat
  readonly sha256: string
  readonly expiresAt: Date
  readonly maker: Maker
}

const purpose = 'download link'

/** A grant as text of which no letter can be changed: what it says, and a signature over that as it is written. */
export function linkToken(
  vault: Vault,
  { organisationId, mode, id, format, sha256, expiresAt, maker }: DownloadGrant,
): string {
  const words = [organisationId, mode, id, format, sha256, expiresAt.getTime(), maker.kind, maker.id].join(' ')
  const encoded = Buffer.from(words).toString('base64url')
  return `${encoded}~${vault.mac(purpose, encoded)}`
}

/** Nothing when we did not sign it. Whether its time is over is for the caller to say. */
export function grantFrom(vault: Vault, token: string): DownloadGrant | undefined {
  const [, encoded = '', mac = '', keyId = ''] = /^([\w-]+)~(([^~.]+)\.[\w-]+)$/.exec(token) ?? []
  if (!isSigned(vault, { keyId, mac, encoded })) return undefined
  const words = Buffer.from(encoded, 'base64url').toString().split(' ')
  const [organisationId, mode, id, format, sha256 = '', expires, makerKind, makerId] = words
  // Links of before they named their maker: nobody answers for them.
  if (makerId === undefined) return undefined
  // What we signed is what we wrote.
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

/** A signature by a key that we do not have, or no longer, is none. */
function isSigned(vault: Vault, { keyId, mac, encoded }: Record<'keyId' | 'mac' | 'encoded', string>): boolean {
  return vault.signingKey(keyId) !== undefined && vault.macMatches(mac, purpose, encoded)
}
