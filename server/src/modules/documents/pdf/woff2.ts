import { brotliDecompressSync } from 'node:zlib'
import type { FontTables } from './font-tables.ts'

/** Tags that the format writes as a number, in its order. */
const knownTags = (
  'cmap head hhea hmtx maxp name OS/2 post cvt_ fpgm glyf loca prep CFF_ VORG EBDT EBLC gasp hdmx kern LTSH PCLT VDMX ' +
  'vhea vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH CBDT CBLC COLR CPAL SVG_ sbix acnt avar bdat bloc bsln cvar fdsc feat ' +
  'fmtx fvar gvar hsty just lcar mort morx opbd prop trak Zapf Silf Glat Gloc Feat Sill'
)
  .split(' ')
  .map((tag) => tag.replace('_', ' '))

const headerBytes = 48
const arbitraryTag = 63
/** Hints are for low-resolution screens; paper needs none. */
const hintTables = ['cvt ', 'fpgm', 'prep', 'gasp']

/** Sequential reading of bytes. */
class Stream {
  readonly #bytes: Buffer
  #at: number

  constructor(bytes: Buffer, at = 0) {
    this.#bytes = bytes
    this.#at = at
  }

  take(length: number): Buffer {
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }

  byte(): number {
    return this.#bytes.readUInt8(this.#at++)
  }

  int16(): number {
    this.#at += 2
    return this.#bytes.readInt16BE(this.#at - 2)
  }

  uint16(): number {
    this.#at += 2
    return this.#bytes.readUInt16BE(this.#at - 2)
  }

  uint32(): number {
    this.#at += 4
    return this.#bytes.readUInt32BE(this.#at - 4)
  }

  /** Seven bits per byte; the highest bit says that more follow. */
  base128(): number {
    let value = 0
    for (let read = 0; read < 5; read++) {
      const byte = this.byte()
      value = value * 128 + (byte & 0x7f)
      if (byte < 0x80) break
    }
    return value
  }

  /** One byte for most counts. */
  shortCount(): number {
    const first = this.byte()
    if (first === 253) return this.uint16()
    if (first === 255) return this.byte() + 253
    return first === 254 ? this.byte() + 506 : first
  }
}

interface Entry {
  readonly tag: string
  readonly length: number
  readonly isTransformed: boolean
}

function readDirectory(stream: Stream, count: number): Entry[] {
  return Array.from({ length: count }, () => {
    const flags = stream.byte()
    const tag = (flags & 63) === arbitraryTag ? stream.take(4).toString('latin1') : (knownTags[flags & 63] as string)
    const whole = stream.base128()
    const version = flags >> 6
    const isTransformed = tag === 'glyf' || tag === 'loca' ? version === 0 : version !== 0
    return { tag, isTransformed, length: isTransformed ? stream.base128() : whole }
  })
}

/** The tables of a WOFF2 font, as in a TrueType file but without hints. */
export function unpackWoff2(font: Buffer): FontTables {
  const stream = new Stream(font, headerBytes)
  const entries = readDirectory(stream, font.readUInt16BE(12))
  const packed = new Stream(brotliDecompressSync(stream.take(font.readUInt32BE(20))))
  const raw = new Map(entries.map(({ tag, length }) => [tag, packed.take(length)]))
  const tables = new Map([...raw].filter(([tag]) => !hintTables.includes(tag)))
  const isTransformed = (tag: string) => entries.some((entry) => entry.tag === tag && entry.isTransformed)
  if (!isTransformed('glyf')) return tables
  const outlines = unpackOutlines(raw.get('glyf') as Buffer)
  const head = Buffer.from(raw.get('head') as Buffer)
  head.writeInt16BE(1, 50)
  tables.set('head', head).set('glyf', outlines.glyf).set('loca', outlines.loca)
  if (isTransformed('hmtx')) {
    const count = (raw.get('hhea') as Buffer).readUInt16BE(34)
    tables.set('hmtx', unpackWidths(raw.get('hmtx') as Buffer, count, outlines.lefts))
  }
  return tables
}

interface Point {
  readonly x: number
  readonly y: number
  readonly isOnCurve: boolean
}

const signed = (flag: number, value: number): number => ((flag & 1) === 1 ? value : -value)

/** The step from the point before, in one to four bytes by its flag. */
function readStep(flag: number, stream: Stream): readonly [number, number] {
  if (flag < 10) return [0, signed(flag, ((flag & 14) << 7) + stream.byte())]
  if (flag < 20) return [signed(flag, (((flag - 10) & 14) << 7) + stream.byte()), 0]
  if (flag < 84) {
    const byte = stream.byte()
    const kind = flag - 20
    return [signed(flag, 1 + (kind & 0x30) + (byte >> 4)), signed(flag >> 1, 1 + ((kind & 0x0c) << 2) + (byte & 0x0f))]
  }
  if (flag < 120) {
    const kind = flag - 84
    const across = 1 + (Math.floor(kind / 12) << 8) + stream.byte()
    return [signed(flag, across), signed(flag >> 1, 1 + (((kind % 12) >> 2) << 8) + stream.byte())]
  }
  if (flag < 124) {
    const [first, second, third] = [stream.byte(), stream.byte(), stream.byte()]
    return [signed(flag, (first << 4) + (second >> 4)), signed(flag >> 1, ((second & 0x0f) << 8) + third)]
  }
  const across = stream.uint16()
  return [signed(flag, across), signed(flag >> 1, stream.uint16())]
}

interface Outlines {
  readonly glyf: Buffer
  readonly loca: Buffer
  /** left edge of each glyph */
  readonly lefts: readonly number[]
}

