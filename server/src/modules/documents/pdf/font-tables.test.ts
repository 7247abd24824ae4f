import { describe, expect, test } from 'vitest'
import { characterGroups, readTables, withoutTables, writeTables } from './font-tables.ts'
import { documentFonts } from './fonts.ts'

const { regular, semibold } = documentFonts()

const glyphOf = (font: Buffer, character: string): number => {
  const code = character.codePointAt(0) as number
  const groups = characterGroups(readTables(font).get('cmap') as Buffer)
  const group = groups.find(({ from, to }) => from <= code && code <= to)
  return group ? group.glyph + code - group.from : 0
}

describe('tables of a font', () => {
  const tables = new Map([
    ['zzzz', Buffer.from('abcde')],
    ['aaaa', Buffer.from('1234')],
    ['GSUB', Buffer.alloc(3)],
  ])

  test('are read as they were written, in the order of their tags', () => {
    const read = readTables(writeTables(tables))
    expect([...read.keys()]).toEqual(['GSUB', 'aaaa', 'zzzz'])
    for (const [tag, bytes] of tables) expect(read.get(tag)).toEqual(bytes)
  })

  test('begin on boundaries of four bytes, and their sums are written beside them', () => {
    const font = writeTables(tables)
    expect(font.length % 4).toBe(0)
    expect(font.readUInt32BE(12 + 16 + 4)).toBe(Buffer.from('1234').readUInt32BE())
    expect([0, 1, 2].map((index) => font.readUInt32BE(12 + index * 16 + 8) % 4)).toEqual([0, 0, 0])
  })

  test('that are not needed are omitted', () => {
    expect([...withoutTables(tables, ['GSUB', 'GPOS']).keys()]).toEqual(['zzzz', 'aaaa'])
  })
})

describe.each([
  ['regular', regular],
  ['semibold', semibold],
])('the %s font of documents', (_, font) => {
  test('has no tables of layout', () => {
    const tags = [...readTables(font).keys()]
    expect(tags).toContain('glyf')
    for (const tag of ['GSUB', 'GPOS', 'GDEF']) expect(tags).not.toContain(tag)
  })

  test('has a glyph for every letter of Nigerian languages and for the signs of money', () => {
    for (const character of 'ọẹṣńụịɓɗƙƴỌẸṢỤỊƁƊƘƳǹḿàéìóúâ₦$€£−·…\u0300\u0301\u0304\u0323')
      expect(glyphOf(font, character), character).toBeGreaterThan(0)
  })

  test('has digits of one width', () => {
    const hmtx = readTables(font).get('hmtx') as Buffer
    const widths = [...'0123456789'].map((digit) => hmtx.readUInt16BE(glyphOf(font, digit) * 4))
    expect(new Set(widths).size).toBe(1)
    expect(new Set([...'0123456789'].map((digit) => glyphOf(font, digit))).size).toBe(10)
  })

  test('has accents that begin where a small letter ends', () => {
    const tables = readTables(font)
    const [glyf, loca] = [tables.get('glyf') as Buffer, tables.get('loca') as Buffer]
    const header = (character: string) => loca.readUInt32BE(glyphOf(font, character) * 4)
    const top = glyf.readInt16BE(header('o') + 8)
    for (const accent of '\u0300\u0301\u0302\u0304') expect(glyf.readInt16BE(header(accent) + 4)).toBe(top)
    expect(glyf.readInt16BE(header('\u0323') + 4)).toBeLessThan(0)
  })
})
