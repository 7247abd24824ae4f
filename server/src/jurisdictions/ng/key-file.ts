import { constants, createPublicKey, hash, publicEncrypt } from 'node:crypto'
import type { CountryRecord, KeyFileRules } from '../port.ts'

/** A type and not an interface, so that it is a `CountryRecord`. */
export type KeyFile = { readonly publicKeyPem: string; readonly certificate: string }

/** Far longer than any key file. */
const longestKeyFile = 16_384
const pem = /-----BEGIN PUBLIC KEY-----[\sA-Za-z0-9+/=]+-----END PUBLIC KEY-----/
const base64 = /^[A-Za-z0-9+/]{8,200}={0,2}$/
/** The capacity of RSA with 2048 bits, less the padding. */
const mostStampBytes = 245
const leastKeyBits = 2048
const mostKeyBits = 8192

/**
 * Reads the authority key file, in either known form: the key in PEM with the certificate on its own line, or JSON
 * with both in base64. The certificate is a short secret text, not X.509.
 */
export function readKeyFile(text: string): KeyFile | undefined {
  if (text.length > longestKeyFile) return undefined
  const found = text.trimStart().startsWith('{') ? fromJson(text) : fromText(text)
  return found && isUsable(found) ? found : undefined
}

function fromText(text: string): KeyFile | undefined {
  const publicKeyPem = pem.exec(text)?.[0]
  if (publicKeyPem === undefined) return undefined
  const rest = text.replace(publicKeyPem, '').split(/\s+/)
  const [certificate, another] = rest.filter((word) => base64.test(word))
  return certificate === undefined || another !== undefined ? undefined : { publicKeyPem, certificate }
}

function fromJson(text: string): KeyFile | undefined {
  const fields = parsed(text)
  const { public_key, certificate } = fields ?? {}
  if (typeof public_key !== 'string' || typeof certificate !== 'string' || !base64.test(certificate.trim()))
    return undefined
  const written = pem.test(public_key) ? public_key : Buffer.from(public_key, 'base64').toString()
  const publicKeyPem = pem.exec(written)?.[0]
  return publicKeyPem === undefined ? undefined : { publicKeyPem, certificate: certificate.trim() }
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Refuses a key file that would fail at the first invoice. */
function isUsable({ publicKeyPem, certificate }: KeyFile): boolean {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPublicKey(publicKeyPem)
    const bits = asymmetricKeyDetails?.modulusLength ?? 0
    if (asymmetricKeyType !== 'rsa' || bits < leastKeyBits || bits > mostKeyBits) return false
    return Buffer.byteLength(stampOf(longestIrn, certificate, new Date(0))) <= mostStampBytes
  } catch {
    return false
  }
}

/** The longest reference: a longer one may not fit beside the certificate. */
const longestIrn = `${'0'.repeat(50)}-00000000-00000000`

const stampOf = (reference: string, certificate: string, at: Date): string =>
  JSON.stringify({ irn: `${reference}.${Math.floor(at.getTime() / 1000)}`, certificate })

/**
 * Reference, time and certificate, encrypted for the authority. The padding is random, so every result differs, and
 * we cannot decrypt it.
 */
export const stampFor = (reference: string, { publicKeyPem, certificate }: KeyFile, at: Date): string =>
  publicEncrypt(
    { key: publicKeyPem, padding: constants.RSA_PKCS1_PADDING },
    Buffer.from(stampOf(reference, certificate, at)),
  ).toString('base64')

const fingerprintOf = ({ publicKeyPem, certificate }: KeyFile): string => {
  const key = createPublicKey(publicKeyPem).export({ type: 'spki', format: 'der' }).toString('base64')
  return hash('sha256', `${key}|${certificate}`)
}

/** The core gives back what `readKeyFile` returned. */
const stored = (content: CountryRecord): KeyFile => content as KeyFile

export const keyFileRules: KeyFileRules = {
  fileName: 'crypto_keys.txt',
  form: 'a public RSA key of 2048 bits or more in PEM, and a certificate',
  isRequired: true,
  read: readKeyFile,
  fingerprintOf: (content) => fingerprintOf(stored(content)),
  stampFor: (reference, content, at) => stampFor(reference, stored(content), at),
}
