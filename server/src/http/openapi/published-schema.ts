import type { JsonSchema } from './document.ts'

const mapsOfSchemas = ['properties', 'patternProperties', '$defs']

/** A schema for others to read: what we keep under `explanation` becomes part of its description. */
export function published(schema: unknown): JsonSchema {
  const { explanation, description, ...keywords } = schema as JsonSchema
  const told = [description, explanation].filter((text) => typeof text === 'string').join('; ')
  const kept = Object.entries(keywords).map(([keyword, value]) => [keyword, publishedValue(keyword, value)])
  return { ...Object.fromEntries(kept), ...(told ? { description: told } : {}) }
}

function publishedValue(keyword: string, value: unknown): unknown {
  if (['anyOf', 'allOf', 'oneOf', 'prefixItems'].includes(keyword)) return (value as unknown[]).map(published)
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  if (['items', 'additionalProperties', 'not', 'propertyNames'].includes(keyword)) return published(value)
  if (!mapsOfSchemas.includes(keyword)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, published(inner)]))
}
