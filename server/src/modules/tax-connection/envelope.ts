import { createPrivateKey } from 'node:crypto'
import { compactDecrypt, decodeProtectedHeader } from 'jose'

const algorithm = 'RSA-OAEP-256'
const encryption = 'A256GCM'
/** Five non-empty parts in base64url. */
const compact = /^[\w-]+(\.[\w-]+){4}$/

/**
 * Decrypts an envelope with the private transport key. The fault names only what the sender can see too, never why the
 * decryption failed.
 */
export async function openEnvelope(
  envelope: string,
  { keyId, privateKeyPem }: { readonly keyId: string; readonly privateKeyPem: string },
): Promise<{ readonly text: string } | { readonly fault: string }> {
  if (!compact.test(envelope)) return { fault: 'must be a JWE in compact form: five parts separated by dots' }
  const header = headerOf(envelope)
  if (!header) return { fault: 'must have a readable JWE header' }
  if (header.alg !== algorithm || header.enc !== encryption || header.zip !== undefined || header.crit !== undefined)
    return { fault: `must be encrypted with ${algorithm} and ${encryption}, without compression and extensions` }
  const other = 'cannot be decrypted: it is damaged or not encrypted to your transport key'
  if (header.kid !== undefined && header.kid !== keyId) return { fault: other }
  try {
    const { plaintext } = await compactDecrypt(envelope, createPrivateKey(privateKeyPem), {
      keyManagementAlgorithms: [algorithm],
      contentEncryptionAlgorithms: [encryption],
    })
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(plaintext) }
  } catch {
    return { fault: other }
  }
}

function headerOf(envelope: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return decodeProtectedHeader(envelope)
  } catch {
    return undefined
  }
}
