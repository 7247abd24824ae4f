import type { TSchema } from 'typebox'
import type { Route } from '../server/src/http/definitions/describe-route.ts'
import type { Form, FormRoute } from '../server/src/http/definitions/form.ts'
import { accessOf, accessSentences } from '../server/src/http/openapi/access.ts'
import { describedBy, explanationOf } from '../server/src/http/openapi/descriptions.ts'
import type { JsonSchema } from '../server/src/http/openapi/document.ts'
import { documentedStatuses } from '../server/src/http/openapi/index.ts'
import { namesInPath } from '../server/src/http/openapi/parameters.ts'
import { honoursIdempotencyKey } from '../server/src/http/request/idempotency-key.ts'
import { refusals } from '../server/src/kernel/refusals.ts'

/** The generated client of a form: types for developers, and a route table for the client code. */
export function sdkText(form: Form): string {
  const types = new Types()
  const modules = [...Map.groupBy(form.routes, ({ module }) => module)]
  const methods = modules.map(([module, routes]) => ({ module, routes, text: moduleText(form, module, routes, types) }))
  const events = eventsText(form, types)
  return [
    '// Written by scripts/write-openapi.ts from the routes; edits by hand are lost.',
    "import type { Called, CallOptions, Operations } from './calls.ts'",
    "import type { Pages } from './pages.ts'",
    '',
    ...types.texts(),
    ...methods.map(({ text }) => text),
    `/** Every operation of Form ${form.name}, by module. */`,
    `export interface Form${form.name} {`,
    ...methods.map(({ module }) => `  readonly ${module}: ${pascal(module)}`),
    '}',
    '',
    refusalsText(form),
    events,
    'export const operations = {',
    ...methods.map(
      ({ module, routes }) =>
        `  ${module}: {\n${routes.map((one) => `    ${one.name}: ${rowOf(form, one.route)},\n`).join('')}  },`,
    ),
    '} as const satisfies Operations',
    '',
  ].join('\n')
}

const pascal = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

/** The named types of a client, sorted by name. */
class Types {
  readonly #texts = new Map<string, string>()

  texts(): string[] {
    return [...this.#texts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text)
  }

  /** The schema's own name, or `offered` if it has none. */
  nameFor(schema: JsonSchema, offered: string): string {
    const name = typeof schema.named === 'string' ? schema.named : offered
    if (!this.#texts.has(name)) {
      // Registered before its text is built, because a schema may contain itself.
      this.#texts.set(name, '')
      this.#texts.set(name, `${comment(aboutOf(schema), '')}${this.#declared(name, schema)}\n`)
    }
    return name
  }

  #declared(name: string, schema: JsonSchema): string {
    const { named: _, ...unnamed } = schema
    const text = this.typeOf(unnamed, '')
    return text.startsWith('{\n') && text.endsWith('\n}')
      ? `export interface ${name} ${text}`
      : `export type ${name} = ${text}`
  }

  typeOf(schema: JsonSchema, indent: string): string {
    if (typeof schema.named === 'string') return this.nameFor(schema, '')
    if ('const' in schema) return JSON.stringify(schema.const)
    // A flag of a query, which has only this value. The client writes a boolean as text.
    if (schema.enum?.length === 1 && schema.enum[0] === 'true') return 'true | "true"'
    if (Array.isArray(schema.listed)) return schema.listed.map((word) => JSON.stringify(word)).join(' | ')
    if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
    const choices = schema.anyOf ?? schema.oneOf
    if (choices) return [...new Set(choices.map((one) => this.typeOf(one, indent)))].join(' | ')
    if (schema.allOf) return schema.allOf.map((one) => this.typeOf(one, indent)).join(' & ')
    if (schema.items) return arrayOf(this.typeOf(schema.items, indent))
    const [values] = Object.values(schema.patternProperties ?? {})
    if (values) return `Record<string, ${this.typeOf(values, indent)}>`
    if (schema.properties) return this.#object(schema, indent)
    return plainTypes[String(schema.type)] ?? 'unknown'
  }

  #object({ properties = {}, required = [], eitherRequired }: JsonSchema, indent: string): string {
    const deeper = `${indent}  `
    const fields = Object.entries(properties).map(([name, field]) => {
      const type = this.typeOf(field, deeper)
      const key = /^\w+$/.test(name) ? name : JSON.stringify(name)
      const mark = required.includes(name) ? `: ${type}` : `?: ${type} | undefined`
      return `${comment(aboutOf(field, 'here'), deeper)}${deeper}${key}${mark}\n`
    })
    if (fields.length === 0) return 'Record<string, never>'
    const text = `{\n${fields.join('')}${indent}}`
    if (!Array.isArray(eitherRequired)) return text
    const alternatives = (eitherRequired as string[][]).map((names) => {
      const needed = names.map((name) => `${name}: ${this.typeOf(properties[name] as JsonSchema, deeper)}`)
      return `{ ${needed.join('; ')} }`
    })
    return `${text} & (${alternatives.join(' | ')})`
  }
}

const plainTypes: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
  object: 'Record<string, unknown>',
}

const arrayOf = (type: string): string => (/[ |]/.test(type) && !type.startsWith('{') ? `(${type})[]` : `${type}[]`)

/** The documentation comment that editors show. */
function aboutOf(schema: JsonSchema, place?: 'here'): string[] {
  const isText = (text: unknown): text is string => typeof text === 'string'
  const meaning = [place && schema.here, schema.description].find(isText)
  const inner = schema.anyOf?.flatMap((one) => aboutOf(one)).find(isText)
  const described = (meaning === undefined && inner) || describedBy(meaning, explanationOf(schema))
  return [
    ...(described ? [described] : []),
    ...('default' in schema ? [`Default: ${JSON.stringify(schema.default)}.`] : []),
  ]
}

