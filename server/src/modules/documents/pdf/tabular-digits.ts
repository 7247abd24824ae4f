import { characterGroups, type FontTables } from './font-tables.ts'

const names = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']
const firstDigit = 0x30
const lastDigit = 0x39
/** Glyph names below this number are from a fixed list, which has no tabular digits. */
const standardNames = 258

/**
 * The same font with digits of one width, so that numbers align in a column. The font has these digits besides its
 * usual ones. A layout engine would select them by a feature; here the character map names them.
 */
export function withTabularDigits(tables: FontTables): FontTables {
  const glyphs = glyphsByName(tables.get('post') as Buffer)
  const digits = names.map((name) => glyphs.get(`${name}.tf`))
  const first = digits[0]
  if (first === undefined || digits.some((glyph, digit) => glyph !== first + digit)) return tables
  return new Map(tables).set('cmap', mapDigits(tables.get('cmap') as Buffer, first))
}

function glyphsByName(post: Buffer): Map<string, number> {
  const glyphs = new Map<string, number>()
  if (post.readUInt32BE(0) !== 0x00020000) return glyphs
  const count = post.readUInt16BE(32)
  const own: string[] = []
  for (let at = 34 + count * 2; at < post.length; at += 1 + post.readUInt8(at))
    own.push(post.toString('latin1', at + 1, at + 1 + post.readUInt8(at)))
  for (let glyph = 0; glyph < count; glyph++) {
    const name = own[post.readUInt16BE(34 + glyph * 2) - standardNames]
    if (name !== undefined) glyphs.set(name, glyph)
  }
  return glyphs
}

function mapDigits(cmap: Buffer, firstGlyph: number): Buffer {
  const changed = Buffer.from(cmap)
  for (const { at, from, to } of characterGroups(cmap))
    if (from >= firstDigit && to <= lastDigit) changed.writeUInt32BE(firstGlyph + from - firstDigit, at + 8)
  return changed
}
