import type { Route } from '../../server/src/http/definitions/describe-route.ts'
import type { Form } from '../../server/src/http/definitions/form.ts'
import type { JsonSchema, Parameter } from '../../server/src/http/openapi/document.ts'
import type { OpenApiDocument } from '../../server/src/http/openapi/index.ts'
import { documentText } from '../../server/src/http/openapi/text.ts'
import { textDiff } from './text-diff.ts'

/** The committed document is the generated one, byte for byte. */
export function checkCommitted(file: string, committed: string, generated: OpenApiDocument): string[] {
  const changes = textDiff(committed, documentText(generated))
  return changes.length === 0 ? [] : [...changes.slice(0, 40), `${file} is stale; run: npm run openapi`]
}

/** Checks the promises to readers of the document, independent of its routes. */
export function checkDocument(document: OpenApiDocument): string[] {
  const operations = Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]) => ({ path, name: `${verb.toUpperCase()} ${path}`, operation })),
  )
  const ids = operations.map(({ operation }) => operation.operationId)
  return [
    ...repeated(ids).map((id) => `the operationId ${id} is used more than once`),
    ...operations.flatMap(({ path, name, operation }) =>
      [
        ...(operation.operationId ? [] : ['has no operationId']),
        ...(operation.summary?.trim() ? [] : ['has no summary']),
        ...missingResponses(Object.keys(operation.responses)),
        ...undeclaredParameters(
          path,
          operation.parameters.map((one) => ('name' in one ? one : at(document, one.$ref))),
        ),
      ].map((complaint) => `${name} ${complaint}`),
    ),
    ...brokenReferences(document),
  ]
}

const repeated = (names: readonly string[]): string[] => [
  ...new Set(names.filter((name, at) => names.indexOf(name) !== at)),
]

function missingResponses(statuses: readonly string[]): string[] {
  return [
    ...(statuses.some((status) => /^2\d\d$/.test(status)) ? [] : ['documents no success']),
    ...(statuses.some((status) => /^[45]\d\d$/.test(status)) ? [] : ['documents no error']),
  ]
}

function undeclaredParameters(
  path: string,
  parameters: readonly { name: string; in: string; required?: boolean }[],
): string[] {
  const named = [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] as string)
  const declared = parameters.filter((parameter) => parameter.in === 'path')
  return [
    ...named
      .filter((name) => !declared.some((parameter) => parameter.name === name && parameter.required))
      .map((name) => `does not declare the path parameter ${name}`),
    ...declared
      .filter(({ name }) => !named.includes(name))
      .map(({ name }) => `declares the path parameter ${name}, which its path lacks`),
    ...repeated(parameters.map((parameter) => `${parameter.in} ${parameter.name}`)).map(
      (name) => `declares ${name} twice`,
    ),
  ]
}

function brokenReferences(document: OpenApiDocument): string[] {
  return [...new Set(referencesIn(document))]
    .filter((reference) => !resolves(document, reference))
    .map((reference) => `${reference} leads nowhere`)
}

function referencesIn(value: unknown): string[] {
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? [inner] : referencesIn(inner),
  )
}

/** The target of a reference, or a parameter without a name if there is none. */
function at(document: OpenApiDocument, reference: string): Parameter {
  const name = reference.split('/').at(-1) as string
  return document.components.parameters[name] ?? { name: '', in: 'header', schema: {} }
}

function resolves(document: unknown, reference: string): boolean {
  if (!reference.startsWith('#/')) return false
  const steps = reference
    .slice(2)
    .split('/')
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'))
  let at: unknown = document
  for (const step of steps) {
    if (at === null || typeof at !== 'object' || !Object.hasOwn(at, step)) return false
    at = (at as Record<string, unknown>)[step]
  }
  return true
}

/** The fields of a schema, each with its place, that do not say what they mean. */
function fieldsOf(schema: unknown, place: string): { place: string; saysWhat: boolean }[] {
  if (schema === null || typeof schema !== 'object') return []
  const { properties = {}, items, anyOf = [], allOf = [] } = schema as JsonSchema
  const own = Object.entries(properties).flatMap(([name, field]) => [
    { place: `${place}.${name}`, saysWhat: 'description' in field || 'here' in field },
    ...fieldsOf(field, `${place}.${name}`),
  ])
  return [...own, ...[items, ...anyOf, ...allOf].flatMap((inner) => fieldsOf(inner, place))]
}

/** What is sent and what is answered, field by field: an explanation of a rule is not yet a meaning. */
export function fieldsWithoutMeaning(form: Form) {
  const gathered = (part: (route: Route) => readonly unknown[]) => {
    const fields = form.routes.flatMap(({ module, name, route }) =>
      part(route).flatMap((schema) => fieldsOf(schema, `${module}.${name}`)),
    )
    const missing = [...new Set(fields.filter(({ saysWhat }) => !saysWhat).map(({ place }) => place))]
    return { share: 1 - fields.filter(({ saysWhat }) => !saysWhat).length / fields.length, missing }
  }
  return {
    requests: gathered(({ params, query, body }) => [params, query, body]),
    replies: gathered(({ reply }) => [reply]),
  }
}
