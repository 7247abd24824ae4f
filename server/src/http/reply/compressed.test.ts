import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { casesToTry } from '../../../../test/harness/runs.ts'
import { Tail, takesGzip } from './compressed.ts'

test('a compressed head and a precompressed tail decompress to both', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 500 }),
      fc.array(fc.string(), { minLength: 1 }),
      (text, heads) => {
        const tail = new Tail(text)
        for (const head of heads)
          expect(gunzipSync(tail.gzipAfter(head)).toString()).toBe(Buffer.from(head + text).toString())
      },
    ),
    { numRuns: casesToTry(60, 300) },
  )
})

test.each([
  [undefined, false],
  ['', false],
  ['gzip', true],
  ['GZIP', true],
  ['br, gzip;q=0.5', true],
  ['gzip;q=0', false],
  ['gzip;q=0.000, *', false],
  ['*', true],
  ['br, deflate', false],
  ['identity', false],
])('Accept-Encoding: %s accepts gzip: %s', (header, takes) => {
  expect(takesGzip(header)).toBe(takes)
})
