import bidiFactory from 'bidi-js'
import { drawsToo, type FallbackFont, fallbackFor } from './fallback-fonts.ts'

// The types describe a default export, but Node imports the function itself.
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)()
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** A piece of a line that is drawn at once. The pieces are ordered from left to right. */
export interface Run {
  /** as the font's shaping rules expect it */
  readonly text: string
  /** the text that the glyphs stand for, if they do not show it themselves */
  readonly meant?: string
  /** `undefined`: the usual font */
  readonly font: FallbackFont | undefined
}

const rightToLeft = /[\u200f\p{Script=Arabic}\p{Script=Hebrew}]/u
/** Marks of writing direction have no glyph. With them, a name in one script does not change the order of the words around it. */
export const directionMark = /[\u200e\u200f\u2066-\u2069]/
const mark = /[\p{M}\u200c\u200d]/u
const mirrored = (text: string): string =>
  [...text].map((character) => bidi.getMirroredCharacter(character) ?? character).join('')
const reversed = (text: string): string =>
  [...graphemes.segment(text)]
    .map(({ segment }) => segment)
    .toReversed()
    .join('')

/** A paragraph starts on the right if its first letter is of a right-to-left script. */
export const directionOf = (text: string): 'ltr' | 'rtl' =>
  rightToLeft.test(text) && (bidi.getEmbeddingLevels(text).paragraphs[0]?.level ?? 0) % 2 === 1 ? 'rtl' : 'ltr'

interface Stretch {
  text: string
  readonly font: FallbackFont | undefined
  readonly level: number
}

/** Splits a line into pieces of one font and one direction. `isUsual` says what the usual font has. */
export function runsOf(line: string, direction: 'ltr' | 'rtl', isUsual: (character: string) => boolean): Run[] {
  const levels = rightToLeft.test(line) ? bidi.getEmbeddingLevels(line, direction).levels : undefined
  const stretches: Stretch[] = []
  let at = 0
  for (const character of line) {
    const before = stretches.at(-1)
    const level = levels?.[at] ?? 0
    at += character.length
    if (directionMark.test(character)) continue
    const font = fontOf(character, before, line, isUsual)
    if (before && before.font === font && (before.level === level || mark.test(character))) before.text += character
    else stretches.push({ text: character, font, level })
  }
  return inOrder(stretches).flatMap(({ text, font, level }): Run[] => {
    const turned = level % 2 === 1
    if (!font && !turned && accent.test(text)) return text.split(accentedWord).filter(Boolean).map(usualRun)
    const meant = font && reordering.test(font) ? text : turned && mirrored(text) !== text ? reversed(text) : undefined
    return [{ font, text: forFont(text, font, turned), ...(meant !== undefined && { meant }) }]
  })
}

/** Scripts that draw some vowels before the letter that they follow in speech. */
const reordering = /^(devanagari|thai)\//
export const isFromRight = (font: FallbackFont): boolean => /^(arabic|hebrew)\//.test(font)

/** A separate accent, as in Yoruba, has another height than its letter: PDF readers would separate them. */
const accent = /\p{M}/u
const accentedWord = /(\S*\p{M}\S*)/u
const usualRun = (text: string): Run => ({ font: undefined, text, ...(accent.test(text) && { meant: text }) })

function fontOf(
  character: string,
  before: Stretch | undefined,
  line: string,
  isUsual: (character: string) => boolean,
): FallbackFont | undefined {
  if (before?.font && mark.test(character) && drawsToo(before.font, character)) return before.font
  return isUsual(character) ? undefined : fallbackFor(character, line)
}

/** From left to right: deeper nested parts are reversed first. */
function inOrder(stretches: readonly Stretch[]): readonly Stretch[] {
  const ordered = [...stretches]
  const deepest = Math.max(0, ...stretches.map(({ level }) => level))
  for (let level = deepest; level > 0; level--) {
    for (let start = 0; start < ordered.length; start++) {
      let end = start
      while (end < ordered.length && (ordered[end] as Stretch).level >= level) end++
      if (end > start + 1) ordered.splice(start, end - start, ...ordered.slice(start, end).toReversed())
      start = Math.max(start, end)
    }
  }
  return ordered
}

/** A tone on a Thai vowel that is half above and half behind its letter belongs on the upper half. */
const thaiVowel = /([\u0e48-\u0e4b]?)\u0e33/g

/** The font reverses right-to-left scripts itself; all other text inside them is reversed here. */
function forFont(text: string, font: FallbackFont | undefined, isFromRight: boolean): string {
  const shown = isFromRight ? mirrored(text) : text
  if (font?.startsWith('thai')) return shown.replace(thaiVowel, '\u0e4d$1\u0e32')
  return isFromRight === rightToLeft.test(shown) ? shown : reversed(shown)
}
