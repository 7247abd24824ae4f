import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { newId } from '../../kernel/ids.ts'
import { createVault } from '../../platform/secrets/secrets.ts'
import { type DownloadGrant, grantFrom, linkToken } from './download-link.ts'

const [first, second] = [randomBytes(32), randomBytes(32)]
const before = createVault({ active: 'k1', keys: new Map([['k1', first]]) })
const grant: DownloadGrant = {
  organisationId: newId(),
  mode: 'live',
  id: newId(),
  format: 'xml',
  sha256: 'ab'.repeat(32),
  expiresAt: new Date('2026-11-15T09:15:00.123Z'),
  maker: { kind: 'session', id: newId() },
}
const token = linkToken(before, grant)
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~ ']

describe('the token of a link', () => {
  test('says what was granted, in characters that need no escaping', () => {
    expect(grantFrom(before, token)).toEqual(grant)
    expect(token).toMatch(/^[\w.~-]{1,400}$/)
  })

  test('is invalid if any character was changed, added or removed', () => {
    const at = fc.nat(token.length - 1)
    fc.assert(
      fc.property(at, fc.constantFrom(...letters), fc.nat(2), (index, letter, replaced) => {
        const changed = `${token.slice(0, index)}${replaced === 2 ? '' : letter}${token.slice(index + (replaced && 1))}`
        fc.pre(changed !== token)
        expect(grantFrom(before, changed)).toBeUndefined()
      }),
      { numRuns: 5000 },
    )
    for (const letter of letters) expect(grantFrom(before, token + letter), letter).toBeUndefined()
  })

  test('is invalid for any other text', () => {
    fc.assert(fc.property(fc.string(), (text) => grantFrom(before, text) === undefined))
    for (const text of ['', '~', '.', '~.', 'k1', '~k1.', 'a~k1.b', `${token}~${token}`, '__proto__~__proto__.a'])
      expect(grantFrom(before, text), text).toBeUndefined()
  })

  test('is not valid for another purpose', () => {
    const words = token.split('~')[0] as string
    expect(grantFrom(before, `${words}~${before.mac('another purpose', words)}`)).toBeUndefined()
  })

  test('is valid while its key exists, and not under another key of the same name', () => {
    const keys = new Map([
      ['k1', first],
      ['k2', second],
    ])
    expect(grantFrom(createVault({ active: 'k2', keys }), token)).toEqual(grant)
    expect(grantFrom(createVault({ active: 'k2', keys: new Map([['k2', second]]) }), token)).toBeUndefined()
    expect(grantFrom(createVault({ active: 'k1', keys: new Map([['k1', second]]) }), token)).toBeUndefined()
  })
})
