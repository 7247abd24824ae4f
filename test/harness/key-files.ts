import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto'
import { CompactEncrypt } from 'jose'

/** Created once, because key generation is slow. */
let businessKey: string | undefined
export const businessPublicKey = (): string => {
  businessKey ??= generateKeyPairSync('rsa', { modulusLength: 2_048 })
    .publicKey.export({ type: 'spki', format: 'pem' })
    .toString()
  return businessKey
}

/** The authority's format: base64 of base64 of 32 bytes. */
export const newCertificate = (): string => Buffer.from(randomBytes(32).toString('base64')).toString('base64')

/** An authority key file in text form: a key, and a certificate on the line after it. */
export const keyFileText = (certificate = newCertificate()): string => `${businessPublicKey()}\n${certificate}\n`

/** The same file in JSON form. */
export const keyFileJson = (certificate = newCertificate()): string =>
  JSON.stringify({ public_key: Buffer.from(businessPublicKey()).toString('base64'), certificate })

export interface SealOptions {
  readonly alg?: string
  readonly enc?: string
  readonly kid?: string
}

/** The upload: the file encrypted with the transport key. */
export const envelopeFor = (
  publicKeyPem: string,
  text: string | Uint8Array,
  { alg = 'RSA-OAEP-256', enc = 'A256GCM', kid }: SealOptions = {},
): Promise<string> =>
  new CompactEncrypt(typeof text === 'string' ? Buffer.from(text) : text)
    .setProtectedHeader({ alg, enc, ...(kid === undefined ? {} : { kid }) })
    .encrypt(createPublicKey(publicKeyPem))
