import { hash } from 'node:crypto'
import { type Fault, invalid } from '../../kernel/refusals.ts'
import { mostUsedFingerprints } from './most-used-passwords.gen.ts'

const mostUsed = new Set(mostUsedFingerprints.match(/[\w-]{8}/g))
const fingerprintOf = (password: string) => hash('sha256', password, 'base64url').slice(0, 8)

/** A shorter name would occur in half of all words. */
const shortestName = 3

/** `path` is the request field of the password. */
export function passwordFaults(password: string, email: string, path: string): Fault[] {
  const plain = password.normalize('NFKC').toLowerCase()
  const [name = ''] = email.normalize('NFKC').trim().toLowerCase().split(/[+@]/, 1)
  const fault = (rule: string, message: string): Fault => ({ path, rule, message })
  return [
    ...(mostUsed.has(fingerprintOf(plain))
      ? [fault('most_used', 'is among the most used passwords; choose another')]
      : []),
    ...(name.length >= shortestName && plain.includes(name)
      ? [fault('contains_email', 'must not contain the name in your email address')]
      : []),
  ]
}

/** For new passwords only, not for comparing old ones. */
export function requireGoodPassword(password: string, email: string, path = 'password'): void {
  const faults = passwordFaults(password, email, path)
  if (faults.length > 0) throw invalid(faults)
}
