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

/** Stands for what the database will say, while the answer is put together. */
export const marks = (names: readonly string[]): Said => Object.fromEntries(names.map((name) => [name, markOf(name)]))

const opening = `"<${secret} `

/** Nothing where a mark does not stand by itself as a JSON text: then it cannot be told what the answer would become. */
export function outlineOf(marked: string): Outline | undefined {
  const blanks: [number, string][] = []
  let text = ''
  let from = 0
  for (let at = marked.indexOf(opening); at !== -1; at = marked.indexOf(opening, from)) {
    const end = marked.indexOf('>', at)
    if (marked[end + 1] !== '"' || marked[at - 1] === '\\') return undefined
    text += marked.slice(from, at)
    blanks.push([text.length, marked.slice(at + opening.length, end)])
    from = end + 2
  }
  text += marked.slice(from)
  return text.includes(secret) ? undefined : { text, blanks }
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
export const packedOutline = ({ outline: { text, blanks }, headers }: KeptOutline): Buffer =>
  Buffer.from(`${JSON.stringify([headers, blanks])}\n${text}`)

export function unpackedOutline(packed: Buffer): KeptOutline {
  const spelled = packed.toString()
  const end = spelled.indexOf('\n')
  const [headers, blanks] = JSON.parse(spelled.slice(0, end)) as [Record<string, string>, Outline['blanks']]
  return { headers, outline: { blanks, text: spelled.slice(end + 1) } }
}

/** As versions before kept it: the blanks in the first line, the text behind it. */
export function readOutline(spelled: string): Outline {
  const end = spelled.indexOf('\n')
  return { blanks: JSON.parse(spelled.slice(0, end)), text: spelled.slice(end + 1) }
}
