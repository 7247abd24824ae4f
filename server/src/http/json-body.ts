import { type Fault, invalid, refuse } from '../kernel/refusals.ts'

const deepest = 64
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
  checkDepth(text)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw refuse('request.malformed', { message: 'The body is not valid JSON; check commas, quotes and brackets.' })
  }
  const faults: Fault[] = []
  if (text.includes('\\u') || text.includes('__proto__')) collectBadText(value, '', faults)
  collectRepeatedKeys(text, faults)
  if (faults.length > 0) throw invalid(faults)
  return value
}

function checkDepth(text: string): void {
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
  }
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

/** Of two equal keys JSON.parse keeps the last: what the sender meant is then anyone's guess. */
function collectRepeatedKeys(text: string, faults: Fault[]): void {
  const open: (Set<string> | undefined)[] = []
  let previous = ''
  let pendingKey: string | undefined
  for (const [token] of text.matchAll(tokens)) {
    if (token === '{') open.push(new Set())
    else if (token === '[') open.push(undefined)
    else if (token === '}' || token === ']') open.pop()
    else if (token === ':') {
      const seen = open.at(-1)
      if (seen && pendingKey !== undefined) {
        const key = JSON.parse(pendingKey) as string
        if (seen.has(key)) faults.push({ path: key, rule: 'repeated', message: 'is given twice in one object' })
        seen.add(key)
      }
    }
    pendingKey = token.startsWith('"') && (previous === '{' || previous === ',') ? token : undefined
    previous = token
  }
}
