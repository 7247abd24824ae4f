import { createDecipheriv } from 'node:crypto'
import { readEnvelope } from './nrs-answers.ts'
import { notProtocol } from './unanswered.ts'

const keyBytes = 32

/**
 * Decrypts a document of the authority. Half of the key comes with the document; the other half is the first group of
 * our API key. Only valid JSON shows that the key was right.
 */
export function decrypted(envelope: unknown, apiKey: string): Buffer {
  const { iv_hex, pub, data } = readEnvelope(envelope)
  const key = Buffer.from(`${pub}${apiKey.split('-')[0]}`, 'utf8')
  if (key.length !== keyBytes) throw notProtocol('the authority encrypted for other keys than ours')
  const decipher = createDecipheriv('aes-256-cfb', key, Buffer.from(iv_hex, 'hex'))
  return Buffer.concat([decipher.update(Buffer.from(data, 'base64url')), decipher.final()])
}
