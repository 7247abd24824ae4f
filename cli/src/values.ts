import { usage } from './failures.ts'
import { readGiven, textOfInput } from './input.ts'
import type { Io } from './io.ts'

interface Source {
  readonly source: string
}
/** What the types of JSON do not know yet. */
const exact = JSON as unknown as {
  rawJSON(text: string): unknown
  parse(text: string, reviver: (key: string, value: unknown, context: Source) => unknown): unknown
}

/** Numbers keep the digits in which they were written: `1950.50` is sent as `1950.50`, however long it is. */
export function parseJson(text: string, where: string): unknown {
  try {
    return exact.parse(text, (_, value, { source }) => (typeof value === 'number' ? exact.rawJSON(source) : value))
  } catch (error) {
    throw usage(`${where} is not JSON: ${(error as Error).message}`)
  }
}

async function textOf(io: Io, given: string): Promise<string> {
  if (given === '-') return await textOfInput(io)
  if (!given.startsWith('@')) return given
  const path = given.slice(1)
  if (path === '-') return await textOfInput(io)
  return (await readGiven(path)).toString('utf8')
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRaw(value)
const isRaw = (value: object) => Object.getPrototypeOf(value) === null && Object.hasOwn(value, 'rawJSON')

const deepest = 20
const longestList = 1_000
const forbidden = new Set(['__proto__', 'constructor', 'prototype'])

/** Sets `a.b=text` or `a.0.b:=json` in the body. */
function setIn(body: Record<string, unknown>, assignment: string): void {
  const [, path, kind, text] = /^([^=:]+?)(:?=)([\s\S]*)$/.exec(assignment) ?? []
  if (path === undefined || kind === undefined || text === undefined)
    throw usage(`--set needs name=text or name:=json, not ${JSON.stringify(assignment)}.`)
  const value = kind === ':=' ? parseJson(text, `The value of ${path}`) : text
  const names = path.split('.')
  if (names.length > deepest || names.some((name) => name === '' || forbidden.has(name)))
    throw usage(`--set cannot reach ${JSON.stringify(path)}.`)
  let place: Record<string, unknown> = body
  names.forEach((name, at) => {
    if (Array.isArray(place) && !(/^\d{1,4}$/.test(name) && Number(name) <= Math.min(place.length, longestList)))
      throw usage(`--set ${path}: ${name} must be a position in the list, from 0 to ${place.length}.`)
    if (at === names.length - 1) {
      place[name] = value
      return
    }
    const next = place[name]
    if (!isRecord(next) && !Array.isArray(next)) place[name] = /^\d+$/.test(names[at + 1] as string) ? [] : {}
    place = place[name] as Record<string, unknown>
  })
}

export interface BodyFlags {
  readonly data?: string
  readonly set?: readonly string[]
}

/** The body of a request from `--data` and `--set`; `undefined` if neither was given. */
export async function bodyFrom(io: Io, { data, set = [] }: BodyFlags): Promise<unknown> {
  if (data === undefined && set.length === 0) return undefined
  const body = data === undefined ? {} : parseJson(await textOf(io, data), '--data')
  if (set.length === 0) return body
  if (!isRecord(body)) throw usage('--set needs an object in --data.')
  for (const assignment of set) setIn(body, assignment)
  return body
}
