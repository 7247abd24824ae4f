import { expect, test } from 'vitest'
import { mostUsedFingerprints } from './most-used-passwords.gen.ts'
import { passwordFaults } from './password-rules.ts'

const rulesBroken = (password: string, email = 'nobody@example.test') =>
  passwordFaults(password, email, 'password').map(({ rule }) => rule)

test('the list has some thousand passwords, sorted and unique', () => {
  const prints = mostUsedFingerprints.trim().split('\n').join('').match(/.{8}/g) as string[]
  expect(prints.length).toBeGreaterThan(3000)
  expect(prints).toEqual([...new Set(prints)].sort())
})

test.each(['password', 'PASSWORD1', '12345678', 'iloveyou', 'qwertyuiop', 'ｐａｓｓｗｏｒｄ'])(
  '%s is a common password',
  (password) => expect(rulesBroken(password)).toEqual(['most_used']),
)

test.each(['correct horse battery', 'a good password', 'demo-risiti-2026', 'ọ'.repeat(8)])(
  '%s is not a common password',
  (password) => expect(rulesBroken(password)).toEqual([]),
)

test.each([
  ['ada.obi@example.test', 'my ada.obi 2026', true],
  ['ada.obi@example.test', 'MY ADA.OBI 2026', true],
  ['ada.obi@example.test', 'my adaobi 2026', false],
  ['ada+shop@example.test', 'canada is far', true],
  ['al@example.test', 'always and ever', false],
  ['ada@example.test', 'example dot test', false],
])('the address %s and the password %s: %s', (email, password, contains) => {
  expect(rulesBroken(password, email)).toEqual(contains ? ['contains_email'] : [])
})