function comment(lines: readonly string[], indent: string): string {
  if (lines.length === 0) return ''
  const safe = lines.map((line) => line.replaceAll('*/', '* /'))
  if (safe.length === 1) return `${indent}/** ${safe[0]} */\n`
  return `${indent}/**\n${safe.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`
}

function moduleText(form: Form, module: string, routes: readonly FormRoute[], types: Types): string {
  const methods = routes.map((one) => methodText(form, one, types))
  return `export interface ${pascal(module)} {\n${methods.join('')}}\n`
}

function methodText(form: Form, { module, name, route }: FormRoute, types: Types): string {
  const offered = pascal(module) + pascal(name)
  const params = namesInPath(pathOf(form, route)).map((param) => `${param}: string`)
  const body = route.body as JsonSchema | undefined
  const query = route.query as JsonSchema | undefined
  const optional = (schema: JsonSchema) => ((schema.required ?? []).length === 0 ? '?' : '')
  const given = [
    ...params,
    ...(body ? [`body${optional(body)}: ${types.nameFor(body, `${offered}Body`)}`] : []),
    ...(query ? [`query${optional(query)}: ${types.nameFor(query, `${offered}Query`)}`] : []),
  ]
  const about = comment(aboutMethod(form, route), '  ')
  const plain = `${about}  ${name}(${[...given, 'options?: CallOptions'].join(', ')}): ${answered(route, offered, types)}\n`
  const others = Object.keys(route.alsoAs).map((media) => {
    const needed = given.map((one) => one.replace('?:', ':').replace(/^query:(.*)$/, 'query:$1 | undefined'))
    return `${about}  ${name}(${[...needed, `options: CallOptions & { as: '${media}' }`].join(', ')}): Called<string>\n`
  })
  return [...others, plain].join('')
}

const aboutMethod = (form: Form, route: Route): string[] => {
  const { summary, description } = route.definition
  const sentences = [`${summary}.`, ...(description ? [description] : []), ...accessSentences(accessOf(route))]
  const reasons = reasonsOf(form, route)
  return [
    ...sentences,
    `\`${route.method} ${route.path}\``,
    ...(reasons.length > 0 ? [`@throws {Refused} ${reasons.map((reason) => `\`${reason}\``).join(', ')}`] : []),
  ]
}

/** Reasons that most operations share: faults of the request, of its token and of its time. Hovers leave them out. */
const isShared = (reason: string): boolean =>
  /^(auth|request|limit|dependency|idempotency|live_mode|jurisdiction)\./.test(reason) ||
  reason === 'resource.not_found'

/** The reasons that belong to one operation. */
const reasonsOf = (form: Form, route: Route): string[] =>
  [...documentedStatuses(form, route).values()].flat().filter((reason) => !isShared(reason))

function answered(route: Route, offered: string, types: Types): string {
  const reply = route.reply as JsonSchema
  if (!isPaged(route)) {
    if (reply.items) return `Called<${arrayOf(types.nameFor(reply.items, `${offered}Entry`))}>`
    return `Called<${'anyOf' in reply ? types.typeOf(reply, '') : types.nameFor(reply, `${offered}Reply`)}>`
  }
  if (reply.items) return `Pages<${types.nameFor(reply.items, `${offered}Entry`)}>`
  const { items } = reply.properties ?? {}
  return `Pages<${types.nameFor(items?.items as JsonSchema, `${offered}Entry`)}, ${types.nameFor(reply, `${offered}Reply`)}>`
}

/** Some lists have only one page. */
const isPaged = ({ pagination, query }: Route): boolean =>
  pagination !== undefined && (query as JsonSchema | undefined)?.properties?.page !== undefined

/** The organisation in a path is always the token's own: `me`, unless that path belongs to another route. */
function pathOf(form: Form, route: Route): string {
  const { format } = ((route.params as JsonSchema | undefined)?.properties?.orgId ?? {}) as JsonSchema
  const mine = route.path.replace('{orgId}', 'me')
  const isTaken = form.routes.some((one) => one.route.method === route.method && one.route.path === mine)
  return format === 'uuid-or-me' && !isTaken ? mine : route.path
}

/** Method, path and traits, as the client knows a route. */
export function operationOf(form: Form, route: Route): readonly [method: string, path: string, traits: string] {
  const traits = [
    route.body ? 'b' : '',
    route.query ? 'q' : '',
    honoursIdempotencyKey(route) ? 'k' : '',
    isPaged(route) ? 'p' : '',
  ].join('')
  return [route.method, pathOf(form, route), traits]
}

const rowOf = (form: Form, route: Route): string =>
  `[${operationOf(form, route)
    .map((part) => `'${part}'`)
    .join(', ')}]`

function refusalsText(form: Form): string {
  const rows = Object.entries(form.answers).map(
    ([reason, { status, code }]) =>
      `${comment([refusals[reason as keyof typeof refusals]], '  ')}  '${reason}': { status: ${status}; code: '${code}' }\n`,
  )
  return `/** Every reason for which a request may be refused, with its status and code. */
export interface Refusals {
${rows.join('')}}

export type Reason = keyof Refusals
export type Code = Refusals[Reason]['code']
`
}

function eventsText(form: Form, types: Types): string {
  const told = [...Map.groupBy(form.webhooks?.requests ?? [], ({ name }) => name)]
  const rows = told.map(([name, requests]) => {
    const bodies = requests.map(({ body }) => types.typeOf(body as TSchema as JsonSchema, '  '))
    return `  '${name}': ${[...new Set(bodies)].join(' | ')}\n`
  })
  return `/** What webhooks tell, by the type of the event. */
export interface WebhookEvents {
${rows.join('')}}

export type WebhookEvent = WebhookEvents[keyof WebhookEvents]
`
}
