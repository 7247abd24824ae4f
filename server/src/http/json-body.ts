import { type Fault, invalid, refuse } from '../kernel/refusals.ts'

const deepest = 64
/** The keys in a path are the sender's own: an answer must not grow far beyond what was sent. */
const mostFaults = 200
const longestPath = 500
const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads a JSON body, and refuses what JSON.parse would let through and something later would choke on or silently
 * change: bad UTF-8, nesting that breaks recursion, `__proto__`, a key given twice, NUL and half surrogate pairs.
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
    throw refuse('request.malformed', { message: 'The body is not valid JSON; check commas, quotes and brackets.' })
  }
  const faults: Fault[] = []
  if (text.includes('\\u') || text.includes('__proto__')) collectBadText(value, '', faults)
  // As many fields as were sent: none was sent twice.
  if (fieldsIn(value) !== fields) collectRepeatedKeys(text, faults)
  if (faults.length > 0)
    throw invalid(faults.slice(0, mostFaults).map((fault) => ({ ...fault, path: fault.path.slice(0, longestPath) })))
  return value
}

/** How many fields a text gives to objects, each time it gives one. Refuses what is nested too deep to be read. */
function countFields(text: string): number {
  let fields = 0
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const char = text.charCodeAt(index)
    if (inString) {
      if (char === 92) index++
      else if (char === 34) inString = false
    } else if (char === 34) inString = true
    else if (char === 123 || char === 91) {
      if (++depth > deepest)
        throw refuse('request.malformed', { message: `The body is nested deeper than ${deepest} levels.` })
    } else if (char === 125 || char === 93) depth--
    else if (char === 58) fields++
  }
  return fields
}

function fieldsIn(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + fieldsIn(item), 0)
  let fields = 0
  for (const key in value) fields += 1 + fieldsIn((value as Record<string, unknown>)[key])
  return fields
}

/** PostgreSQL cannot store NUL, and half a surrogate pair would come back as another character. */
export const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

function collectBadText(value: unknown, path: string, faults: Fault[]): void {
  if (typeof value === 'string') {
    if (!isStorableText(value))
      faults.push({ path, rule: 'text', message: 'must not hold NUL or half a surrogate pair' })
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) collectBadText(item, `${path}[${index}]`, faults)
  } else if (value !== null && typeof value === 'object') {
    for (const [key, item] of Object.entries(value)) {
      const inner = path === '' ? key : `${path}.${key}`
      if (key === '__proto__' || !isStorableText(key))
        faults.push({ path: inner, rule: 'unknown', message: 'is not a field of this request' })
      else collectBadText(item, inner, faults)
    }
  }
}

const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g

/** An object or array that is open, and the step inside it at which we stand. */
interface Level {
  readonly keys: Set<string> | undefined
  step: string | number
}

const pathOf = (levels: readonly Level[]): string =>
  levels.reduce(
    (path, { step }) => (typeof step === 'number' ? `${path}[${step}]` : path === '' ? step : `${path}.${step}`),
    '',
  )

/** Of two equal keys JSON.parse keeps the last: what the sender meant is then anyone's guess. */
function collectRepeatedKeys(text: string, faults: Fault[]): void {
  const open: Level[] = []
  let previous = ''
  for (const [token] of text.matchAll(tokens)) {
    const level = open.at(-1)
    if (token === '{') open.push({ keys: new Set(), step: '' })
    else if (token === '[') open.push({ keys: undefined, step: 0 })
    else if (token === '}' || token === ']') open.pop()
    else if (token === ',' && typeof level?.step === 'number') level.step++
    else if (token.startsWith('"') && level?.keys && (previous === '{' || previous === ',')) {
      level.step = JSON.parse(token) as string
      if (level.keys.has(level.step))
        faults.push({ path: pathOf(open), rule: 'repeated', message: 'is given twice in one object' })
      level.keys.add(level.step)
    }
    previous = token
  }
}
