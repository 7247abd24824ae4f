import { Secret, URI } from 'otpauth'
import { describe, expect, test } from 'vitest'
import { newTotpSecret, totpStep, totpUri } from './totp.ts'

/** RFC 6238, appendix B, SHA-1: the last six of its eight digits. */
const rfcSecret = Secret.fromUTF8('12345678901234567890').base32
const vectors: [second: number, eightDigits: string][] = [
  [59, '94287082'],
  [1111111109, '07081804'],
  [1111111111, '14050471'],
  [1234567890, '89005924'],
  [2000000000, '69279037'],
  [20000000000, '65353130'],
]
const at = (second: number) => new Date(second * 1000)

describe.each(vectors)('at second %i of RFC 6238', (second, eightDigits) => {
  const code = eightDigits.slice(2)
  const step = Math.floor(second / 30)

  test('the code is accepted one step early or late', () => {
    expect(totpStep(rfcSecret, code, at(second))).toBe(step)
    expect(totpStep(rfcSecret, code, at((step - 1) * 30))).toBe(step)
    expect(totpStep(rfcSecret, code, at((step + 1) * 30 + 29))).toBe(step)
  })

  test('the code is refused two steps early or late, and with another secret', () => {
    expect(totpStep(rfcSecret, code, at((step - 1) * 30 - 1))).toBeUndefined()
    expect(totpStep(rfcSecret, code, at((step + 2) * 30))).toBeUndefined()
    expect(totpStep(Secret.fromUTF8('12345678901234567891').base32, code, at(second))).toBeUndefined()
  })
})

test.each(['', '12345', '1234567', 'abcdef', '28708 ', '94287082'])('%j is not a code', (text) => {
  expect(totpStep(rfcSecret, text, at(59))).toBeUndefined()
})

test('a new secret has 160 bits, is unique, and is completely in its QR code', () => {
  const secrets = Array.from({ length: 100 }, newTotpSecret)
  expect(new Set(secrets).size).toBe(100)
  const secret = secrets[0] as string
  expect(Secret.fromBase32(secret).bytes).toHaveLength(20)
  const read = URI.parse(totpUri(secret, 'ada+1@example.test'))
  expect(read).toMatchObject({
    issuer: 'Risiti',
    label: 'ada+1@example.test',
    algorithm: 'SHA1',
    digits: 6,
    period: 30,
  })
  expect(read.secret.base32).toBe(secret)
})
