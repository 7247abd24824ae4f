import type { DocumentedOperation, JsonSchema, OpenApiDocument, Parameter, Response } from './document.ts'

/** An operation without references. */
export interface WholeOperation extends DocumentedOperation {
  readonly parameters: readonly Parameter[]
  readonly responses: Readonly<Record<string, Response>>
}

/** Operations with their references resolved. Our schemas never refer to themselves. */
export function resolver(document: OpenApiDocument): {
  (operation: DocumentedOperation): WholeOperation
  <Part extends object>(part: Part): Part
} {
  const known = new Map<string, unknown>()
  function whole(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(whole)
    if (value === null || typeof value !== 'object') return value
    const { $ref, ...beside } = value as { readonly $ref?: unknown }
    if (typeof $ref !== 'string')
      return merged(Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, whole(inner)])))
    if (!known.has($ref)) known.set($ref, whole(follow(document, $ref)))
    return { ...(known.get($ref) as object), ...beside }
  }
  return (part: object) => whole(part) as never
}

/** An object that extends another has the fields of both. */
function merged(value: Record<string, unknown>): unknown {
  const { allOf, ...rest } = value as JsonSchema
  if (!Array.isArray(allOf) || !allOf.every(({ properties }) => properties !== undefined)) return value
  return {
    ...rest,
    type: 'object',
    required: [...new Set(allOf.flatMap(({ required = [] }) => required))],
    properties: Object.assign({}, ...allOf.map(({ properties }) => properties)),
  }
}

function follow(document: OpenApiDocument, reference: string): unknown {
  let at: unknown = document
  for (const step of reference.slice(2).split('/')) at = (at as Record<string, unknown>)[step]
  return at
}
