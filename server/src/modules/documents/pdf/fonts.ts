import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { characterGroups, readTables, withoutTables, writeTables } from './font-tables.ts'
import { withRaisedMarks } from './raised-marks.ts'
import { withTabularDigits } from './tabular-digits.ts'

export type Weight = 'regular' | 'semibold'

const files: Readonly<Record<Weight, string>> = {
  regular: '400Regular/Inter_400Regular.ttf',
  semibold: '600SemiBold/Inter_600SemiBold.ttf',
}

/** With these a page takes ten times as long to draw, for ligatures and kerning that nobody would miss on an invoice. */
const layoutTables = ['GSUB', 'GPOS', 'GDEF', 'STAT']

function load(weight: Weight): Buffer {
  const path = createRequire(import.meta.url).resolve(`@expo-google-fonts/inter/${files[weight]}`)
  return writeTables(withoutTables(withRaisedMarks(withTabularDigits(readTables(readFileSync(path)))), layoutTables))
}

let loaded: Readonly<Record<Weight, Buffer>> | undefined

/** The fonts of every document, read from the package when the first one is drawn. */
export function documentFonts(): Readonly<Record<Weight, Buffer>> {
  loaded ??= { regular: load('regular'), semibold: load('semibold') }
  return loaded
}

const usual = /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u017f₦−]*$/
const unseen = /\p{Default_Ignorable_Code_Point}/gu
const control = /[^\S\n]|[\p{Cc}\p{Cs}]/u
const noLetter = '□'

let drawn: ReadonlySet<number> | undefined

/** Characters that the fonts draw: both have the same. */
function drawnCharacters(): ReadonlySet<number> {
  const groups = characterGroups(readTables(documentFonts().regular).get('cmap') as Buffer)
  return new Set(groups.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, index) => from + index)))
}

/**
 * The text as the fonts can draw it. What they have no letter for becomes an empty box of a known width; a font's own
 * mark for that is written into the file with a wrong one.
 */
export function drawable(text: string): string {
  if (usual.test(text)) return text
  drawn ??= drawnCharacters()
  const known = drawn
  return text
    .normalize('NFC')
    .replace(/\r\n|[\r\u2028\u2029]/g, '\n')
    .replace(unseen, '')
    .replace(/[^\n]/gsu, (character) => {
      if (control.test(character)) return ' '
      return known.has(character.codePointAt(0) as number) ? character : noLetter
    })
}
