import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Font } from 'fontkit'
import type { Weight } from './style.ts'

/** A font of one script, or of a part of a script with too many letters for one file. */
export type FallbackFont = string

interface Family {
  readonly name: string
  /** the letters that it is used for; some may be in only one of several fonts */
  readonly letters: RegExp
  /** one file for all weights, in parts, without shaping of letters */
  readonly isInParts?: true
}

const easternLetters =
  /[\p{Script_Extensions=Han}\p{Script_Extensions=Hangul}\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}\u3000-\u303f\uff00-\uffef]/u

const families = {
  arabic: { name: 'noto-sans-arabic', letters: /\p{Script_Extensions=Arabic}/u },
  hebrew: { name: 'noto-sans-hebrew', letters: /\p{Script_Extensions=Hebrew}/u },
  devanagari: { name: 'noto-sans-devanagari', letters: /\p{Script_Extensions=Devanagari}/u },
  thai: { name: 'noto-sans-thai', letters: /\p{Script_Extensions=Thai}/u },
  ethiopic: { name: 'noto-sans-ethiopic', letters: /\p{Script_Extensions=Ethiopic}/u },
  korean: { name: 'noto-sans-kr', letters: easternLetters, isInParts: true },
  japanese: { name: 'noto-sans-jp', letters: easternLetters, isInParts: true },
  chinese: { name: 'noto-sans-sc', letters: easternLetters, isInParts: true },
  emoji: { name: 'noto-emoji', letters: /[\p{Extended_Pictographic}\p{Regional_Indicator}]/u, isInParts: true },
} as const satisfies Record<string, Family>

type Script = keyof typeof families

const hangul = /\p{Script=Hangul}/u
const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/u
const eastern: ReadonlySet<Script> = new Set(['korean', 'japanese', 'chinese'])

/** Chinese, Japanese and Korean share signs; letters of only one of them decide. */
const easternOf = (text: string): Script => (kana.test(text) ? 'japanese' : hangul.test(text) ? 'korean' : 'chinese')

function orderFor(first: Script): readonly Script[] {
  const scripts = Object.keys(families) as Script[]
  return [...scripts.filter((script) => !eastern.has(script)), first, ...scripts.filter((each) => eastern.has(each))]
}

const require = createRequire(import.meta.url)
const packageOf = (family: Family): string => `@fontsource${family.isInParts ? '-variable' : ''}/${family.name}`

interface Part {
  readonly name: string
  readonly ranges: readonly (readonly [number, number])[]
}

const parts = new Map<Script, readonly Part[]>()

/** The parts of a font package, with the characters of each. */
function partsOf(script: Script): readonly Part[] {
  const known = parts.get(script)
  if (known) return known
  const listed = JSON.parse(readFileSync(require.resolve(`${packageOf(families[script])}/unicode.json`), 'utf8'))
  const read = Object.entries(listed as Record<string, string>)
    .filter(([name]) => name.startsWith('[') || name === script)
    .map(([name, ranges]) => ({ name: name.replace(/[[\]]/g, ''), ranges: ranges.split(',').map(readRange) }))
  parts.set(script, read)
  return read
}

function readRange(range: string): readonly [number, number] {
  const [from, to = from] = range.replace('U+', '').split('-')
  return [Number.parseInt(from as string, 16), Number.parseInt(to as string, 16)]
}

const layoutTables = ['GSUB', 'GPOS', 'GDEF', 'BASE', 'vhea', 'vmtx', 'VORG']
const weights: Readonly<Record<Weight, number>> = { regular: 400, semibold: 600 }

function fileOf(font: FallbackFont, weight: Weight): string {
  const [script, part] = font.split('/') as [Script, string]
  const family: Family = families[script]
  const file = `${family.name}-${part}-${family.isInParts ? 'wght' : weights[weight]}-normal.woff2`
  return require.resolve(`${packageOf(family)}/files/${file}`)
}

/** A TrueType font of one weight, because pdfkit can subset neither WOFF2 nor variable fonts. Hints are for screens. */
async function convert(font: FallbackFont, weight: Weight): Promise<Buffer> {
  const { isInParts }: Family = families[font.split('/')[0] as Script]
  // Loaded with the first font that needs it: its WebAssembly takes tens of megabytes.
  const { default: subsetFont } = await import('subset-font')
  return await subsetFont(await readFile(fileOf(font, weight)), undefined, {
    keepAllGlyphs: true,
    targetFormat: 'truetype',
    noHinting: true,
    ...(isInParts && { dropTables: layoutTables, variationAxes: { wght: weights[weight] } }),
  })
}

/** A Chinese document needs about a dozen of several hundred parts. All parts would take too much memory. */
const mostKept = 32
const kept = new Map<string, Buffer>()

/** The font as a file, if it was loaded and is still in memory. */
export function findFallbackFont(font: FallbackFont, weight: Weight): Buffer | undefined {
  const key = `${font}/${weight}`
  const bytes = kept.get(key)
  if (bytes) keep(key, bytes)
  return bytes
}

export async function loadFallbackFont(font: FallbackFont, weight: Weight): Promise<Buffer> {
  const bytes = findFallbackFont(font, weight) ?? (await convert(font, weight))
  keep(`${font}/${weight}`, bytes)
  return bytes
}

/** Drops the font that was used the longest time ago. */
function keep(key: string, bytes: Buffer): void {
  kept.delete(key)
  kept.set(key, bytes)
  const oldest = kept.keys().next().value
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest)
}

const characters = new Map<FallbackFont, ReadonlySet<number>>()

function has(font: FallbackFont, character: number): boolean {
  let known = characters.get(font)
  if (!known) {
    // Loaded on demand: a process that draws nothing needs it only for the rare text in another script.
    const { create } = require('fontkit') as typeof import('fontkit')
    known = new Set((create(readFileSync(fileOf(font, 'regular'))) as Font).characterSet)
    characters.set(font, known)
  }
  return known.has(character)
}

/** The fallback font for a character in a text; `undefined` if none has it. */
export function fallbackFor(character: string, text: string): FallbackFont | undefined {
  const first = easternLetters.test(character) ? easternOf(text) : 'chinese'
  const key = first + character
  const known = found.get(key)
  if (known !== undefined) return known === null ? undefined : known
  if (found.size >= mostFound) found.clear()
  const font = search(character, first)
  found.set(key, font ?? null)
  return font
}

/** Results of the search; null if no font has the character. Texts use few characters often. */
const found = new Map<string, FallbackFont | null>()
const mostFound = 20_000

function search(character: string, first: Script): FallbackFont | undefined {
  const code = character.codePointAt(0) as number
  for (const script of orderFor(first)) {
    if (!families[script].letters.test(character)) continue
    const part = partsOf(script).find(({ ranges }) => ranges.some(([from, to]) => from <= code && code <= to))
    const font = part && `${script}/${part.name}`
    if (font && has(font, code)) return font
  }
  return undefined
}

/** Whether some font lists the character, without unpacking fonts in parts. */
export function isListed(character: string): boolean {
  const code = character.codePointAt(0) as number
  return (Object.keys(families) as Script[]).some((script) => {
    const family: Family = families[script]
    if (!family.letters.test(character)) return false
    const part = partsOf(script).find(({ ranges }) => ranges.some(([from, to]) => from <= code && code <= to))
    return part !== undefined && (family.isInParts === true || has(`${script}/${part.name}`, code))
  })
}

/** Whether a font also has a shared character, such as an accent or a joiner. */
export const drawsToo = (font: FallbackFont, character: string): boolean =>
  has(font, character.codePointAt(0) as number)
