import { characterGroups, type FontTables } from './font-tables.ts'

const firstMark = 0x300
const lastMark = 0x36f
const letterO = 0x6f
/** Offset in a glyph's header: the lowest point of its outline. */
const lowest = 4

/**
 * The same font with raised accents. Without the font's position table, an accent such as that of ọ́ would touch the
 * letter's box. Here the accent's box begins at the height of the letter `o`, for which accents are drawn.
 */
export function withRaisedMarks(tables: FontTables): FontTables {
  const groups = characterGroups(tables.get('cmap') as Buffer)
  const glyf = Buffer.from(tables.get('glyf') as Buffer)
  const headerOf = (character: number): number | undefined => {
    const group = groups.find(({ from, to }) => from <= character && character <= to)
    return group && outlineStart(tables, group.glyph + character - group.from)
  }
  const o = headerOf(letterO)
  if (o === undefined) return tables
  const top = glyf.readInt16BE(o + 8)
  for (let mark = firstMark; mark <= lastMark; mark++) {
    const header = headerOf(mark)
    if (header !== undefined && glyf.readInt16BE(header + lowest) > top) glyf.writeInt16BE(top, header + lowest)
  }
  return new Map(tables).set('glyf', glyf)
}

/** `undefined` if a glyph has no outline. */
function outlineStart(tables: FontTables, glyph: number): number | undefined {
  const loca = tables.get('loca') as Buffer
  const isLong = (tables.get('head') as Buffer).readInt16BE(50) === 1
  const at = (index: number) => (isLong ? loca.readUInt32BE(index * 4) : loca.readUInt16BE(index * 2) * 2)
  return at(glyph + 1) > at(glyph) ? at(glyph) : undefined
}
