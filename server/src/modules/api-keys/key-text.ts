import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Mode } from '../../kernel/tenant.ts'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const secretLength = 43
const checkLength = 6

function base62(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest /= 62n) text = digits[Number(rest % 62n)] + text
  return text
}

const prefixes: Record<Mode, string> = { sandbox: 'sk_test_', live: 'sk_live_' }
const checkOf = (start: string) => base62(BigInt(crc32(start)), checkLength)

/** 256 random bits and a checksum, so that a mistyped key is refused without a query. */
export function newKeyText(mode: Mode): string {
  const start = prefixes[mode] + base62(BigInt(`0x${randomBytes(32).toString('hex')}`), secretLength)
  return start + checkOf(start)
}

const shape = new RegExp(`^(sk_test_|sk_live_)[0-9A-Za-z]{${secretLength + checkLength}}$`)

export function isKeyText(text: string): boolean {
  return shape.test(text) && checkOf(text.slice(0, -checkLength)) === text.slice(-checkLength)
}

/** A key has enough entropy for a fast hash, and every request computes it. */
export const hashOfKey = (text: string): string => hash('sha256', text)

/** Part of a key that lists show, to tell two keys apart. */
export const hintOf = (text: string): string => `${text.slice(0, 8)}…${text.slice(-4)}`
