import type { TransportKey } from '@risiti/sdk'

const base64url = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** What a browser says only where nobody could have changed the page on its way. */
export const canSeal = (): boolean => globalThis.crypto?.subtle !== undefined

/**
 * Encrypts a file so that only the service can open it: JWE in the compact form, with a key of its own that is wrapped for the transport key.
 * What was in the file leaves this page in no other way, and is not kept.
 */
export async function sealKeyFile({ jwk }: TransportKey, file: Uint8Array<ArrayBuffer>): Promise<string> {
  const { subtle } = crypto
  const { kid, ...publicKey } = jwk
  const wrapping = await subtle.importKey('jwk', publicKey, { name: 'RSA-OAEP', hash: 'SHA-256' }, false, ['wrapKey'])
  const content = await subtle.generateKey({ name: 'AES-GCM', length: 256 }, true, ['encrypt'])
  const wrapped = new Uint8Array(await subtle.wrapKey('raw', content, wrapping, { name: 'RSA-OAEP' }))
  const header = base64url(new TextEncoder().encode(JSON.stringify({ alg: 'RSA-OAEP-256', enc: 'A256GCM', kid })))
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const sealed = new Uint8Array(
    await subtle.encrypt(
      { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(header), tagLength: 128 },
      content,
      file,
    ),
  )
  // The last sixteen bytes say whether somebody changed the others; a JWE has them apart.
  const [text, tag] = [sealed.subarray(0, -16), sealed.subarray(-16)]
  return [header, ...[wrapped, iv, text, tag].map(base64url)].join('.')
}
