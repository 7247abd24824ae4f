import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { jpegBytes, jpegLogo, pngBytes, pngLogo } from '../../../../../test/harness/pictures.ts'
import { type Logo, logoFaults } from './logo.ts'

const notAPicture = [
  { path: 'logo', rule: 'picture', message: 'must be a PNG or JPEG picture of at most 200 kB' },
] as const
const tooManyPixels = ({ width, height }: { width: number; height: number }) => [
  {
    path: 'logo',
    rule: 'pixels',
    message: `must have at most 4,000,000 pixels, such as 2000 × 2000: this picture is ${width} × ${height}`,
  },
]

const png = (bytes: Uint8Array): Logo => ({
  contentType: 'image/png',
  base64: Buffer.from(bytes).toString('base64'),
})
const jpeg = (bytes: Uint8Array): Logo => ({ ...png(bytes), contentType: 'image/jpeg' })
const changed = (bytes: Buffer, at: number, ...values: number[]): Buffer => {
  bytes.set(values, at)
  return bytes
}

describe.each([
  ['PNG', pngLogo],
  ['JPEG', jpegLogo],
] as const)('a %s logo', (_kind, logo) => {
  test('is accepted up to 200 kB', () => {
    for (const length of [40, 199_999, 200_000]) expect(logoFaults(logo({ length })), String(length)).toEqual([])
    for (const length of [200_001, 200_002, 200_003, 700_000])
      expect(logoFaults(logo({ length })), String(length)).toEqual(notAPicture)
  })

  test('is accepted up to four million pixels of any shape', () => {
    for (const size of [
      { width: 1, height: 1 },
      { width: 2000, height: 2000 },
      { width: 62_500, height: 64 },
      { width: 64, height: 62_500 },
    ])
      expect(logoFaults(logo(size))).toEqual([])
    for (const size of [
      { width: 2001, height: 2000 },
      { width: 2000, height: 2001 },
      { width: 62_501, height: 64 },
      { width: 65_535, height: 65_535 },
    ])
      expect(logoFaults(logo(size))).toEqual(tooManyPixels(size))
    for (const size of [{ width: 0 }, { height: 0 }]) expect(logoFaults(logo(size))).toEqual(notAPicture)
  })

  test('must be exact base64', () => {
    const { contentType, base64 } = logo({ length: 97 })
    expect(base64).toMatch(/A==$/)
    const faulty = [
      '',
      ' ',
      ` ${base64}`,
      `${base64}\n`,
      base64.replace(/=+$/, ''),
      base64.replace(/A==$/, 'B=='),
      `${base64}${base64}`,
      `${base64.slice(0, 40)}"><script>`,
      `data:${contentType};base64,${base64}`,
      base64.replace(/^./, '_'),
    ]
    for (const text of faulty) expect(logoFaults({ contentType, base64: text }), text).toEqual(notAPicture)
  })
})

test('a logo must match its content type', () => {
  const saidToBe = (actual: string) => [
    { path: 'logo', rule: 'contentType', message: `must be the media type of the picture, which is ${actual}` },
  ]
  expect(logoFaults(jpeg(pngBytes()))).toEqual(saidToBe('image/png'))
  expect(logoFaults(png(jpegBytes()))).toEqual(saidToBe('image/jpeg'))
})

test.each([
  ['a drawing in SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
  ['a GIF', Buffer.from('GIF89a(\0\x1e\0', 'latin1')],
  ['a PDF', Buffer.from('%PDF-1.7')],
  ['a PNG that ends within its header', pngBytes().subarray(0, 32)],
  ['a PNG that begins with another chunk', changed(pngBytes(), 12, 0x74, 0x45, 0x58, 0x74)],
  ['a PNG whose line ends were changed on the way', changed(pngBytes(), 4, 0x0a, 0x0a)],
  ['a JPEG that ends before its frame', jpegBytes().subarray(0, 28)],
  ['a JPEG with tables in place of its frame', changed(jpegBytes(), 21, 0xc4)],
  ['a JPEG with an extension in place of its frame', changed(jpegBytes(), 21, 0xc8)],
  ['a JPEG with coding conditions in place of its frame', changed(jpegBytes(), 21, 0xcc)],
  ['a JPEG whose scan comes before its frame', changed(jpegBytes(), 3, 0xda)],
  ['a JPEG whose segment has a wrong length', changed(jpegBytes(), 5, 0x0f)],
  ['a JPEG whose segment leads out of it', changed(jpegBytes(), 4, 0xff, 0xff)],
])('%s is not a logo', (_what, bytes) => {
  expect(logoFaults(png(bytes))).toEqual(notAPicture)
  expect(logoFaults(jpeg(bytes))).toEqual(notAPicture)
})

test('every kind of JPEG frame is read, baseline or progressive', () => {
  for (const marker of [0xc0, 0xc1, 0xc2, 0xc3, 0xc9, 0xca])
    expect(logoFaults(jpeg(changed(jpegBytes(), 21, marker)))).toEqual([])
})

test('any bytes are accepted or refused, and never cause an error', () => {
  const start = fc.constantFrom(Buffer.alloc(0), pngBytes().subarray(0, 16), jpegBytes().subarray(0, 20))
  const bytes = fc.tuple(start, fc.uint8Array({ maxLength: 200 })).map((parts) => Buffer.concat(parts))
  fc.assert(
    fc.property(bytes, fc.constantFrom(png, jpeg), (given, as) => {
      expect(logoFaults(as(given)).length).toBeLessThanOrEqual(1)
    }),
    { numRuns: 2000 },
  )
})
