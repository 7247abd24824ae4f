import { create, type Font } from 'fontkit'
import { expect, test } from 'vitest'
import { findFallbackFont, loadFallbackFont } from './fallback-fonts.ts'
import { readTables } from './font-tables.ts'

test('a web font becomes TrueType with its letters and joining rules, without hints', async () => {
  const font = await loadFallbackFont('hebrew/hebrew', 'regular')
  expect(findFallbackFont('hebrew/hebrew', 'regular')).toBe(font)
  const tags = [...readTables(font).keys()]
  expect(tags).toEqual(expect.arrayContaining(['GPOS', 'GSUB', 'cmap', 'glyf', 'head', 'hmtx', 'loca']))
  expect(tags).not.toContain('fpgm')
  expect((create(font) as Font).hasGlyphForCodePoint(0x5d0)).toBe(true)
})

test('a font of all weights becomes one of the weight that was asked for', async () => {
  expect(findFallbackFont('chinese/119', 'regular')).toBe(undefined)
  const [regular, semibold] = await Promise.all(
    (['regular', 'semibold'] as const).map(async (weight) => readTables(await loadFallbackFont('chinese/119', weight))),
  )
  expect(regular?.has('gvar')).toBe(false)
  expect(regular?.get('glyf')).not.toEqual(semibold?.get('glyf'))
  expect(regular?.get('cmap')).toEqual(semibold?.get('cmap'))
})
