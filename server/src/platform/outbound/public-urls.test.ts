import { describe, expect, test } from 'vitest'
import { forbiddenHosts, forbiddenV4, spellingsV4 } from '../../../../test/harness/forbidden-hosts.ts'
import { anywhere, publicOnly, readUrl, UrlCache } from './public-urls.ts'

const rules = publicOnly(['api.risiti.example'])
const faultOf = (text: string) => {
  const read = readUrl(text, rules)
  return read instanceof URL ? undefined : read
}

test('the list of spellings of forbidden hosts is long, without duplicates', () => {
  expect(forbiddenHosts.length).toBeGreaterThan(500)
  expect(new Set(forbiddenHosts.map(([, host]) => host)).size).toBe(forbiddenHosts.length)
})

test.each(Object.entries(spellingsV4))('%s: this spelling is parsed as an address', (_, spell) => {
  for (const address of forbiddenV4) expect(new URL(`https://${spell(address)}/`).hostname).toBe(address)
})

test.each(forbiddenHosts)('%s is refused', (_, host) => {
  expect(faultOf(`https://${host}/hook`)).toMatch(/^(address|name|unreadable)$/)
  expect(faultOf(`https://${host}:8443/hook`)).toMatch(/^(address|name|unreadable)$/)
})

test.each([
  'https://example.com',
  'https://hooks.example.com/a?b=c#d',
  'https://example.com:443/',
  'https://example.com:8443/',
  'https://EXAMPLE.com/',
  'https://localhost.example.com/',
  'https://notlocal.example/',
  'https://internal.example.com/',
  'https://bücher.example/',
  'https://8.8.8.8/',
  'https://[2606:4700:4700::1111]/',
])('%s is accepted', (text) => {
  expect(faultOf(text)).toBeUndefined()
})

test.each([
  ['http://example.com/', 'scheme'],
  ['ftp://example.com/', 'scheme'],
  ['file:///etc/passwd', 'scheme'],
  ['javascript:alert(1)', 'scheme'],
  ['data:text/plain,x', 'scheme'],
  ['gopher://example.com/', 'scheme'],
  ['https://user@example.com/', 'credentials'],
  ['https://user:secret@example.com/', 'credentials'],
  ['https://:secret@example.com/', 'credentials'],
  ['https://example.com@127.0.0.1/', 'credentials'],
  ['https://127.0.0.1\\@example.com/', 'address'],
  ['https://127.0.0.1#@example.com/', 'address'],
  ['https://127.0.0.1?@example.com/', 'address'],
  ['https://example.com:22/', 'port'],
  ['https://example.com:25/', 'port'],
  ['https://example.com:80/', 'port'],
  ['https://example.com:5432/', 'port'],
  ['https://example.com:0/', 'port'],
  ['https://example.com:65536/', 'unreadable'],
  ['https://example.com:44\u00ad3/', 'unreadable'],
  ['https://', 'unreadable'],
  ['https:///', 'unreadable'],
  ['example.com', 'unreadable'],
  ['//example.com/', 'unreadable'],
  ['', 'unreadable'],
  ['https://exa mple.com/', 'unreadable'],
  ['https://api.risiti.example/hook', 'name'],
  ['https://API.risiti.example/hook', 'name'],
  [`https://example.com/${'x'.repeat(2029)}`, 'too_long'],
])('%j: %s', (text, fault) => {
  expect(faultOf(text)).toBe(fault)
})

test('the longest URL is accepted', () => {
  const text = `https://example.com/${'x'.repeat(2028)}`
  expect(text).toHaveLength(2048)
  expect(faultOf(text)).toBeUndefined()
})

describe('the rules do not apply in development', () => {
  test.each(['http://127.0.0.1:9000/', 'http://localhost/', 'https://[::1]:1/', 'http://10.0.0.1/'])('%s', (text) => {
    expect(readUrl(text, anywhere)).toBeInstanceOf(URL)
  })
  test.each([
    ['ftp://127.0.0.1/', 'scheme'],
    ['http://user:secret@127.0.0.1/', 'credentials'],
    ['nowhere', 'unreadable'],
  ])('the rules apply in development to %s', (text, fault) => {
    expect(readUrl(text, anywhere)).toBe(fault)
  })
})

test('a thousand parsed URLs are cached, with the same result', () => {
  const read = new UrlCache(rules)
  let most = 0
  for (let nth = 0; nth < 1_001; nth++) {
    expect(read.at(`https://example.com:8443/${nth}?x=1#y`)).toEqual({
      origin: 'https://example.com:8443',
      path: `/${nth}?x=1`,
    })
    most = Math.max(most, read.size)
  }
  expect([most, read.size]).toEqual([1_000, 1])
  for (let again = 0; again < 2; again++) expect(read.at('https://127.0.0.1/')).toBeUndefined()
})
