import { createDecipheriv } from 'node:crypto'
import { readEnvelope } from './nrs-answers.ts'
import { notProtocol } from './unanswered.ts'

const keyBytes = 32

/**
 * A document as the authority keeps it. Half of the key comes with it, and the other half is the first group of our own API key.
 * Nothing tells whether it was opened with the right one but that it is JSON.
 */
export function decrypted(envelope: unknown, apiKey: string): Buffer {
  const { iv_hex, pub, data } = readEnvelope(envelope)
  const key = Buffer.from(`${pub}${apiKey.split('-')[0]}`, 'utf8')
  if (key.length !== keyBytes) throw notProtocol('the authority encrypted for other keys than ours')
  const decipher = createDecipheriv('aes-256-cfb', key, Buffer.from(iv_hex, 'hex'))
  return Buffer.concat([decipher.update(Buffer.from(data, 'base64url')), decipher.final()])
}
