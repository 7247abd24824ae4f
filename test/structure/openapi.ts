import type { OpenApiDocument } from '../../server/src/http/openapi/index.ts'
import { documentText } from '../../server/src/http/openapi/text.ts'
import { textDiff } from './text-diff.ts'

/** The committed document is the generated one, byte for byte. */
export function checkCommitted(file: string, committed: string, generated: OpenApiDocument): string[] {
  const changes = textDiff(committed, documentText(generated))
  return changes.length === 0 ? [] : [...changes.slice(0, 40), `${file} is stale; run: npm run openapi`]
}

/** What a reader of the document may count on, whatever routes it has. */
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
          operation.parameters.filter((parameter) => 'name' in parameter),
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
  parameters: readonly { name: string; in: string; required: boolean }[],
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
