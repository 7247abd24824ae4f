import type { JsonSchema } from './document.ts'

const listsOfSchemas = ['anyOf', 'allOf', 'oneOf', 'prefixItems']
const mapsOfSchemas = ['properties', 'patternProperties', '$defs']

export const schemaRef = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** The named schemas of a document, each written once, in the order of their names. */
export class NamedSchemas {
  readonly #found = new Map<string, JsonSchema>()

  constructor(own: Readonly<Record<string, JsonSchema>> = {}) {
    for (const [name, schema] of Object.entries(own)) this.#found.set(name, schema)
  }

  /**
   * A schema for others to read. One that has a name is put aside and referred to; what we keep under `explanation`
   * becomes part of the description.
   */
  published(schema: unknown): JsonSchema {
    const { named, here, ...unnamed } = schema as JsonSchema
    const spelledOut = this.#spelledOut(unnamed)
    if (typeof named !== 'string') return spelledOut
    const before = this.#found.get(named)
    if (!before) this.#found.set(named, spelledOut)
    else if (JSON.stringify(before) !== JSON.stringify(spelledOut))
      throw new Error(`two different schemas are called ${named}`)
    return { ...schemaRef(named), ...(typeof here === 'string' ? { description: here } : {}) }
  }

  all(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#found].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  #spelledOut(schema: JsonSchema): JsonSchema {
    const { explanation, description, ...keywords } = withoutOwnFormat(schema)
    const told = [description, explanation].filter((text) => typeof text === 'string').join('; ')
    const kept = Object.entries(keywords).map(([keyword, value]) => [keyword, this.#value(keyword, value)])
    return orNull({ ...Object.fromEntries(kept), ...(told ? { description: told } : {}) })
  }

  #value(keyword: string, value: unknown): unknown {
    if (listsOfSchemas.includes(keyword)) return (value as unknown[]).map((one) => this.published(one))
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
    if (['items', 'additionalProperties', 'not', 'propertyNames'].includes(keyword)) return this.published(value)
    if (!mapsOfSchemas.includes(keyword)) return value
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, this.published(inner)]))
  }
}

/** Formats of our own say nothing to others; what they ask for is said in words, or by the fault. */
const ownFormats: readonly unknown[] = ['single-line', 'multi-line', 'country', 'date-or-date-time', 'uuid-or-me']

function withoutOwnFormat({ format, ...schema }: JsonSchema): JsonSchema {
  return format === undefined || ownFormats.includes(format) ? schema : { ...schema, format }
}

/** Something or nothing is said in one schema, where that something is a plain value. */
function orNull(schema: JsonSchema): JsonSchema {
  const { anyOf, ...around } = schema
  if (anyOf?.length !== 2 || anyOf[1]?.type !== 'null') return schema
  const { type, enum: words, ...rest } = anyOf[0] as JsonSchema
  if (typeof type !== 'string' || ['object', 'array'].includes(type) || 'const' in rest) return schema
  return { ...rest, type: [type, 'null'], ...(words ? { enum: [...words, null] } : {}), ...around }
}
