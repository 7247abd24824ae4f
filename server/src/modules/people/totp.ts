import { Secret, TOTP } from 'otpauth'

const period = 30

const totpOf = (base32: string, label = '') =>
  new TOTP({ issuer: 'Risiti', label, secret: Secret.fromBase32(base32), period, digits: 6, algorithm: 'SHA1' })

export const newTotpSecret = (): string => new Secret({ size: 20 }).base32

export const totpUri = (base32: string, email: string): string => totpOf(base32, email).toString()

/**
 * The time step of a code, or `undefined`. The steps before and after count too, because phone clocks drift and typing
 * takes time.
 */
export function totpStep(base32: string, code: string, now: Date): number | undefined {
  const delta = totpOf(base32).validate({ token: code, timestamp: now.getTime(), window: 1 })
  return delta === null ? undefined : Math.floor(now.getTime() / 1000 / period) + delta
}
