import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { plainLetterhead, sampleInvoice, sampleLine, sampleWords } from '../../../../../test/harness/sample-invoice.ts'
import { drawInvoice } from './invoice-pdf.ts'
import { drawableLogo } from './logo.ts'

function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  // The code under test does not read the checksum.
  return Buffer.concat([length, Buffer.from(type, 'latin1'), data, Buffer.alloc(4)])
}

interface Picture {
  readonly width?: number
  readonly height?: number
  readonly depth?: number
  readonly colourType?: number
  readonly interlaced?: number
  readonly pixels?: Buffer
  readonly before?: readonly Buffer[]
}

/** Four by three pixels, red, green, blue and alpha by default. */
function png({ width = 4, height = 3, depth = 8, colourType = 6, interlaced = 0, pixels, before = [] }: Picture = {}) {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width)
  head.writeUInt32BE(height, 4)
  head.set([depth, colourType, 0, 0, interlaced], 8)
  const data = deflateSync(pixels ?? Buffer.alloc(height * (1 + width * 4)))
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    ...before,
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function jpeg(width = 8, height = 8, colours = 3): Buffer {
  const frame = Buffer.from([0xff, 0xc0, 0, 17, 8, 0, 0, 0, 0, colours, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0])
  frame.writeUInt16BE(height, 5)
  frame.writeUInt16BE(width, 7)
  return Buffer.concat([Buffer.from('ffd8ffe000040000', 'hex'), frame, Buffer.from('ffd9', 'hex')])
}

const asLogo = (bytes: Buffer, contentType: 'image/png' | 'image/jpeg' = 'image/png') =>
  ({ contentType, base64: bytes.toString('base64') }) as const

const draw = (bytes: Buffer): Promise<Buffer> =>
  drawInvoice(sampleInvoice([sampleLine]), { ...plainLetterhead, logo: asLogo(bytes) }, sampleWords)

const palette = chunk('PLTE', Buffer.from([0, 0, 0, 255, 255, 255]))
const frame = chunk('fcTL', Buffer.alloc(26))
const manyPixels = { width: 4000, height: 4000, pixels: Buffer.alloc(0) }

describe('pictures that can be drawn', () => {
  test.each<[string, Buffer]>([
    ['a PNG with transparency', png()],
    ['an interlaced one', png({ interlaced: 1, pixels: Buffer.alloc(5 + 5 + 9 + 18 + 17) })],
    ['one with a palette', png({ colourType: 3, depth: 1, pixels: Buffer.alloc(6), before: [palette] })],
    ['one whose frames move', png({ before: [chunk('acTL', Buffer.alloc(8)), frame] })],
    ['a JPEG', jpeg()],
    ['a grey JPEG', jpeg(8, 8, 1)],
  ])('%s is in the PDF', async (_, bytes) => {
    expect(drawableLogo(asLogo(bytes))).toBeDefined()
    expect((await draw(bytes)).includes('/Subtype /Image')).toBe(true)
  })
})

describe('pictures that cannot be drawn', () => {
  test.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['no picture', Buffer.from('hello')],
    ['a PNG that breaks off', png().subarray(0, 50)],
    ['a PNG without its head', png().subarray(0, 8)],
    ['too few pixels', png({ pixels: Buffer.alloc(20) })],
    ['too many pixels', png({ pixels: Buffer.alloc(200) })],
    ['a filter that does not exist', png({ pixels: Buffer.alloc(3 * 17, 9) })],
    ['a depth that does not exist', png({ depth: 7 })],
    ['a colour type that does not exist', png({ colourType: 5 })],
    ['no palette where one is needed', png({ colourType: 3, depth: 1, pixels: Buffer.alloc(6) })],
    ['no width', png({ width: 0 })],
    ['a size that would fill the memory', png(manyPixels)],
    ['pixels that were not compressed', Buffer.concat([png().subarray(0, 41), Buffer.alloc(40)])],
    ['a JPEG that breaks off', jpeg().subarray(0, 12)],
    ['a JPEG of two colours', jpeg(8, 8, 2)],
    ['a JPEG without height', jpeg(8, 0)],
    ['a JPEG with nonsense between its parts', Buffer.from(`ffd8${'12'.repeat(30)}`, 'hex')],
  ])('%s is detected', (_, bytes) => {
    expect(drawableLogo(asLogo(bytes))).toBeUndefined()
  })

  test('are omitted, and the rest is drawn', async () => {
    const pdf = await draw(png({ pixels: Buffer.alloc(20) }))
    expect(pdf.includes('/Subtype /Image')).toBe(false)
    expect(pdf).toEqual(await drawInvoice(sampleInvoice([sampleLine]), plainLetterhead, sampleWords))
  })
})
