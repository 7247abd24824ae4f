import { randomBytes } from 'node:crypto'
import type { Said } from './operation.ts'

/**
 * An answer that was put together before its effect was written. What only the database will say is left blank in it, so that it can be
 * kept by the very statement that has the effect; what was said is kept beside it, and both give the same bytes ever after.
 */
export interface Outline {
  /** the answer without what is to be filled in between */
  readonly pieces: readonly string[]
  /** what is said between two pieces, by its name */
  readonly names: readonly string[]
}

/** Seldom in a text, and written in JSON as it is: a text is searched quickly for what begins with it. */
const rare = '\x7f'

/** No text that comes from outside can hold it: it is another one in each process, and is told to nobody. */
const secret = randomBytes(16).toString('hex')
const opening = `${rare}${secret}`
const markOf = (name: string): string => `${opening}${name}${rare}`

const madeMarks = new WeakMap<readonly string[], Said>()
const markedNames = new Set<string>()

/** Stands for what the database will say, while the answer is put together. Made once for each list of names. */
export function marks(names: readonly string[]): Said {
  let made = madeMarks.get(names)
  if (!made) {
    made = Object.fromEntries(names.map((name) => [name, markOf(name)]))
    madeMarks.set(names, made)
    for (const name of names) markedNames.add(name)
  }
  return made
}

/** Whether anything of a mark is in it. */
export const isMarked = (text: string): boolean => text.includes(secret)

/** Stands between pieces where they are kept. In JSON it is always escaped, so no piece holds it. */
const blank = '\x1e'

/** Nothing where a mark does not stand by itself as a JSON text: then it cannot be told what the answer would become. */
export function outlineOf(marked: string): Outline | undefined {
  if (marked.includes(blank)) return undefined
  const pieces: string[] = []
  const names: string[] = []
  let from = 0
  for (let at = marked.indexOf(opening); at >= 0; at = marked.indexOf(opening, from)) {
    const nameAt = at + opening.length
    const nameEnd = marked.indexOf(rare, nameAt)
    if (nameEnd < 0) return undefined
    const name = marked.slice(nameAt, nameEnd)
    const isQuoted = at > from && marked[at - 1] === '"' && marked[at - 2] !== '\\' && marked[nameEnd + 1] === '"'
    if (!isQuoted || !markedNames.has(name)) return undefined
    pieces.push(marked.slice(from, at - 1))
    names.push(name)
    from = nameEnd + 2
  }
  pieces.push(marked.slice(from))
  // One that something was done to, such as being made part of an address, is none that could be filled in.
  return pieces.some(isMarked) ? undefined : { pieces, names }
}

export function filled({ pieces, names }: Outline, said: Said): string {
  let text = pieces[0] as string
  for (const [at, name] of names.entries()) text += JSON.stringify(said[name] ?? null) + pieces[at + 1]
  return text
}

/** An outline, and the headers that are sent with it. */
export interface KeptOutline {
  readonly outline: Outline
  readonly headers: Record<string, string>
}

/** As it is kept: headers in the first line, behind it the pieces with the names between them. */
export function packedOutline({ outline: { pieces, names }, headers }: KeptOutline): string {
  let packed = `${JSON.stringify(headers)}\n${pieces[0]}`
  for (const [at, name] of names.entries()) packed += blank + name + blank + pieces[at + 1]
  return packed
}

export function unpackedOutline(packed: string): KeptOutline {
  const end = packed.indexOf('\n')
  const headers: Record<string, string> = JSON.parse(packed.slice(0, end))
  const pieces: string[] = []
  const names: string[] = []
  for (const [at, part] of packed
    .slice(end + 1)
    .split(blank)
    .entries())
    (at % 2 === 0 ? pieces : names).push(part)
  return { headers, outline: { pieces, names } }
}
