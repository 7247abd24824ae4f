import { createHmac, randomBytes } from 'node:crypto'

/** 32 random bytes. The prefix says what it is to whoever finds it, and to scanners that look for lost secrets. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

const hmac = (key: string | Buffer, text: string, encoding: 'hex' | 'base64'): string =>
  createHmac('sha256', key).update(text).digest(encoding)

/**
 * `t=<unix>,v1=<hex>`, one `v1` for each secret, the current one first. Its key is the whole secret as it was shown, prefix
 * included: so the verifiers of Stripe want it.
 */
export const timestampedSignature = (secrets: readonly string[], unixSeconds: number, body: string): string =>
  [`t=${unixSeconds}`, ...secrets.map((secret) => `v1=${hmac(secret, `${unixSeconds}.${body}`, 'hex')}`)].join(',')

/**
 * `v1,<base64>`, several apart by a space, as Standard Webhooks has it. Its key is the bytes that the secret stands for: the
 * same secret gives another key here than above.
 */
export function standardSignature(secrets: readonly string[], id: string, unixSeconds: number, body: string): string {
  const keyOf = (secret: string) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return secrets.map((secret) => `v1,${hmac(keyOf(secret), `${id}.${unixSeconds}.${body}`, 'base64')}`).join(' ')
}

/** `sha256=<hex>` over the time and a part of the body, under the whole secret. */
export const plainSignature = (secret: string, unixSeconds: number, text: string): string =>
  `sha256=${hmac(secret, `${unixSeconds}.${text}`, 'hex')}`
