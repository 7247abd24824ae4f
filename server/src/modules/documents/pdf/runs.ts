import bidiFactory from 'bidi-js'
import { drawsToo, type FallbackFont, fallbackFor } from './fallback-fonts.ts'

// Its types are those of a module with a default export; what Node imports is the function itself.
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)()
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** A piece of a line that is drawn at once. The pieces of a line stand from left to right. */
export interface Run {
  /** as the font's own rules of joining and placing letters want to see it */
  readonly text: string
  /** what its signs stand for, in their order, where they do not tell by themselves */
  readonly meant?: string
  /** the usual font where there is none */
  readonly font: FallbackFont | undefined
}

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}]/u
const mark = /[\p{M}\u200c\u200d]/u
const mirrored = (text: string): string =>
  [...text].map((character) => bidi.getMirroredCharacter(character) ?? character).join('')
const reversed = (text: string): string =>
  [...graphemes.segment(text)]
    .map(({ segment }) => segment)
    .toReversed()
    .join('')

/** Where a paragraph begins: on the right if its first letter is of a script that is read from there. */
export const directionOf = (text: string): 'ltr' | 'rtl' =>
  rightToLeft.test(text) && (bidi.getEmbeddingLevels(text).paragraphs[0]?.level ?? 0) % 2 === 1 ? 'rtl' : 'ltr'

interface Stretch {
  text: string
  readonly font: FallbackFont | undefined
  readonly level: number
}

/** The line in pieces of one font and one direction each. `isUsual` says what the usual font draws. */
export function runsOf(line: string, direction: 'ltr' | 'rtl', isUsual: (character: string) => boolean): Run[] {
  const levels = rightToLeft.test(line) ? bidi.getEmbeddingLevels(line, direction).levels : undefined
  const stretches: Stretch[] = []
  let at = 0
  for (const character of line) {
    const before = stretches.at(-1)
    const level = levels?.[at] ?? 0
    at += character.length
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

/** Scripts that draw some vowels before the letter that they are spoken after. */
const reordering = /^(devanagari|thai)\//
export const isFromRight = (font: FallbackFont): boolean => /^(arabic|hebrew)\//.test(font)

/** An accent that is set over a letter by itself, as in Yoruba, lies at another height than the letter: readers would part them. */
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

/** From left to right: whatever is nested deeper is turned around first. */
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

/** A tone over a Thai vowel that is half above and half behind its letter stands on top of the upper half. */
const thaiVowel = /([\u0e48-\u0e4b]?)\u0e33/g

/** A script that is read from the right is turned around by its font; everything else is, where it stands among it, here. */
function forFont(text: string, font: FallbackFont | undefined, isFromRight: boolean): string {
  const shown = isFromRight ? mirrored(text) : text
  if (font?.startsWith('thai')) return shown.replace(thaiVowel, '\u0e4d$1\u0e32')
  return isFromRight === rightToLeft.test(shown) ? shown : reversed(shown)
}
