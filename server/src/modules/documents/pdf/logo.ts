import { inflateSync } from 'node:zlib'
import type { Letterhead } from '../../../kernel/invoice-document.ts'

const mostPixels = 4_000_000

/**
 * The bytes of a logo that can be drawn, else `undefined`. Users upload logos, and the library reads some of them
 * when its errors can no longer be caught. So everything that could fail there is checked here.
 */
export function drawableLogo(logo: Letterhead['logo']): Buffer | undefined {
  if (!logo) return undefined
  const bytes = Buffer.from(logo.base64, 'base64')
  return bytes[0] === 0xff ? drawableJpeg(bytes) : drawablePng(bytes)
}

const sound = (width: number, height: number): boolean => width > 0 && height > 0 && width * height <= mostPixels

/** The frame header gives the size and the number of colours; the rest is passed on unchanged. */
function drawableJpeg(bytes: Buffer): Buffer | undefined {
  if (bytes[1] !== 0xd8) return undefined
  for (let at = 2; at + 10 <= bytes.length; ) {
    const marker = bytes.readUInt8(at + 1)
    if (bytes[at] !== 0xff || marker === 0xff || marker < 0xc0) return undefined
    const startsFrame = marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (startsFrame) {
      const colours = bytes.readUInt8(at + 9)
      const drawable = [1, 3, 4].includes(colours) && sound(bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5))
      return drawable ? bytes : undefined
    }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}

const signature = Buffer.from('89504e470d0a1a0a', 'hex')
const drawnChunks = ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']
/** Colour type → channels per pixel, and its allowed depths. */
const colourTypes: Readonly<Record<number, readonly [channels: number, depths: readonly number[]]>> = {
  0: [1, [1, 2, 4, 8, 16]],
  2: [3, [8, 16]],
  3: [1, [1, 2, 4, 8]],
  4: [2, [8, 16]],
  6: [4, [8, 16]],
}

interface Chunk {
  readonly type: string
  readonly data: Buffer
  readonly whole: Buffer
}

function chunksOf(png: Buffer): Chunk[] {
  const chunks: Chunk[] = []
  for (let at = signature.length; at + 12 <= png.length; ) {
    const end = at + 12 + png.readUInt32BE(at)
    if (end > png.length) return []
    const type = png.toString('latin1', at + 4, at + 8)
    chunks.push({ type, data: png.subarray(at + 8, end - 4), whole: png.subarray(at, end) })
    if (type === 'IEND') return chunks
    at = end
  }
  return []
}

/** Keeps only the chunks of the picture, without animation frames and comments. */
function drawablePng(bytes: Buffer): Buffer | undefined {
  if (!bytes.subarray(0, signature.length).equals(signature)) return undefined
  const chunks = chunksOf(bytes).filter(({ type }) => drawnChunks.includes(type))
  const head = chunks[0]
  if (head?.type !== 'IHDR' || head.data.length !== 13) return undefined
  const [width, height] = [head.data.readUInt32BE(0), head.data.readUInt32BE(4)]
  const [depth = 0, colourType = 0, , , interlaced = 0] = head.data.subarray(8)
  const [channels, depths] = colourTypes[colourType] ?? [0, []]
  if (!sound(width, height) || !depths.includes(depth) || interlaced > 1) return undefined
  const palette = chunks.find(({ type }) => type === 'PLTE')?.data.length ?? 0
  if (palette % 3 !== 0 || palette > 768 || (colourType === 3 && palette === 0)) return undefined
  const pixels = inflated(Buffer.concat(chunks.flatMap(({ type, data }) => (type === 'IDAT' ? [data] : []))))
  const rows = interlaced ? interlacedRows(width, height) : Array.from({ length: height }, () => width)
  if (!pixels || !rowsFill(pixels, rows, depth * channels)) return undefined
  return Buffer.concat([signature, ...chunks.map(({ whole }) => whole)])
}

function inflated(data: Buffer): Buffer | undefined {
  try {
    return inflateSync(data, { maxOutputLength: mostPixels * 9 })
  } catch {
    return undefined
  }
}

/** The pixels per row of each of the seven passes. */
function interlacedRows(width: number, height: number): number[] {
  const passes = [
    [0, 0, 8, 8],
    [4, 0, 8, 8],
    [0, 4, 4, 8],
    [2, 0, 4, 4],
    [0, 2, 2, 4],
    [1, 0, 2, 2],
    [0, 1, 1, 2],
  ] as const
  return passes.flatMap(([left, top, across, down]) => {
    const pixels = Math.max(0, Math.ceil((width - left) / across))
    const rows = Math.max(0, Math.ceil((height - top) / down))
    return pixels === 0 ? [] : Array.from({ length: rows }, () => pixels)
  })
}

/** Whether the rows fill the bytes exactly, each with a valid filter. */
function rowsFill(bytes: Buffer, rows: readonly number[], bitsPerPixel: number): boolean {
  let at = 0
  for (const pixels of rows) {
    if ((bytes[at] ?? 255) > 4) return false
    at += 1 + Math.ceil((pixels * bitsPerPixel) / 8)
  }
  return at === bytes.length
}
