import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addressFrom, neighbourhoodOf, networkOf } from './addresses.ts'

describe('an address has one spelling', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:cb00:7107', '203.0.113.7'],
    ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['2001:0db8::0001', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['::1', '::1'],
    ['::', '::'],
  ])('%s is %s', (text, expected) => {
    expect(addressFrom(text)).toBe(expected)
  })

  test.each([
    '',
    'unknown',
    'localhost',
    '8.8.8.8"><b>',
    '8.8.8',
    '8.8.8.256',
    '08.8.8.8',
    '8.8.8.8:80',
    '[2001:db8::1]',
    '[2001:db8::1]:80',
    '2001:db8:::1',
    '1:2:3:4:5:6:7:8:9',
    ' 8.8.8.8',
    '8.8.8.8/32',
  ])('%j is not an address', (text) => {
    expect(addressFrom(text)).toBeUndefined()
  })
})

describe('a network', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8::2:0:0:1', '2001:db8:0:0::/64'],
    ['2001:db8::ffff:1.2.3.4', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['', ''],
  ])('of %s is %s', (address, expected) => {
    expect(networkOf(address)).toBe(expected)
  })

  const group = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff }))
  const groups = fc.array(group, { minLength: 8, maxLength: 8 }).filter((all) => all.slice(0, 5).some((one) => one > 0))

  /** Spellings of one address: padded, in capitals, and with each run of zeros left out. */
  function spellings(all: readonly number[]): string[] {
    const plain = all.map((one) => one.toString(16))
    const shortened = plain.flatMap((_, from) =>
      plain.flatMap((_, to) => {
        const isRun = to > from && all.slice(from, to + 1).every((one) => one === 0)
        return isRun ? [`${plain.slice(0, from).join(':')}::${plain.slice(to + 1).join(':')}`] : []
      }),
    )
    const padded = plain.map((one) => one.padStart(4, '0')).join(':')
    return [plain.join(':'), padded, padded.toUpperCase(), ...shortened]
  }

  test('is equal for every spelling of an address, and for every address of a /64', () => {
    fc.assert(
      fc.property(groups, fc.array(group, { minLength: 4, maxLength: 4 }), (all, host) => {
        const networks = [...spellings(all), ...spellings([...all.slice(0, 4), ...host])].map(networkOf)
        // The last four groups form a wrapped IPv4 address only if all groups before are zero.
        fc.pre(all.slice(0, 4).some((one) => one > 0))
        expect(new Set(networks).size).toBe(1)
      }),
    )
  })
})

test.each([
  ['203.0.113.7', '203.0.113.200', true],
  ['::ffff:203.0.113.7', '203.0.113.9', true],
  ['2001:db8::1', '2001:db8:0:0:ffff::9', true],
  ['203.0.113.7', '203.0.114.7', false],
  ['2001:db8::1', '2001:db8:0:1::1', false],
  ['', '203.0.113.7', false],
])('%s and %s are in one neighbourhood: %s', (one, other, same) => {
  expect(neighbourhoodOf(one) === neighbourhoodOf(other)).toBe(same)
})
