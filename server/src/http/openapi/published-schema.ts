import { describedBy, explanationOf } from './descriptions.ts'
import type { JsonSchema } from './document.ts'

const listsOfSchemas = ['anyOf', 'allOf', 'oneOf', 'prefixItems']
const mapsOfSchemas = ['properties', 'patternProperties', '$defs']

export const schemaRef = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** The named schemas of a document, each written once, in the order of their names. */
export class NamedSchemas {
  readonly #found = new Map<string, JsonSchema>()
  readonly #sent: ReadonlySet<string>
  #isAnswered = false

  /** The names in request schemas are known beforehand: an object in both requests and replies is as strict as in requests. */
  constructor(own: Readonly<Record<string, JsonSchema>> = {}, sent: readonly unknown[] = []) {
    for (const [name, schema] of Object.entries(own)) this.#found.set(name, schema)
    this.#sent = new Set(sent.flatMap(namesIn))
  }

  /** A schema of a reply, which may get further fields later: clients must tolerate that. */
  answered(schema: unknown): JsonSchema {
    this.#isAnswered = true
    const published = this.published(schema)
    this.#isAnswered = false
    return published
  }

  /**
   * A schema as documents show it. A named schema is published once and referred to. The text under `explanation` becomes
   * part of the description.
   */
  published(schema: unknown): JsonSchema {
    // Generators of clients read alternatives of required fields badly, so descriptions state them.
    const { named, here, eitherRequired: _, ...unnamed } = schema as JsonSchema
    if (typeof named !== 'string') return this.#spelledOut(unnamed)
    const outside = this.#isAnswered
    this.#isAnswered &&= !this.#sent.has(named)
    const spelledOut = this.#spelledOut(unnamed)
    this.#isAnswered = outside
    const before = this.#found.get(named)
    if (!before) this.#found.set(named, spelledOut)
    else if (JSON.stringify(before) !== JSON.stringify(spelledOut))
      throw new Error(`two different schemas are called ${named}`)
    return { ...schemaRef(named), ...(typeof here === 'string' ? { description: here } : {}) }
  }

  all(): Record<string, JsonSchema> {
    const sorted = [...this.#found].sort(([a], [b]) => (a < b ? -1 : 1))
    return Object.fromEntries(sorted.map(([name, schema]) => [name, withBase(schema, sorted, name)]))
  }

  /** A part of the document in which an object that extends a named one refers to it. */
  withBases<Part>(part: Part): Part {
    const all = [...this.#found]
    const based = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(based)
      if (value === null || typeof value !== 'object') return value
      const schema = withBase(value as JsonSchema, all)
      // An example is a value, whatever its fields are called.
      return Object.fromEntries(
        Object.entries(schema).map(([key, inner]) => [key, key.startsWith('example') ? inner : based(inner)]),
      )
    }
    return based(part) as Part
  }

  #spelledOut(schema: JsonSchema): JsonSchema {
    const plain = withoutOwnFormat(withList(schema))
    const { explanation: _, description, ...strict } = plain
    const { additionalProperties, ...open } = strict
    const keywords = this.#isAnswered && additionalProperties === false ? open : strict
    const described = describedBy(description, explanationOf(plain))
    const kept = Object.entries(keywords).map(([keyword, value]) => [keyword, this.#value(keyword, value)])
    return orNull({ ...Object.fromEntries(kept), ...(described ? { description: described } : {}) })
  }

  #value(keyword: string, value: unknown): unknown {
    if (listsOfSchemas.includes(keyword)) return (value as unknown[]).map((one) => this.published(one))
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
    if (['items', 'additionalProperties', 'not', 'propertyNames'].includes(keyword)) return this.published(value)
    if (!mapsOfSchemas.includes(keyword)) return value
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, this.published(inner)]))
  }
}

/** The names in a schema, at any depth. */
function namesIn(schema: unknown): string[] {
  if (schema === null || typeof schema !== 'object') return []
  const { named, ...rest } = schema as JsonSchema
  return [...(typeof named === 'string' ? [named] : []), ...Object.values(rest).flatMap(namesIn)]
}

/** Up to this many fields are easier to read in place than behind a reference. */
const fewFields = 4

/** An object with all fields of another and more refers to that other object. */
function withBase(schema: JsonSchema, all: readonly (readonly [string, JsonSchema])[], name = ''): JsonSchema {
  const { properties = {}, required = [], type, ...rest } = schema
  if (type !== 'object' || typeof properties !== 'object' || 'additionalProperties' in schema) return schema
  const size = (one: JsonSchema) => Object.keys(one.properties ?? {}).length
  const isPartOf = (other: JsonSchema) =>
    other.type === 'object' &&
    !('additionalProperties' in other) &&
    size(other) >= fewFields &&
    size(other) < size(schema) &&
    (other.required ?? []).every((field) => required.includes(field)) &&
    Object.entries(other.properties ?? {}).every(
      ([field, one]) => JSON.stringify(properties[field]) === JSON.stringify(one),
    )
  const [base] = all.filter(([other, one]) => other !== name && isPartOf(one)).sort(([, a], [, b]) => size(b) - size(a))
  if (!base) return schema
  const [baseName, { properties: known = {}, required: needed = [] }] = base
  const own = Object.entries(properties).filter(([field]) => !Object.hasOwn(known, field))
  const more = {
    type,
    required: required.filter((field) => !needed.includes(field)),
    properties: Object.fromEntries(own),
  }
  return { allOf: [schemaRef(baseName), more], ...rest }
}

/** A closed list needs no further rules for a text. */
function withList(schema: JsonSchema): JsonSchema {
  const { listed, type = 'string', description } = schema
  return Array.isArray(listed) ? { type, enum: listed, ...(description ? { description } : {}) } : schema
}

/** Clients do not know our own formats: a pattern, the description or the fault states the rule. */
const ownFormats: Readonly<Record<string, JsonSchema>> = {
  'single-line': {},
  'blank-or-single-line': {},
  'multi-line': {},
  country: { pattern: '^[A-Z]{2}$' },
  'date-or-date-time': { pattern: '^\\d{4}-\\d\\d-\\d\\d(T[0-9:.]{5,20}(Z|[+-]\\d\\d:\\d\\d))?$' },
  'uuid-or-me': { pattern: '^(me|[0-9A-Fa-f-]{36})$' },
}

function withoutOwnFormat({ format, ...schema }: JsonSchema): JsonSchema {
  if (format === undefined) return schema
  return Object.hasOwn(ownFormats, format) ? { ...ownFormats[format], ...schema } : { ...schema, format }
}

/** A nullable plain value is one schema. */
function orNull(schema: JsonSchema): JsonSchema {
  const { anyOf, ...around } = schema
  if (anyOf?.length !== 2 || anyOf[1]?.type !== 'null') return schema
  const { type, enum: words, ...rest } = anyOf[0] as JsonSchema
  if (typeof type !== 'string' || ['object', 'array'].includes(type) || 'const' in rest) return schema
  return { ...rest, type: [type, 'null'], ...(words ? { enum: [...words, null] } : {}), ...around }
}
