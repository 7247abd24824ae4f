import type { Form, FormRoute } from '../server/src/http/definitions/form.ts'
import { accessOf } from '../server/src/http/openapi/access.ts'
import type { JsonSchema, OpenApiDocument } from '../server/src/http/openapi/document.ts'
import { programCapabilities } from '../server/src/kernel/capabilities.ts'
import { operationOf } from './sdk-text.ts'

const holdable: ReadonlySet<string> = new Set(programCapabilities)

/** The command line is never a session of a person: what is for sessions alone would always be refused. */
function isReachable({ route }: FormRoute): boolean {
  const { who, capabilities, dependsOnRequest } = accessOf(route)
  const held = capabilities.map((name) => holdable.has(name))
  // Signing up and invitations.
  if (who === 'user' || (who === 'public' && route.definition.method !== 'GET')) return false
  return dependsOnRequest ? held.includes(true) : !held.includes(false)
}

/** The commands of the command line that come from routes, in a table that loads fast. */
export function cliText(form: Form): string {
  const modules = [...Map.groupBy(form.routes.filter(isReachable), ({ module }) => module)]
  return [
    '// Written by scripts/write-openapi.ts from the routes; edits by hand are lost.',
    "import type { RouteTable } from './route-table.ts'",
    '',
    'export const routes = {',
    ...modules.map(([module, routes]) => `  ${module}: {\n${routes.map((one) => rowOf(form, one)).join('')}  },`),
    '} as const satisfies RouteTable',
    '',
  ].join('\n')
}

function rowOf(form: Form, { name, route }: FormRoute): string {
  const query = Object.entries(((route.query ?? {}) as JsonSchema).properties ?? {}).map(([filter, schema]) =>
    Array.isArray(schema.enum) ? `${filter}:${schema.enum.join('|')}` : filter,
  )
  const { properties = {}, required = [] } = (route.body ?? {}) as JsonSchema
  const body = Object.keys(properties).map((field) => (required.includes(field) ? `${field}*` : field))
  const row = [...operationOf(form, route), route.definition.summary, query.join(' '), body.join(' ')]
  return `    ${name}: [${row.map((part) => JSON.stringify(part)).join(', ')}],\n`
}

/** Bodies of requests, for the help. They are in a file of their own, because few commands need them. */
export function cliExamplesText(form: Form, document: OpenApiDocument): string {
  const rows = form.routes.filter(isReachable).flatMap(({ module, name, route }) => {
    if (!route.body) return []
    const [method, path] = operationOf(form, route) as readonly string[]
    const operation = document.paths[path as string]?.[(method as string).toLowerCase()]
    const example = operation?.requestBody?.content['application/json']?.example
    return [`  ${module}_${name}: ${JSON.stringify(JSON.stringify(example))},\n`]
  })
  return [
    '// Written by scripts/write-openapi.ts from the routes; edits by hand are lost.',
    '/** Bodies of requests as JSON, by module and name. */',
    `export const examples: Readonly<Record<string, string>> = {\n${rows.join('')}}`,
    '',
  ].join('\n')
}
