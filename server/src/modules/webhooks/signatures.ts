import { createHmac, randomBytes } from 'node:crypto'

/** 32 random bytes. The prefix says what it is to whoever finds it, and to scanners that look for lost secrets. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** Keys are given as text: telling what kind of key a buffer holds costs Node several times what signing does. */
const hmac = (
  key: string,
  keyIs: { readonly encoding: 'utf8' | 'base64' },
  text: string,
  encoding: 'hex' | 'base64',
): string => createHmac('sha256', key, keyIs).update(text).digest(encoding)

const asShown = { encoding: 'utf8' } as const
const asBytes = { encoding: 'base64' } as const

/**
 * `t=<unix>,v1=<hex>`, one `v1` for each secret, the current one first. Its key is the whole secret as it was shown, prefix
 * included: so the verifiers of Stripe want it.
 */
export const timestampedSignature = (secrets: readonly string[], unixSeconds: number, body: string): string =>
  [`t=${unixSeconds}`, ...secrets.map((secret) => `v1=${hmac(secret, asShown, `${unixSeconds}.${body}`, 'hex')}`)].join(
    ',',
  )

/**
 * `v1,<base64>`, several apart by a space, as Standard Webhooks has it. Its key is the bytes that the secret stands for: the
 * same secret gives another key here than above.
 */
export function standardSignature(secrets: readonly string[], id: string, unixSeconds: number, body: string): string {
  const keyOf = (secret: string) => secret.replace(/^whsec_/, '')
  const text = `${id}.${unixSeconds}.${body}`
  return secrets.map((secret) => `v1,${hmac(keyOf(secret), asBytes, text, 'base64')}`).join(' ')
}

/** `sha256=<hex>` over the time and a part of the body, under the whole secret. */
export const plainSignature = (secret: string, unixSeconds: number, text: string): string =>
  `sha256=${hmac(secret, asShown, `${unixSeconds}.${text}`, 'hex')}`
