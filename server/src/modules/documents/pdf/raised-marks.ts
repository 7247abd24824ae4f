import { characterGroups, type FontTables } from './font-tables.ts'

const firstMark = 0x300
const lastMark = 0x36f
const letterO = 0x6f
/** Of a glyph's header: how far down its outline reaches. */
const lowest = 4

/**
 * The same font whose accents keep their distance from the letter below. Without the font's own table of positions an
 * accent such as that of ọ́ is set so that its box touches the letter's: here the box begins where the letter `o` ends,
 * which is the height that accents are drawn for.
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

/** Nothing where a glyph has no outline. */
function outlineStart(tables: FontTables, glyph: number): number | undefined {
  const loca = tables.get('loca') as Buffer
  const isLong = (tables.get('head') as Buffer).readInt16BE(50) === 1
  const at = (index: number) => (isLong ? loca.readUInt32BE(index * 4) : loca.readUInt16BE(index * 2) * 2)
  return at(glyph + 1) > at(glyph) ? at(glyph) : undefined
}
