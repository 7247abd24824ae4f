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

const quoted = new RegExp(`"<${secret} (\\w+)>"`, 'g')

/** Nothing where a mark does not stand by itself as a JSON text: then it cannot be told what the answer would become. */
export function outlineOf(marked: string): Outline | undefined {
  const blanks: [number, string][] = []
  let text = ''
  let from = 0
  for (const { 0: mark, 1: name, index } of marked.matchAll(quoted)) {
    text += marked.slice(from, index)
    blanks.push([text.length, name as string])
    from = index + mark.length
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

/** As it is kept: the blanks in the first line, the text behind it. */
export const spelledOutline = ({ text, blanks }: Outline): string => `${JSON.stringify(blanks)}\n${text}`

export function readOutline(spelled: string): Outline {
  const end = spelled.indexOf('\n')
  return { blanks: JSON.parse(spelled.slice(0, end)), text: spelled.slice(end + 1) }
}
