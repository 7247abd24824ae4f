import { createCipheriv, randomBytes } from 'node:crypto'

const keyLength = 32

/** Half of the key travels with it, and the other half is the first group of the receiver's API key. */
export function encryptedFor(apiKey: string, text: string): { iv_hex: string; pub: string; data: string } {
  const [group = ''] = apiKey.split('-')
  const pub = randomBytes(keyLength)
    .toString('hex')
    .slice(0, keyLength - group.length)
  const iv = randomBytes(16)
  const cipher = createCipheriv('aes-256-cfb', Buffer.from(pub + group, 'utf8'), iv)
  const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]).toString('base64url')
  return { iv_hex: iv.toString('hex'), pub, data }
}
