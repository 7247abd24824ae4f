import type { JsonSchema } from './document.ts'

export interface Field {
  readonly path: string
  readonly required: boolean
  readonly schema: JsonSchema
}

const deepest = 8

/** Every field of a schema in one list, nested ones as `address.city` and `lineItems[].quantity`. */
export function flatten(schema: JsonSchema, path = '', depth = 0): Field[] {
  if (depth > deepest) return []
  const inner = variantsOf(schema).flatMap((variant) => {
    if (variant.items) return flattenItems(variant.items, `${path}[]`, depth)
    const { properties = {}, required = [] } = variant
    return Object.entries(properties).flatMap(([name, field]) => {
      const at = path === '' ? name : `${path}.${name}`
      return [{ path: at, required: required.includes(name), schema: field }, ...flatten(field, at, depth + 1)]
    })
  })
  return [...new Map(inner.toReversed().map((field) => [field.path, field])).values()].toReversed()
}

function flattenItems(items: JsonSchema, path: string, depth: number): Field[] {
  const fields = flatten(items, path, depth + 1)
  return fields.length > 0 || depth > 0 ? fields : [{ path, required: true, schema: items }]
}

/** The schema itself, or the members of its union, without null. */
export function variantsOf(schema: JsonSchema): readonly JsonSchema[] {
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf
  return choices ? choices.filter((choice) => choice.type !== 'null').flatMap(variantsOf) : [schema]
}

export function typeOf(schema: JsonSchema): string {
  const variants = variantsOf(schema)
  if (schema.anyOf || schema.oneOf) {
    const kinds = [...new Set(variants.map(typeOf))]
    if ((schema.anyOf ?? schema.oneOf ?? []).some(({ type }) => type === 'null')) kinds.push('null')
    return kinds.join(' or ')
  }
  if (schema.items) return `array of ${typeOf(schema.items)}`
  const [valueSchema] = Object.values(schema.patternProperties ?? {})
  if (valueSchema) return `map to ${typeOf(valueSchema)}`
  const types = [schema.type ?? []].flat()
  const orNull = types.length > 1 && types.includes('null') ? ' or null' : ''
  if (schema.format) return `${schema.format}${orNull}`
  if (types.length > 0) return types.join(' or ')
  const [sample] = schema.enum ?? [schema.const]
  if (sample !== undefined) return typeof sample
  return schema.properties || schema.allOf ? 'object' : 'any'
}

const quoted = (value: unknown) => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``

export function constraintsOf(schema: JsonSchema): string[] {
  const { minLength, maxLength, minItems, maxItems, pattern } = schema
  return [
    ...(schema.enum ? [`one of ${schema.enum.map(quoted).join(' ')}`] : []),
    ...('const' in schema ? [`always ${quoted(schema.const)}`] : []),
    ...range(minLength, maxLength, ' characters'),
    ...range(schema.minimum, schema.maximum, ''),
    ...('exclusiveMinimum' in schema ? [`more than ${schema.exclusiveMinimum}`] : []),
    ...('exclusiveMaximum' in schema ? [`less than ${schema.exclusiveMaximum}`] : []),
    ...range(minItems, maxItems, ' entries'),
    // A pattern that only requires a visible character is already described in words.
    ...(typeof pattern === 'string' && pattern !== '\\S' ? [`matches ${quoted(pattern)}`] : []),
    ...('default' in schema ? [`default ${quoted(schema.default)}`] : []),
    ...(schema.items && !schema.items.properties ? constraintsOf(schema.items) : []),
  ]
}

function range(least: unknown, most: unknown, unit: string): string[] {
  const needless = least === undefined || (least === 0 && unit !== '')
  if (needless && most === undefined) return []
  if (least === most) return [`${least}${unit}`]
  if (most === undefined) return [`at least ${least}${unit}`]
  return [needless ? `at most ${most}${unit}` : `${least} to ${most}${unit}`]
}
