import type { Maker } from '../../kernel/callers.ts'
import type { Mode } from '../../kernel/tenant.ts'
import type { Vault } from '../../platform/secrets/secrets.ts'
import { signedText, signedWords } from '../../platform/secrets/signed-words.ts'
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

export const linkToken = (
  vault: Vault,
  { organisationId, mode, id, format, sha256, expiresAt, maker }: DownloadGrant,
): string =>
  signedText(vault, purpose, [organisationId, mode, id, format, sha256, expiresAt.getTime(), maker.kind, maker.id])

/** `undefined` if the signature is not ours. The caller checks the expiry. */
export function grantFrom(vault: Vault, token: string): DownloadGrant | undefined {
  const words = signedWords(vault, purpose, token) ?? []
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
