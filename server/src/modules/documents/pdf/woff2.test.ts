import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { fallbackFont } from './fallback-fonts.ts'
import { charactersOf, readTables } from './font-tables.ts'
import { unpackWoff2 } from './woff2.ts'

const packed = (path: string): Buffer => readFileSync(createRequire(import.meta.url).resolve(path))

test('a packed font has its letters, its rules of joining them and an outline for each, but no hints', () => {
  const tables = unpackWoff2(packed('@fontsource/noto-sans-hebrew/files/noto-sans-hebrew-hebrew-400-normal.woff2'))
  expect([...tables.keys()]).toEqual(expect.arrayContaining(['GPOS', 'GSUB', 'cmap', 'glyf', 'head', 'hmtx', 'loca']))
  expect(tables.has('fpgm')).toBe(false)
  const glyphs = (tables.get('maxp') as Buffer).readUInt16BE(4)
  const loca = tables.get('loca') as Buffer
  expect(loca.length).toBe(4 * (glyphs + 1))
  expect(loca.readUInt32BE(4 * glyphs)).toBe((tables.get('glyf') as Buffer).length)
  expect(charactersOf(tables.get('cmap') as Buffer).has(0x5d0)).toBe(true)
})

test('a font of all weights becomes one of the weight that was asked for', () => {
  const [regular, semibold] = (['regular', 'semibold'] as const).map((weight) =>
    readTables(fallbackFont('chinese/119', weight)),
  )
  expect(regular?.has('gvar')).toBe(false)
  expect(regular?.get('glyf')).not.toEqual(semibold?.get('glyf'))
  expect(regular?.get('cmap')).toEqual(semibold?.get('cmap'))
})
