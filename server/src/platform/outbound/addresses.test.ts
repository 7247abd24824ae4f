import fc from 'fast-check'
import { expect, test } from 'vitest'
import { carriersV6, forbiddenV4, forbiddenV6 } from '../../../../test/harness/forbidden-hosts.ts'
import { isPublicAddress } from './addresses.ts'

const carried = forbiddenV4.flatMap((address) => Object.values(carriersV6).map((spell) => spell(address)))

test.each([...forbiddenV4, ...forbiddenV6, ...carried])('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

/** The addresses just outside of each range, on both sides. */
test.each([
  '1.0.0.0',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '168.63.129.15',
  '168.63.129.17',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '191.255.255.255',
  '192.0.1.0',
  '192.0.3.0',
  '192.88.98.255',
  '192.88.100.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '198.51.99.255',
  '198.51.101.0',
  '203.0.112.255',
  '203.0.114.0',
  '223.255.255.255',
  '2000::',
  '2001:200::',
  '2001:db7:ffff:ffff:ffff:ffff:ffff:ffff',
  '2001:db9::',
  '2001:4860:4860::8888',
  '2003::',
  '2606:4700:4700::1111',
  '3ffe:ffff::1',
  '3fff:1000::',
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

test.each([
  '',
  ' ',
  '127.0.0.1 ',
  '8.8.8.8 ',
  '8.8.8',
  '8.8.8.8.',
  '134744072',
  '0x8.8.8.8',
  '08.8.8.8',
  '2606:4700:4700::1111%eth0',
  'fe80::1%lo',
  '[2606:4700:4700::1111]',
  '2606:4700:4700::1111/64',
  'localhost',
  'example.com',
])('%j is not an address, and so not public', (text) => {
  expect(isPublicAddress(text)).toBe(false)
})

test('no private IPv4 address is public inside an IPv6 address', () => {
  fc.assert(
    fc.property(fc.ipV4(), fc.constantFrom(...Object.values(carriersV6)), (address, spell) => {
      expect(isPublicAddress(spell(address))).toBe(false)
    }),
    { numRuns: 2_000 },
  )
})

test('public IPv6 addresses are in the allocated range', () => {
  fc.assert(
    fc.property(fc.ipV6(), (address) => {
      if (isPublicAddress(address)) expect(address).toMatch(/^[23][\da-f]{3}:/i)
    }),
    { numRuns: 2_000 },
  )
})
