import type { Vault } from '../../platform/secrets/secrets.ts'
import type { InvoiceId } from '../invoices/index.ts'
import type { DocumentRef } from './read-document.ts'
import { type DocumentFormat, documentFormats } from './rendering.ts'

/** What a link gives to whoever has it, until when, and what it then must be. */
export interface DownloadGrant extends DocumentRef {
  readonly format: DocumentFormat
  readonly sha256: string
  readonly expiresAt: Date
}

const purpose = 'download link'

/** A grant as text of which no letter can be changed: what it says, and a signature over that as it is written. */
export function linkToken(
  vault: Vault,
  { organisationId, mode, id, format, sha256, expiresAt }: DownloadGrant,
): string {
  const words = [organisationId, mode, id, format, sha256, expiresAt.getTime()].join(' ')
  const encoded = Buffer.from(words).toString('base64url')
  return `${encoded}~${vault.mac(purpose, encoded)}`
}

/** Nothing when we did not sign it. Whether its time is over is for the caller to say. */
export function grantFrom(vault: Vault, token: string): DownloadGrant | undefined {
  const [, encoded = '', mac = '', keyId = ''] = /^([\w-]+)~(([^~.]+)\.[\w-]+)$/.exec(token) ?? []
  if (!isSigned(vault, { keyId, mac, encoded })) return undefined
  const words = Buffer.from(encoded, 'base64url').toString()
  const [organisationId, mode, id, format, sha256, expires] = words.split(' ') as [
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  return {
    organisationId: organisationId as DownloadGrant['organisationId'],
    mode: mode as DownloadGrant['mode'],
    id: id as InvoiceId,
    format: documentFormats.find((known) => known === format) ?? 'pdf',
    sha256,
    expiresAt: new Date(Number(expires)),
  }
}

/** A signature by a key that we do not have, or no longer, is none. */
function isSigned(vault: Vault, { keyId, mac, encoded }: Record<'keyId' | 'mac' | 'encoded', string>): boolean {
  return vault.signingKey(keyId) !== undefined && vault.macMatches(mac, purpose, encoded)
}
