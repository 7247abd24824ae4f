import type { TransportKey } from '@risiti/sdk'

const base64url = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** Browsers offer encryption only on secure pages. */
export const canSeal = (): boolean => globalThis.crypto?.subtle !== undefined

/**
 * Encrypts a file for the service as a compact JWE, with a new key that is wrapped for the transport key. The plain
 * file never leaves this page and is not kept.
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
  // The last sixteen bytes are the authentication tag, which a JWE stores separately.
  const [text, tag] = [sealed.subarray(0, -16), sealed.subarray(-16)]
  return [header, ...[wrapped, iv, text, tag].map(base64url)].join('.')
}
