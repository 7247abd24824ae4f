import type { Form, FormRoute } from '../server/src/http/definitions/form.ts'
import type { JsonSchema } from '../server/src/http/openapi/document.ts'
import { operationOf } from './sdk-text.ts'

/** The commands of the command line that come from routes, in a table that loads fast. */
export function cliText(form: Form): string {
  const modules = [...Map.groupBy(form.routes, ({ module }) => module)]
  return [
    '// Written by scripts/write-openapi.ts from the routes; edits by hand are lost.',
    "import type { RouteTable } from './resources.ts'",
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
