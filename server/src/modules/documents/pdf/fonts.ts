import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fallbackFor, isListed } from './fallback-fonts.ts'
import { charactersOf, readTables, withoutTables, writeTables } from './font-tables.ts'
import { withRaisedMarks } from './raised-marks.ts'
import { directionMark } from './runs.ts'
import type { Weight } from './style.ts'
import { withTabularDigits } from './tabular-digits.ts'

const files: Readonly<Record<Weight, string>> = {
  regular: '400Regular/Inter_400Regular.ttf',
  semibold: '600SemiBold/Inter_600SemiBold.ttf',
}

/** With these tables drawing takes ten times as long, for ligatures and kerning that an invoice does not need. */
const layoutTables = ['GSUB', 'GPOS', 'GDEF', 'STAT']

function load(weight: Weight): Buffer {
  const path = createRequire(import.meta.url).resolve(`@expo-google-fonts/inter/${files[weight]}`)
  return writeTables(withoutTables(withRaisedMarks(withTabularDigits(readTables(readFileSync(path)))), layoutTables))
}

let loaded: Readonly<Record<Weight, Buffer>> | undefined

/** The fonts of every document, read from the package on first use. */
export function documentFonts(): Readonly<Record<Weight, Buffer>> {
  loaded ??= { regular: load('regular'), semibold: load('semibold') }
  return loaded
}

const usual = /^[\x20-\x7e\u00a0-\u00ac\u00ae-\u017f₦−]*$/
const unseen = /\p{Default_Ignorable_Code_Point}/gu
const control = /[^\S\n\u00a0]|[\p{Cc}\p{Cs}]/u
const noLetter = '□'

let drawn: ReadonlySet<number> | undefined

/** Whether the usual fonts have a character: both have the same ones. */
export function isUsual(character: string): boolean {
  drawn ??= charactersOf(readTables(documentFonts().regular).get('cmap') as Buffer)
  return drawn.has(character.codePointAt(0) as number)
}

/** Whether a text needs only the usual font and no separate accents, as nearly every text does. */
export const isPlain = (text: string): boolean =>
  usual.test(text) ||
  (!accent.test(text) &&
    !directionMark.test(text) &&
    [...text].every((character) => character === '\n' || isUsual(character)))
const accent = /\p{M}/u

/** These decide in some scripts whether letters join. */
const joiner =
  /(?<=[\p{Script=Arabic}\p{Script=Devanagari}\p{M}])[\u200c\u200d](?=[\p{Script=Arabic}\p{Script=Devanagari}])/gu

/**
 * The text as the fonts can draw it. A letter that no font has becomes an empty box of a known width, because the
 * fonts' own box is written with a wrong one.
 */
export function drawable(text: string): string {
  if (usual.test(text)) return text
  const clean = cleaned(text)
  return clean.replace(/[^\n]/gsu, (character) => (isDrawn(character, clean) ? character : noLetter))
}

/** The skin colour of an emoji, and the key around a digit: the meaning is the same without them. */
const adornment = /(?<=\p{Emoji_Modifier_Base}\ufe0f?)\p{Emoji_Modifier}|(?<=[0-9#*]\ufe0f?)\u20e3/gu

function cleaned(whole: string): string {
  const text = whole.replace(adornment, '')
  const joiners = new Set([...text.matchAll(joiner)].map(({ index }) => index))
  return (
    text
      .replace(unseen, (character, index: number) =>
        joiners.has(index) || directionMark.test(character) ? character : '',
      )
      // Narrow spaces between thousands; like the wide one, no line breaks there.
      .replaceAll('\u202f', '\u00a0')
      .normalize('NFC')
      .replace(/\r\n|[\r\u2028\u2029]/g, '\n')
      .replace(/[^\n]/gsu, (character) => (control.test(character) ? ' ' : character))
  )
}

const isDrawn = (character: string, text: string): boolean =>
  character === '\u200c' ||
  character === '\u200d' ||
  directionMark.test(character) ||
  isUsual(character) ||
  fallbackFor(character, text) !== undefined

/** The characters of a text that no font has, each once. Fast enough for the main thread. */
export function undrawable(text: string): readonly string[] {
  if (usual.test(text)) return []
  const isKnown = (character: string) =>
    /[\n\u200c\u200d]/.test(character) || directionMark.test(character) || isUsual(character) || isListed(character)
  return [...new Set(cleaned(text))].filter((character) => !isKnown(character))
}
