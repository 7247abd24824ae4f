/** The tables of a TrueType font by their four-letter tags. */
export type FontTables = ReadonlyMap<string, Buffer>

const headerBytes = 12
const entryBytes = 16

export function readTables(font: Buffer): FontTables {
  const tables = new Map<string, Buffer>()
  for (let index = 0; index < font.readUInt16BE(4); index++) {
    const entry = headerBytes + index * entryBytes
    const start = font.readUInt32BE(entry + 8)
    tables.set(font.toString('latin1', entry, entry + 4), font.subarray(start, start + font.readUInt32BE(entry + 12)))
  }
  return tables
}

/** A font file of these tables, sorted by tag and aligned to four bytes, as the format requires. */
export function writeTables(tables: FontTables): Buffer {
  const sorted = [...tables].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const starts: number[] = []
  let end = headerBytes + sorted.length * entryBytes
  for (const [, bytes] of sorted) {
    starts.push(end)
    end += Math.ceil(bytes.length / 4) * 4
  }
  const font = Buffer.alloc(end)
  const steps = Math.floor(Math.log2(sorted.length))
  font.writeUInt32BE(0x00010000, 0)
  font.writeUInt16BE(sorted.length, 4)
  font.writeUInt16BE(2 ** steps * entryBytes, 6)
  font.writeUInt16BE(steps, 8)
  font.writeUInt16BE((sorted.length - 2 ** steps) * entryBytes, 10)
  for (const [index, [tag, bytes]] of sorted.entries()) {
    const entry = headerBytes + index * entryBytes
    const start = starts[index] as number
    bytes.copy(font, start)
    font.write(tag, entry, 'latin1')
    font.writeUInt32BE(checksum(font, start, bytes.length), entry + 4)
    font.writeUInt32BE(start, entry + 8)
    font.writeUInt32BE(bytes.length, entry + 12)
  }
  return font
}

function checksum(font: Buffer, start: number, length: number): number {
  let sum = 0
  for (let at = start; at < start + length; at += 4) sum = (sum + font.readUInt32BE(at)) >>> 0
  return sum
}

export const withoutTables = (tables: FontTables, tags: readonly string[]): FontTables =>
  new Map([...tables].filter(([tag]) => !tags.includes(tag)))

/** Consecutive characters with consecutive glyphs. */
export interface CharacterGroup {
  /** offset of the group in the table */
  readonly at: number
  readonly from: number
  readonly to: number
  readonly glyph: number
}

/** The groups of the Unicode character map, which readers prefer. */
export function characterGroups(cmap: Buffer): CharacterGroup[] {
  for (let index = 0; index < cmap.readUInt16BE(2); index++) {
    const start = cmap.readUInt32BE(8 + index * 8)
    if (cmap.readUInt16BE(start) !== 12) continue
    return Array.from({ length: cmap.readUInt32BE(start + 12) }, (_, group) => {
      const at = start + 16 + group * 12
      return { at, from: cmap.readUInt32BE(at), to: cmap.readUInt32BE(at + 4), glyph: cmap.readUInt32BE(at + 8) }
    })
  }
  return []
}

/** Every character that a font has a glyph for. */
export const charactersOf = (cmap: Buffer): ReadonlySet<number> =>
  new Set(
    characterGroups(cmap).flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, index) => from + index)),
  )
