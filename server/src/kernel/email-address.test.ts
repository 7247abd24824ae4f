import { expect, test } from 'vitest'
import { isEmailAddress } from './email-address.ts'

test.each([
  'ada@example.test',
  'a.b+c@x.co',
  "o'neil_{x}=y@mail.eze.ng",
  'ADA@EXAMPLE.TEST',
  'a@1and1.com',
  'a@x-y.xn--4gbrim',
  `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.test`,
  'a@localhost.example.test',
])('%s is an address', (text) => {
  expect(isEmailAddress(text)).toBe(true)
})

test.each([
  '',
  '@',
  'ada',
  'ada@',
  '@example.test',
  'x@localhost',
  'x@LOCALHOST',
  'x@mail.localhost',
  'x@printer.local',
  'x@db.internal',
  'x@1.0.0.127.in-addr.arpa',
  'a@[127.0.0.1]',
  'a@[IPv6:::1]',
  'a@127.0.0.1',
  'a@10.1',
  'a@2130706433',
  'a@0x7f.1',
  'a@example.test.',
  'a@.test',
  'a@x..test',
  'a@-x.test',
  'a@x-.test',
  'a@x.t',
  'a@x_y.test',
  `a@${'b'.repeat(64)}.test`,
  '.a@x.test',
  'a.@x.test',
  'a..b@x.test',
  'a@b@x.test',
  'a b@x.test',
  'a\nb@x.test',
  'a@x.test\n',
  'a@x.test\u202e',
  '"a b"@x.test',
  'a,b@x.test',
  'Ada <ada@x.test>',
  'ọ@x.test',
  'a@ọ.test',
  `${'a'.repeat(400)}@x.test`,
  `${'a'.repeat(65)}@x.test`,
  `a@${'b.'.repeat(126)}test`,
])('%j is none', (text) => {
  expect(isEmailAddress(text)).toBe(false)
})
