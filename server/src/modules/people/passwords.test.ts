import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashCheaply, hashPassword, nobodysHash, passwordMatches } from './passwords.ts'

// The shared test setup has switched it on.
beforeAll(() => hashCheaply(false))
afterAll(() => hashCheaply(true))

const form = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]{22})\$([\w+/]{43})$/
const costOf = (hash: string) => form.exec(hash)?.slice(1, 4).map(Number)

test('a hash contains its parameters: argon2id with 19 MiB, two passes and its own salt', async () => {
  const [one, other] = [await hashPassword('correct horse'), await hashPassword('correct horse')]
  expect(costOf(one)).toEqual([19_456, 2, 1])
  expect(form.exec(one)?.[4]).not.toBe(form.exec(other)?.[4])
  expect(one).not.toContain('correct')
  expect(await passwordMatches('correct horse', one)).toBe(true)
  expect(await passwordMatches('correct horse', other)).toBe(true)
})

test.each(['correct Horse', 'correct horse ', 'correct hors', ''])('%j is a different password', async (given) => {
  expect(await passwordMatches(given, await hashPassword('correct horse'))).toBe(false)
})

test.each([
  ['caf\u00e9 au lait', 'cafe\u0301 au lait'],
  ['\ufb01ligree', 'filigree'],
  ['\uff11\uff12\uff13\uff14\uff15\uff16\uff17\uff18', '12345678'],
  ['\u1ecdj\u1ecd\u0301 m\u00e9ta', 'o\u0323jo\u0323\u0301 me\u0301ta'],
])('%s is the same password in any Unicode composition', async (one, other) => {
  expect(one).not.toBe(other)
  expect(await passwordMatches(other, await hashPassword(one))).toBe(true)
  expect(await passwordMatches(one, await hashPassword(other))).toBe(true)
})

test('a hash made elsewhere, with another cost, is checked at that cost', async () => {
  // From the tests of the reference implementation.
  const reference = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4'
  expect(await passwordMatches('password', reference)).toBe(true)
  expect(await passwordMatches('passwore', reference)).toBe(false)
})

test('a hash of unknown form is an error, never a match', async () => {
  for (const stored of ['', 'x', '$2b$10$abcdefghijklmnopqrstuv', nobodysHash().replace('argon2id', 'argon2i')])
    await expect(passwordMatches('x', stored)).rejects.toThrow('unknown form')
})

test('the dummy hash costs as much as a real one, and matches nothing', async () => {
  expect(costOf(nobodysHash())).toEqual(costOf(await hashPassword('x')))
  expect(await passwordMatches('', nobodysHash())).toBe(false)
})

test('concurrent hashes are all right, and a failing one does not delay the others', async () => {
  const passwords = Array.from({ length: 10 }, (_, index) => `password ${index}`)
  const broken = passwords.map(() =>
    passwordMatches('x', nobodysHash().replace('m=19456', 'm=1')).catch(() => 'failed'),
  )
  const hashes = await Promise.all(passwords.map(hashPassword))
  expect(new Set(hashes).size).toBe(10)
  expect(await Promise.all(hashes.map((hash, index) => passwordMatches(`password ${index}`, hash)))).not.toContain(
    false,
  )
  expect(await passwordMatches('password 0', hashes[1] as string)).toBe(false)
  expect(new Set(await Promise.all(broken))).toEqual(new Set(['failed']))
})
