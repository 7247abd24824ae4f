import { invalid, refuse } from '../../kernel/refusals.ts'
import { Faults, type FieldPath } from './faults.ts'

const deepest = 64
/** Many times the largest invoice, and at most a few megabytes once parsed. */
const mostValues = 100_000
/** The largest invoice has 6,500 fields in total. Unknown names are expensive to parse, because each object gets its own hidden class. */
const mostFields = 10_000
const mostFieldsOfObject = 500
const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads a JSON body. Refuses what JSON.parse accepts but later code fails on or silently changes: bad UTF-8, deep nesting, too many values,
 * `__proto__`, duplicate keys, NUL and lone surrogates. The cost is bounded by the size of the body.
 */
export function parseJsonBody(bytes: Buffer): unknown {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    throw refuse('request.malformed', { message: 'The body is not valid UTF-8.' })
  }
  if (text.trim() === '') return undefined
  const fields = countFields(text)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw refuse('request.malformed', { message: 'The body is not valid JSON. Check commas, quotes and brackets.' })
  }
  const faults = new Faults()
  if (text.includes('\\u') || text.includes('__proto__')) collectBadText(value, undefined, faults)
  // The number of fields equals that in the text, so no key is duplicate.
  if (fieldsIn(value) !== fields) collectRepeatedKeys(text, faults)
  if (faults.list.length > 0) throw invalid(faults.list)
  return value
}

const quote = 34
const comma = 44
const colon = 58
const openBracket = 91
const backslash = 92
const closeBracket = 93
const openBrace = 123
const closeBrace = 125

/**
 * Counts the fields in a text. Refuses too deep nesting, and texts that would fill the memory with small values or take long to parse.
 * Stops as soon as that is known. Each value follows a comma or an opening bracket.
 */
function countFields(text: string): number {
  let fields = 0
  let values = 1
  let depth = 0
  const fieldsAt = new Uint32Array(deepest + 1)
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const char = text.charCodeAt(index)
    if (inString) {
      if (char === backslash) index++
      else if (char === quote) inString = false
    } else if (char === quote) inString = true
    else if (char === openBrace || char === openBracket) {
      values++
      if (++depth > deepest)
        throw refuse('request.malformed', { message: `The body is nested deeper than ${deepest} levels.` })
      fieldsAt[depth] = 0
    } else if (char === closeBrace || char === closeBracket) depth--
    else if (char === colon) {
      const ofObject = (fieldsAt[depth] ?? 0) + 1
      fieldsAt[depth] = ofObject
      if (++fields > mostFields) throw tooMany(mostFields, 'fields')
      if (ofObject > mostFieldsOfObject) throw tooMany(mostFieldsOfObject, 'fields in one object')
    } else if (char === comma && ++values > mostValues) throw tooMany(mostValues, 'values')
  }
  return fields
}

const tooMany = (most: number, what: string) =>
  refuse('request.malformed', { message: `The body has more than ${most} ${what}. Send fewer at a time.` })

function fieldsIn(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0
  let fields = 0
  if (Array.isArray(value)) for (const item of value) fields += fieldsIn(item)
  else for (const key in value) fields += 1 + fieldsIn((value as Record<string, unknown>)[key])
  return fields
}

/** PostgreSQL cannot store NUL, and a lone surrogate would come back as another character. */
export const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/** The same for all texts of a value that was parsed elsewhere. */
export const hasStorableTexts = (read: object): boolean =>
  Object.values(read).every((value) => typeof value !== 'string' || isStorableText(value))

function collectBadText(value: unknown, place: FieldPath | undefined, faults: Faults): void {
  if (faults.isFull) return
  if (typeof value === 'string') {
    if (!isStorableText(value)) faults.add(place, 'text', 'must not contain the NUL character or half a surrogate pair')
  } else if (Array.isArray(value)) {
    for (const [step, item] of value.entries()) collectBadText(item, { above: place, step }, faults)
  } else if (value !== null && typeof value === 'object') {
    for (const step in value) {
      const inner = { above: place, step }
      if (step === '__proto__' || !isStorableText(step)) faults.add(inner, 'unknown', 'is not a field of this request')
      else collectBadText((value as Record<string, unknown>)[step], inner, faults)
    }
  }
}

/** An open object or array, and the current position in it. */
interface Level extends FieldPath {
  readonly above: Level | undefined
  readonly keys: Set<string> | undefined
  step: string | number
}

/** A JSON string ends at the first quote without a backslash. */
function endOfString(text: string, begin: number): number {
  let at = begin + 1
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1
  return at
}

/** JSON.parse keeps the last of two equal keys, but the sender's intent is unclear. The text is valid JSON. */
function collectRepeatedKeys(text: string, faults: Faults): void {
  let level: Level | undefined
  let isKeyNext = false
  for (let at = 0; at < text.length && !faults.isFull; at++) {
    const char = text.charCodeAt(at)
    if (char === quote) {
      const end = endOfString(text, at)
      if (isKeyNext && level?.keys) {
        const written = text.slice(at, end + 1)
        level.step = written.includes('\\') ? (JSON.parse(written) as string) : written.slice(1, -1)
        if (level.keys.has(level.step)) faults.add(level, 'repeated', 'is sent twice in one object')
        level.keys.add(level.step)
        isKeyNext = false
      }
      at = end
    } else if (char === openBrace) {
      level = { above: level, keys: new Set(), step: '' }
      isKeyNext = true
    } else if (char === openBracket) level = { above: level, keys: undefined, step: 0 }
    else if (char === closeBrace || char === closeBracket) level = level?.above
    else if (char === comma && level) {
      if (typeof level.step === 'number') level.step++
      else isKeyNext = true
    }
  }
}
