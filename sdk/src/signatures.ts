import { NotGenuine } from './errors.ts'

/** Headers of any server, by name in any case. */
export type ReceivedHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

export interface VerifyOptions {
  /** largest difference between the time of sending and now, in seconds; 300 by default */
  readonly toleranceSeconds?: number
  /** in milliseconds, like `Date.now()` */
  readonly now?: number
}

export function header(headers: ReceivedHeaders, name: string): string | undefined {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined
  const found = Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1]
  return Array.isArray(found) ? found[0] : (found as string | undefined)
}

const bytesOf = (text: string) => new TextEncoder().encode(text)
const fromHex = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

/** Whether one of the secrets made one of the signatures. Compares in constant time. */
export async function isSigned(
  text: string,
  secrets: string | readonly string[],
  hexSignatures: readonly string[],
): Promise<boolean> {
  for (const secret of [secrets].flat()) {
    const hmac = { name: 'HMAC', hash: 'SHA-256' }
    const key = await crypto.subtle.importKey('raw', bytesOf(secret), hmac, false, ['verify'])
    for (const signature of hexSignatures)
      if (await crypto.subtle.verify('HMAC', key, fromHex(signature), bytesOf(text))) return true
  }
  return false
}

export function checkTime(
  seconds: string | undefined,
  { toleranceSeconds = 300, now = Date.now() }: VerifyOptions,
): string {
  if (seconds === undefined || !/^\d{1,15}$/.test(seconds))
    throw new NotGenuine('the webhook does not say when it was sent')
  if (Math.abs(now / 1000 - Number(seconds)) > toleranceSeconds)
    throw new NotGenuine('the webhook was sent too long ago, or the clocks disagree')
  return seconds
}
