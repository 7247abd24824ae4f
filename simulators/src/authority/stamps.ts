import {
  constants,
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  privateDecrypt,
} from 'node:crypto'
import type { Records } from './state.ts'

/** The key pair of all key files. Created on first use, because that is slow. */
function privateKeyOf(records: Records): string {
  if (records.privateKeyPem === undefined) {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    records.note({ what: 'key', privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() })
  }
  return records.privateKeyPem as string
}

/** As it has been seen: base64 of base64 of 32 bytes. */
const certificateOf = (businessId: string): string => {
  const secret = createHash('sha256').update(`certificate ${businessId.toLowerCase()}`).digest('base64')
  return Buffer.from(secret).toString('base64')
}

/** The file that a business downloads: the public key, and its certificate on a line of its own. */
export function keyFileOf(records: Records, businessId: string): string {
  const publicKey = createPublicKey(createPrivateKey(privateKeyOf(records))).export({ type: 'spki', format: 'pem' })
  return `${publicKey.toString().trim()}\n${certificateOf(businessId)}\n`
}

/** Reads a QR code as the authority's app does. `undefined` if the code is not the authority's. */
export function stampIn(records: Records, businessId: string, text: string): { irn: string; at: string } | undefined {
  try {
    // Node refuses to remove this padding, because that is unsafe with attackers. The simulator has none.
    const key = { key: privateKeyOf(records), padding: constants.RSA_NO_PADDING }
    const padded = privateDecrypt(key, Buffer.from(text, 'base64'))
    if (padded[0] !== 0 || padded[1] !== 2) return undefined
    const { irn, certificate } = JSON.parse(padded.subarray(padded.indexOf(0, 2) + 1).toString()) as {
      irn: string
      certificate: string
    }
    const [number = '', at = ''] = irn.split('.')
    return certificate === certificateOf(businessId) ? { irn: number, at } : undefined
  } catch {
    return undefined
  }
}