/** The outlines are in seven streams, by kind of number: this rebuilds each glyph. */
function unpackOutlines(bytes: Buffer): Outlines {
  const head = new Stream(bytes, 4)
  const count = head.uint16()
  head.uint16()
  const sizes = Array.from({ length: 7 }, () => head.uint32())
  const [contours, counts, flags, steps, composites, boxes] = sizes.map((size) => new Stream(head.take(size))) as [
    Stream,
    Stream,
    Stream,
    Stream,
    Stream,
    Stream,
  ]
  const boxed = boxes.take(4 * Math.ceil(count / 32))
  const glyphs: Buffer[] = []
  const loca = Buffer.alloc(4 * (count + 1))
  const lefts: number[] = []
  let end = 0
  for (let index = 0; index < count; index++) {
    const contourCount = contours.int16()
    const box = ((boxed[index >> 3] as number) & (0x80 >> (index & 7))) !== 0 ? boxes.take(8) : undefined
    const glyph =
      contourCount === 0
        ? Buffer.alloc(0)
        : contourCount < 0
          ? readComposite(composites, steps, box as Buffer)
          : readSimple(contourCount, { counts, flags, steps }, box)
    lefts.push(glyph.length > 0 ? glyph.readInt16BE(2) : 0)
    glyphs.push(glyph)
    end += glyph.length
    loca.writeUInt32BE(end, 4 * (index + 1))
  }
  return { glyf: Buffer.concat(glyphs), loca, lefts }
}

const evenly = (glyph: Buffer): Buffer => Buffer.concat([glyph], Math.ceil(glyph.length / 4) * 4)

interface SimpleStreams {
  readonly counts: Stream
  readonly flags: Stream
  readonly steps: Stream
}

function readSimple(contourCount: number, { counts, flags, steps }: SimpleStreams, box: Buffer | undefined): Buffer {
  const ends: number[] = []
  for (let contour = 0; contour < contourCount; contour++) ends.push((ends.at(-1) ?? -1) + counts.shortCount())
  const points: Point[] = []
  let [x, y] = [0, 0]
  for (let index = 0; index <= (ends.at(-1) as number); index++) {
    const flag = flags.byte()
    const [across, up] = readStep(flag & 0x7f, steps)
    x += across
    y += up
    points.push({ x, y, isOnCurve: flag < 0x80 })
  }
  // Skips the length of the hints, which are left out.
  steps.shortCount()
  return writeSimple(ends, points, box)
}

function writeSimple(ends: readonly number[], points: readonly Point[], box: Buffer | undefined): Buffer {
  const glyph = Buffer.alloc(10 + ends.length * 2 + 2 + points.length * 5)
  glyph.writeInt16BE(ends.length, 0)
  const bounds = [
    points.reduce((least, { x }) => Math.min(least, x), 0x7fff),
    points.reduce((least, { y }) => Math.min(least, y), 0x7fff),
    points.reduce((most, { x }) => Math.max(most, x), -0x8000),
    points.reduce((most, { y }) => Math.max(most, y), -0x8000),
  ]
  for (const [index, bound] of bounds.entries()) glyph.writeInt16BE(bound, 2 + index * 2)
  box?.copy(glyph, 2)
  for (const [index, end] of ends.entries()) glyph.writeUInt16BE(end, 10 + index * 2)
  let at = 12 + ends.length * 2
  for (const { isOnCurve } of points) glyph.writeUInt8(isOnCurve ? 1 : 0, at++)
  for (const axis of ['x', 'y'] as const) {
    let before = 0
    for (const point of points) {
      glyph.writeInt16BE(point[axis] - before, at)
      before = point[axis]
      at += 2
    }
  }
  return evenly(glyph)
}

const composite = { words: 0x1, scale: 0x8, more: 0x20, scales: 0x40, matrix: 0x80, hints: 0x100 } as const

/** More than any composite letter has. */
const mostParts = 256

function readComposite(composites: Stream, steps: Stream, box: Buffer): Buffer {
  const parts = [Buffer.from([0xff, 0xff]), box]
  let hasHints = false
  for (let part = 0; part < mostParts; part++) {
    const flags = composites.uint16()
    hasHints ||= (flags & composite.hints) !== 0
    const kept = Buffer.alloc(2)
    kept.writeUInt16BE(flags & ~composite.hints)
    const scale = flags & composite.matrix ? 8 : flags & composite.scales ? 4 : flags & composite.scale ? 2 : 0
    parts.push(kept, composites.take(2 + (flags & composite.words ? 4 : 2) + scale))
    if ((flags & composite.more) === 0) break
  }
  if (hasHints) steps.shortCount()
  return evenly(Buffer.concat(parts))
}

/** The packed widths omit a left edge that the outline gives. */
function unpackWidths(bytes: Buffer, widthCount: number, lefts: readonly number[]): Buffer {
  const stream = new Stream(bytes)
  const flags = stream.byte()
  const widths = Array.from({ length: widthCount }, () => stream.uint16())
  const own = lefts.slice(0, widthCount).map((left) => ((flags & 1) === 0 ? stream.int16() : left))
  const others = lefts.slice(widthCount).map((left) => ((flags & 2) === 0 ? stream.int16() : left))
  const table = Buffer.alloc(widthCount * 4 + others.length * 2)
  for (const [index, width] of widths.entries()) {
    table.writeUInt16BE(width, index * 4)
    table.writeInt16BE(own[index] as number, index * 4 + 2)
  }
  for (const [index, left] of others.entries()) table.writeInt16BE(left, widthCount * 4 + index * 2)
  return table
}
