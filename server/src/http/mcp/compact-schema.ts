import type { TObject, TProperties, TSchema } from 'typebox'
import { Fields } from '../definitions/fields.ts'

/** The keywords that a language model uses. Every keyword costs tokens in each conversation; the server checks the rest. */
const kept: readonly string[] = ['type', 'enum', 'description', 'format', 'items', 'properties', 'required', 'anyOf']
const knownFormats: readonly unknown[] = ['uuid', 'date', 'date-time']

/** A schema as `tools/list` shows it: short, with types, choices and descriptions. */
export function compact(schema: unknown): Record<string, unknown> {
  const { anyOf, ...plain } = schema as Record<string, unknown> & { readonly anyOf?: readonly { type?: string }[] }
  const branches = anyOf?.filter(({ type }) => type !== 'null')
  if (branches?.length === 1) return { ...compact(branches[0]), ...textOf(plain) }
  const all: Record<string, unknown> = { ...plain, ...(branches ? { anyOf: branches } : {}) }
  return Object.fromEntries(
    kept
      .filter((keyword) => all[keyword] !== undefined && (keyword !== 'format' || knownFormats.includes(all.format)))
      .map((keyword) => [keyword, compactValue(keyword, all[keyword])]),
  )
}

const textOf = ({ description }: Record<string, unknown>) => (typeof description === 'string' ? { description } : {})

function compactValue(keyword: string, value: unknown): unknown {
  if (keyword === 'items') return compact(value)
  if (keyword === 'anyOf') return (value as unknown[]).map(compact)
  if (keyword !== 'properties') return value
  return Object.fromEntries(Object.entries(value as object).map(([name, inner]) => [name, compact(inner)]))
}

/** The same schema without its description: its name says enough, and the reference has the rest. */
export function bare<S extends TSchema>(schema: S): S {
  const copy = Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema)) as S & { description?: string }
  delete copy.description
  return copy
}

/** Some fields of an object, without their descriptions. */
export const pick = (schema: TObject, names: readonly string[]): TProperties =>
  Object.fromEntries(
    names.map((name) => {
      const field = (schema.properties as TProperties)[name]
      if (!field) throw new Error(`there is no field ${name}`)
      return [name, bare(field)]
    }),
  )

export const noInput = Fields({})
