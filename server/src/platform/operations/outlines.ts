import { randomBytes } from 'node:crypto'
import type { Said } from './operation.ts'

/**
 * An answer that was put together before its effect was written. What only the database will say is left blank in it, so that it can be
 * kept by the very statement that has the effect; what was said is kept beside it, and both give the same bytes ever after.
 */
export interface Outline {
  /** the answer without what is to be filled in */
  readonly text: string
  /** where in the text, and what */
  readonly blanks: readonly (readonly [at: number, name: string])[]
}

/** No text that comes from outside can hold it: it is another one in each process, and is told to nobody. */
const secret = randomBytes(16).toString('hex')
const markOf = (name: string): string => `<${secret} ${name}>`

const madeMarks = new WeakMap<readonly string[], Said>()

/** Stands for what the database will say, while the answer is put together. Made once for each list of names. */
export function marks(names: readonly string[]): Said {
  let made = madeMarks.get(names)
  if (!made) {
    made = Object.fromEntries(names.map((name) => [name, markOf(name)]))
    madeMarks.set(names, made)
  }
  return made
}

/** Whether anything of a mark is in it. */
export const isMarked = (text: string): boolean => text.includes(secret)

const opening = `"<${secret} `

/** Nothing where a mark does not stand by itself as a JSON text: then it cannot be told what the answer would become. */
export function outlineOf(marked: string): Outline | undefined {
  const blanks: [number, string][] = []
  const [first, ...pieces] = marked.split(opening) as [string, ...string[]]
  if (isMarked(first)) return undefined
  let text = first
  let before = first
  for (const piece of pieces) {
    const end = piece.indexOf('>')
    if (piece[end + 1] !== '"' || before.endsWith('\\') || isMarked(piece)) return undefined
    blanks.push([text.length, piece.slice(0, end)])
    before = piece.slice(end + 2)
    text += before
  }
  return { text, blanks }
}

export function filled({ text, blanks }: Outline, said: Said): string {
  let result = ''
  let from = 0
  for (const [at, name] of blanks) {
    result += text.slice(from, at) + JSON.stringify(said[name] ?? null)
    from = at
  }
  return result + text.slice(from)
}

/** An outline, and the headers that are sent with it. */
export interface KeptOutline {
  readonly outline: Outline
  readonly headers: Record<string, string>
}

/** As it is kept: headers and blanks in the first line, the text behind it. */
export const packedOutline = ({ outline: { text, blanks }, headers }: KeptOutline): string =>
  `${JSON.stringify([headers, blanks])}\n${text}`

export function unpackedOutline(packed: string): KeptOutline {
  const end = packed.indexOf('\n')
  const [headers, blanks] = JSON.parse(packed.slice(0, end)) as [Record<string, string>, Outline['blanks']]
  return { headers, outline: { blanks, text: packed.slice(end + 1) } }
}

/** As versions before kept it: the blanks in the first line, the text behind it. */
export function readOutline(spelled: string): Outline {
  const end = spelled.indexOf('\n')
  return { blanks: JSON.parse(spelled.slice(0, end)), text: spelled.slice(end + 1) }
}
