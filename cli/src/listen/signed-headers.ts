import { createHmac, randomBytes } from 'node:crypto'

/** The form whose webhooks are imitated. */
export type Format = 'a' | 'b'

export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

const hmac = (key: string | Buffer, text: string, encoding: 'hex' | 'base64') =>
  createHmac('sha256', key).update(text).digest(encoding)

/** The headers of a webhook, signed as the service signs them, with a secret of this machine. */
export function signedHeaders(
  format: Format,
  event: { readonly id: string; readonly type: string; readonly body: string },
  secret: string,
  { attempt, now }: { readonly attempt: number; readonly now: number },
): Record<string, string> {
  const { id, type, body } = event
  const seconds = String(Math.floor(now / 1_000))
  if (format === 'a')
    return {
      'content-type': 'application/json',
      'risiti-signature': `t=${seconds},v1=${hmac(secret, `${seconds}.${body}`, 'hex')}`,
      'webhook-id': id,
      'webhook-timestamp': seconds,
      'webhook-signature': `v1,${hmac(Buffer.from(secret.replace(/^whsec_/, ''), 'base64'), `${id}.${seconds}.${body}`, 'base64')}`,
    }
  // Only the text of `data` is signed. It is the last field.
  const data = body.slice(body.indexOf('"data":') + '"data":'.length, -1)
  return {
    'content-type': 'application/json',
    'x-webhook-signature': `sha256=${hmac(secret, `${seconds}.${data}`, 'hex')}`,
    'x-webhook-timestamp': seconds,
    'x-webhook-event': type,
    'x-webhook-id': id,
    'x-webhook-delivery-attempt': String(attempt),
  }
}
