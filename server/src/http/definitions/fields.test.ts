import { expect, test } from 'vitest'
import { strictCheck } from '../request/validate.ts'
import { Email, Instant, OrgId, Phone, Text, WebAddress } from './fields.ts'

const table: [name: string, schema: Parameters<typeof strictCheck>[0], good: string[], bad: string[]][] = [
  [
    'an instant',
    Instant,
    ['2026-03-02T09:00:00Z', '2026-03-02T09:00:00+01:00'],
    ['2026-03-02', '2026-03-02T09:00:00', '2026-02-30T25:00:00Z', '2016-12-31T23:59:60Z'],
  ],
  [
    'an email address',
    Email(30),
    ['ada@example.test', 'a.b+c@x.co'],
    ['ada', 'ada@', '"a\nb"@x.test', 'a b@x.test', 'a@[127.0.0.1]', 'x@localhost', `${'a'.repeat(30)}@x.test`],
  ],
  ['an organisation', OrgId, ['me', '01a1dd99-6209-7002-aff3-57bd2dccc251'], ['you', '1', '']],
  ['a phone', Phone, ['+2348012345678'], ['08012345678', '+0123456789', '+234 801', '+1']],
  [
    'a web address',
    WebAddress,
    ['https://x.test', 'http://x.test/a'],
    ['ftp://x.test', 'javascript:alert(1)', 'x.test'],
  ],
  ['text', Text(2, 4), ['ab', 'ọẹṣ₦'], ['a', 'abcde', '   ']],
]

test.each(table)('the field type %s accepts exactly its values', (_, schema, good, bad) => {
  const check = strictCheck(schema)
  for (const value of good) expect(check(value), value).toEqual([])
  for (const value of bad) expect(check(value), value).not.toEqual([])
})
