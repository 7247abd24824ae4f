import { STATUS_CODES } from 'node:http'
import { type RefusalName, refusals } from '../kernel/refusals.ts'
import type { Form } from './form.ts'
import {
  accessSentences,
  type DocumentedOperation,
  type JsonSchema,
  type OpenApiDocument,
  type Parameter,
  type Response,
} from './openapi.ts'

/** Text that is HTML already; everything else is escaped on its way into a page. */
class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Piece = Markup | readonly Markup[] | string | number | false | undefined

const raw = (text: string) => new Markup(text)

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string) => text.replace(/[&<>"']/g, (char) => escapes[char] as string)

function render(piece: Piece): string {
  if (piece === undefined || piece === false) return ''
  if (piece instanceof Markup) return piece.text
  return typeof piece === 'object' ? piece.map(render).join('') : escaped(String(piece))
}

function html(strings: TemplateStringsArray, ...pieces: Piece[]): Markup {
  return raw(strings.map((string, index) => string + render(pieces[index])).join(''))
}

interface Served {
  readonly method: string
  readonly path: string
  readonly operation: DocumentedOperation
}

interface Group {
  readonly name: string
  readonly title: string
  readonly served: readonly Served[]
}

/** The reference as one page that needs neither scripts nor anything from elsewhere. */
export function referencePage(document: OpenApiDocument, form: Form): string {
  const groups = groupsOf(document)
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${document.info.title} reference</title>
<style>${raw(styles)}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<div class="layout">
${sidebar(document, groups)}
<main id="content">
${introduction(document, form)}
${groups.map((group) => groupSection(group, form.prefix))}
</main>
</div>
</body>
</html>
`
  return page.text
}

function groupsOf(document: OpenApiDocument): Group[] {
  const served = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([verb, operation]) => ({ method: verb.toUpperCase(), path, operation })),
  )
  return document.tags.map(({ name }) => ({
    name,
    title: titleOf(name),
    served: served.filter(({ operation }) => operation.tags.includes(name)),
  }))
}

function titleOf(name: string): string {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[-_]/g, ' ')
    .toLowerCase()
    .replace(/\bapi\b/g, 'API')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const chapters = {
  authentication: 'Authentication',
  replies: 'Replies',
  errors: 'Errors',
  paging: 'Paging',
  idempotency: 'Idempotency',
  versions: 'Versions',
  'rate-limits': 'Rate limits',
  'other-form': 'The other form',
}
type ChapterId = keyof typeof chapters

const sidebar = (document: OpenApiDocument, groups: readonly Group[]) => html`<header class="sidebar">
<a class="brand" href="#content">${document.info.title}</a>
<details class="menu">
<summary>Contents</summary>
<nav aria-label="Contents">
<p class="nav-title">Start here</p>
<ul>${Object.entries(chapters).map(([id, title]) => html`<li><a href="#${id}">${title}</a></li>`)}</ul>
${groups.map(
  (group) => html`<p class="nav-title"><a href="#tag-${group.name}">${group.title}</a></p>
<ul>${group.served.map(
    ({ method, operation }) =>
      html`<li><a href="#${operation.operationId}"><span>${operation.summary}</span>${badge(method)}</a></li>`,
  )}</ul>`,
)}
</nav>
</details>
</header>`

const badge = (method: string) => html`<span class="method ${method.toLowerCase()}">${method}</span>`

function chapter(id: ChapterId, told: Markup, shown?: string, below?: Markup): Markup {
  return html`<section class="chapter" id="${id}"><div class="told"><h2>${chapters[id]}</h2>${told}</div>
${shown !== undefined && html`<div class="shown">${code(shown)}</div>`}${below && html`<div class="below">${below}</div>`}</section>`
}

const introduction = (document: OpenApiDocument, form: Form) => html`<div class="opening">
<p class="eyebrow">API reference · Form ${form.name} · version ${document.info.version}</p>
<h1>${document.info.title}</h1>
${prose(document.info.description, 'lead')}
<dl class="facts"><div><dt>Base address</dt><dd><code>${form.prefix || '/'}</code></dd></div>
<div><dt>OpenAPI 3.1</dt><dd><a href="${form.prefix}/openapi.json"><code>${form.prefix}/openapi.json</code></a></dd></div>
<div><dt>Format</dt><dd>JSON, UTF-8</dd></div></dl>
</div>
${chapter('authentication', authentication, 'export RISITI_URL=…  # this server\nexport RISITI_TOKEN=sk_test_…')}
${chapter(
  'replies',
  prose(
    'Every reply is one envelope: what was asked for is under `data`, facts about the request are under `meta`. Each reply also carries `X-Request-Id`; name it when you ask us about a request.',
  ),
  pretty({ meta: exampleMeta, data: { id: examples.uuid } }),
)}
${chapter(
  'errors',
  prose(
    'A refusal has `error` where `data` would be. `code` is for programs, `message` says in one sentence what to do, and `details` lists every fault. Several reasons can share a code; the header `Risiti-Reason` tells them apart.',
  ),
  pretty({ meta: { ...exampleMeta, mode: undefined }, error: exampleError(form) }),
  errorTable(form),
)}
${chapter(
  'paging',
  prose(
    'Lists come in pages. The query says which page and how long; `meta.pagination` answers with `page`, `limit`, the exact `total` and `totalPages`.',
  ),
  pretty({ pagination: examplePagination }),
)}
${chapter(
  'idempotency',
  prose(
    'Send an `Idempotency-Key` of your own (8 to 128 letters, digits, `_` or `-`) with a change, and repeat the request as often as you must: it has its effect once. For 24 hours the same key with the same body answers the first reply again, marked `Idempotent-Replayed: true`. Secrets are not repeated. Another body under the same key is refused.',
  ),
  '→ Idempotency-Key: order-4711-attempt\n← Idempotent-Replayed: true',
)}
${chapter(
  'versions',
  prose(
    'Objects that people edit carry a version as `ETag`. Send it back as `If-Match` with a change, and the change is refused if somebody else was faster. Send it as `If-None-Match` with a read, and the answer is 304 while nothing changed.',
  ),
  '← ETag: "3"\n→ If-Match: "3"',
)}
${chapter(
  'rate-limits',
  prose(
    'Each reply says how many requests the window allows (`RateLimit-Limit`), how many are left (`RateLimit-Remaining`) and in how many seconds it begins anew (`RateLimit-Reset`). Beyond that the answer is 429; wait for the seconds in `Retry-After`.',
  ),
  '← RateLimit-Limit: 600\n← RateLimit-Remaining: 599\n← RateLimit-Reset: 60',
)}
${chapter('other-form', otherForm(form))}`

function exampleError(form: Form) {
  const message = refusals['request.invalid']
  const details = [{ path: 'lineItems[2].quantity', rule: 'required', message: 'is required' }]
  return { code: form.answers['request.invalid'].code, message, details }
}

function errorTable(form: Form): Markup {
  const rows = new Map<string, { status: number; code: string; names: RefusalName[] }>()
  for (const [name, { status, code }] of Object.entries(form.answers)) {
    const row = rows.get(`${status} ${code}`) ?? { status, code, names: [] }
    row.names.push(name as RefusalName)
    rows.set(`${status} ${code}`, row)
  }
  const sorted = [...rows.values()].sort((a, b) => a.status - b.status || (a.code < b.code ? -1 : 1))
  return table(
    'errors-table',
    ['Status', 'Code', 'Reasons'],
    sorted.map(
      ({ status, code, names }) => html`<tr><td>${statusBadge(status)}</td><td><code>${code}</code></td>
<td><dl class="reasons">${names.map((name) => html`<div><dt><code>${name}</code></dt><dd>${refusals[name]}</dd></div>`)}</dl></td></tr>`,
    ),
  )
}

function otherForm(form: Form): Markup {
  const other = form.name === 'A' ? { name: 'B', prefix: '/form-b' } : { name: 'A', prefix: '' }
  return html`<p>The same organisations, tokens and data are also served in Form ${other.name}, below
<code>${other.prefix || '/'}</code>, in other words and shapes: see <a href="${other.prefix}/docs">its reference</a>.</p>
${
  form.elsewhere.length > 0 &&
  html`<details class="fold"><summary>Only in Form ${other.name} <span class="count">${form.elsewhere.length}</span></summary>
<ul class="elsewhere">${form.elsewhere.map(({ method, path }) => html`<li>${badge(method)} ${pathText(other.prefix + path)}</li>`)}</ul></details>`
}`
}

const groupSection = ({ name, title, served }: Group, prefix: string) => html`<section class="group" id="tag-${name}">
<h2>${title}</h2>
${served.map((one) => operationArticle(one, prefix))}
</section>`

function operationArticle(served: Served, prefix: string): Markup {
  const { method, path, operation } = served
  const access = operation['x-risiti-access']
  const sentences = accessSentences(access)
  const paragraphs = operation.description.split('\n\n').filter((paragraph) => !sentences.includes(paragraph))
  return html`<article class="operation" id="${operation.operationId}">
<div class="told">
<h3><a href="#${operation.operationId}">${operation.summary}</a></h3>
<p class="address">${badge(method)} ${pathText(prefix + path)}</p>
${paragraphs.map((paragraph) => prose(paragraph))}
<p class="access">${raw(sentences.map((sentence) => inline(sentence).text).join(' '))}</p>
${parameterTable(operation.parameters)}
${bodyTable(operation.requestBody?.content['application/json'].schema)}
${replyTable(dataOf(operation))}
${statusTable(operation)}
</div>
<div class="shown">
<h4>Example request</h4>
${code(curl(served, prefix))}
<h4>Example reply</h4>
${code(pretty(exampleReply(operation)), 'tall')}
</div>
</article>`
}

function successOf(operation: DocumentedOperation) {
  const [status, response] = Object.entries(operation.responses).find(([key]) => key < '300') ?? []
  return { status: Number(status ?? 200), schema: response?.content?.['application/json'].schema }
}

const dataOf = (operation: DocumentedOperation) => successOf(operation).schema?.properties?.data

function parameterTable(parameters: readonly Parameter[]): Markup | false {
  if (parameters.length === 0) return false
  const rows = parameters.map((parameter) => {
    const { name, description, schema } = parameter
    const field = {
      path: name,
      required: parameter.required,
      schema: description ? { ...schema, description } : schema,
    }
    return fieldRow(field, html`<span class="mark">${parameter.in}</span>${parameter.required && requiredMark}`)
  })
  return html`<h4>Parameters</h4>${table('fields', ['Name', 'Type', 'Meaning'], rows)}`
}

function bodyTable(schema: JsonSchema | undefined): Markup | false {
  const rows = schema ? flatten(schema).map((field) => fieldRow(field, field.required && requiredMark)) : []
  return rows.length > 0 && html`<h4>Body</h4>${table('fields', ['Field', 'Type', 'Meaning'], rows)}`
}

const fewFields = 6

function replyTable(schema: JsonSchema | undefined): Markup | false {
  const rows = schema ? flatten(schema).map((field) => fieldRow(field, !field.required && optionalMark)) : []
  if (rows.length === 0) return false
  return html`<details class="fold"${raw(rows.length <= fewFields ? ' open' : '')}><summary><h4>Reply</h4>
<span class="note">under <code>data</code></span><span class="count">${rows.length} ${rows.length === 1 ? 'field' : 'fields'}</span></summary>
${table('fields', ['Field', 'Type', 'Meaning'], rows)}</details>`
}

function statusTable(operation: DocumentedOperation): Markup {
  const responses = Object.entries(operation.responses)
  return html`<details class="fold"><summary><h4>Statuses</h4>
<span class="chips">${responses.map(([status]) => html`${statusBadge(Number(status))} `)}</span></summary>
${table(
  'statuses',
  ['Status', 'Code', 'When'],
  responses.flatMap(([status, response]) => statusRows(Number(status), response)),
)}</details>`
}

function statusRows(status: number, { description, 'x-risiti-reasons': reasons = [] }: Response): Markup[] {
  if (reasons.length === 0) return [html`<tr><td>${statusBadge(status)}</td><td></td><td>${description}</td></tr>`]
  const first = html`<td rowspan="${reasons.length}">${statusBadge(status)}</td>`
  return reasons.map(
    ({ code, reason, message }, index) => html`<tr>${index === 0 && first}<td><code>${code}</code></td>
<td><code class="reason">${reason}</code> ${message}</td></tr>`,
  )
}

const statusBadge = (status: number) =>
  html`<span class="status s${String(status).charAt(0)}" title="${STATUS_CODES[status] ?? ''}">${status}</span>`

const table = (kind: string, heads: readonly string[], rows: readonly Markup[]) =>
  html`<div class="scroll"><table class="${kind}"><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div>`

const code = (text: string, kind = '') => html`<pre class="${kind}" tabindex="0"><code>${text}</code></pre>`

const pathText = (path: string) =>
  html`<code class="path">${path.split(/(\{\w+\})/).map((part) => (part.startsWith('{') ? html`<var>${part}</var>` : raw(escaped(part).replaceAll('/', '/<wbr>'))))}</code>`

const prose = (text: string, kind = '') => html`<p class="${kind}">${inline(text)}</p>`

/** Plain text with `code` in backticks and **weight** in asterisks. */
const inline = (text: string) =>
  raw(
    escaped(text).replace(/`([^`]+)`|\*\*([^*]+)\*\*/g, (_, quoted?: string, strong?: string) =>
      quoted === undefined ? `<strong>${strong}</strong>` : `<code>${quoted}</code>`,
    ),
  )

interface Field {
  readonly path: string
  readonly required: boolean
  readonly schema: JsonSchema
}

const deepest = 8

/** Every field of a schema in one list, nested ones as `address.city` and `lineItems[].quantity`. */
function flatten(schema: JsonSchema, path = '', depth = 0): Field[] {
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

/** The schema itself, or what stands in its unions, without null. */
function variantsOf(schema: JsonSchema): readonly JsonSchema[] {
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf
  return choices ? choices.filter((choice) => choice.type !== 'null').flatMap(variantsOf) : [schema]
}

const requiredMark = html`<span class="required">required</span>`
const optionalMark = html`<span class="mark">optional</span>`

const fieldRow = ({ path, schema }: Field, mark: Markup | false) => html`<tr>
<td>${fieldName(path)}${mark}</td><td><span class="type">${typeOf(schema)}</span></td><td>${meaningOf(schema)}</td></tr>`

function fieldName(path: string): Markup {
  const cut = path.lastIndexOf('.') + 1
  const parents = raw(escaped(path.slice(0, cut)).replaceAll('.', '.<wbr>'))
  return html`<code class="name">${cut > 0 && html`<span class="parents">${parents}</span>`}${path.slice(cut)}</code>`
}

function typeOf(schema: JsonSchema): string {
  const variants = variantsOf(schema)
  if (schema.anyOf || schema.oneOf) {
    const kinds = [...new Set(variants.map(typeOf))]
    if ((schema.anyOf ?? schema.oneOf ?? []).some(({ type }) => type === 'null')) kinds.push('null')
    return kinds.join(' or ')
  }
  if (schema.items) return `array of ${typeOf(schema.items)}`
  const [valueSchema] = Object.values(schema.patternProperties ?? {})
  if (valueSchema) return `map to ${typeOf(valueSchema)}`
  if (schema.format) return schema.format
  if (schema.type !== undefined) return [schema.type].flat().join(' or ')
  const [sample] = schema.enum ?? [schema.const]
  if (sample !== undefined) return typeof sample
  return schema.properties || schema.allOf ? 'object' : 'any'
}

function meaningOf(schema: JsonSchema): Markup[] {
  const described = schema.description ?? variantsOf(schema)[0]?.description
  const constraints = variantsOf(schema).flatMap(constraintsOf).join(', ')
  return [
    ...(described ? [html`<span class="meaning">${inline(sentence(described))}</span>`] : []),
    ...(constraints ? [html`<span class="constraints">${inline(constraints)}</span>`] : []),
  ]
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.')

const quoted = (value: unknown) => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``

function constraintsOf(schema: JsonSchema): string[] {
  const { minLength, maxLength, minItems, maxItems, pattern } = schema
  return [
    ...(schema.enum ? [`one of ${schema.enum.map(quoted).join(' ')}`] : []),
    ...('const' in schema ? [`always ${quoted(schema.const)}`] : []),
    ...range(minLength, maxLength, ' characters'),
    ...range(schema.minimum, schema.maximum, ''),
    ...('exclusiveMinimum' in schema ? [`more than ${schema.exclusiveMinimum}`] : []),
    ...('exclusiveMaximum' in schema ? [`less than ${schema.exclusiveMaximum}`] : []),
    ...range(minItems, maxItems, ' entries'),
    // A pattern that only asks for something visible is said in words already.
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

function curl({ method, path, operation }: Served, prefix: string): string {
  const named = (place: Parameter['in']) => operation.parameters.filter((parameter) => parameter.in === place)
  const filled = named('path').reduce(
    (url, { name, schema }) => url.replace(`{${name}}`, urlExample(schema, name)),
    path,
  )
  const asked = named('query').filter(({ name, required }) => required || /^(page|limit|pageSize)$/.test(name))
  const query = asked.map(({ name, schema }) => `${name}=${urlExample(schema, name)}`).join('&')
  const body = operation.requestBody?.content['application/json'].schema
  const headers = named('header').map(({ name }) => name)
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "$RISITI_URL${prefix}${filled}${query && `?${query}`}"`,
    ...(operation.security.length > 0 ? ['-H "Authorization: Bearer $RISITI_TOKEN"'] : []),
    ...(headers.includes('Idempotency-Key') ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(headers.includes('If-Match') ? [`-H 'If-Match: "3"'`] : []),
    ...(body
      ? [
          "-H 'Content-Type: application/json'",
          `-d '${indented(pretty(exampleOf(body, '', false))).replaceAll("'", "'\\''")}'`,
        ]
      : []),
  ].join(' \\\n  ')
}

const urlExample = (schema: JsonSchema, name: string) => encodeURIComponent(String(exampleOf(schema, name, true)))

const pretty = (value: unknown) => JSON.stringify(value, null, 2)
const indented = (text: string) => text.replaceAll('\n', '\n  ')

function exampleReply(operation: DocumentedOperation): unknown {
  const { schema } = successOf(operation)
  const { meta, data } = schema?.properties ?? {}
  const pagination = meta?.allOf ? { pagination: examplePagination } : {}
  const mode = operation.security.length > 0 ? {} : { mode: undefined }
  return { meta: { ...exampleMeta, ...mode, ...pagination }, data: data && exampleOf(data, '', true) }
}

const examples = {
  uuid: '0198c5a2-7b1e-7c3d-9f4a-5e6b7c8d9e0f',
  date: '2026-01-31',
  'date-time': '2026-01-31T09:00:00.000Z',
  email: 'ada@example.com',
  uri: 'https://example.com/risiti',
}

const exampleMeta = {
  requestId: '0198c5a2-8f10-7a2b-b3c4-d5e6f7a8b9c0',
  timestamp: examples['date-time'],
  mode: 'sandbox',
}

const examplePagination = { page: 1, limit: 20, total: 1, totalPages: 1 }

/** Plausible values by the name of their field; the first name that fits wins. */
const namedExamples: readonly (readonly [RegExp, string | number])[] = [
  [/email/i, examples.email],
  [/firstName/i, 'Ada'],
  [/lastName/i, 'Obi'],
  [/phone/i, '+2348012345678'],
  [/password/i, 'correct horse battery'],
  [/(taxId|taxNumber|taxNo|^tin)$/i, '12345678-0001'],
  [/^(key|apiKey)$/, 'sk_test_kT9vR2mQ8xLw4nZc'],
  [/(secret|token)$/i, 'kT9vR2mQ8xLw4nZc'],
  [/country/i, 'NG'],
  [/currency/i, 'NGN'],
  [/(invoice)?number$/i, 'INV000001'],
  [/(partyName|businessName|organi[sz]ationName|sellerName|buyerName)/i, 'Adaeze Foods Ltd'],
  [/^(name|label|title)$/, 'Adaeze Foods Ltd'],
  [/(street|line1|address)/i, '12 Marina'],
  [/(city|town)/i, 'Lagos'],
  [/(state|region)/i, 'Lagos'],
  [/(postal|zip)/i, '101001'],
  [/(url|link)$/i, examples.uri],
  [/(description|note|message)/i, 'Consulting in January'],
  [/reason/i, 'Wrong quantity'],
  [/(hsn|hs)Code/i, '100630'],
  [/unit(Code)?$/i, 'C62'],
  [/code$/i, '123456'],
  [/(At|On|Date)$/, examples.date],
  [/(total|amount|price|minor)/i, 1500],
  [/(quantity|count)/i, 2],
  [/(expiresIn|seconds)/i, 900],
  [/(limit|pageSize)/i, 20],
  [/(percent|rate)/i, 7.5],
]

const spareTexts = [
  'example',
  'EXAMPLE',
  '123456',
  '12345678-0001',
  'NG',
  'NGN',
  '+2348012345678',
  examples.date,
  examples.uuid,
  '1',
]

/** A value that fits the schema; with `whole`, fields that may be left out stand in it too. */
function exampleOf(schema: JsonSchema, name: string, whole: boolean): unknown {
  if ('const' in schema) return schema.const
  if (Array.isArray(schema.examples)) return schema.examples[0]
  if ('default' in schema) return schema.default
  if (schema.enum) return schema.enum[0]
  const [variant] = variantsOf(schema)
  if (variant === undefined) return null
  if (variant !== schema) return exampleOf(variant, name, whole)
  const [type] = [schema.type].flat()
  if (type === 'array') return schema.items ? [exampleOf(schema.items, name.replace(/s$/, ''), whole)] : []
  if (type === 'object') return exampleObject(schema, whole)
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return exampleNumber(schema, name, type)
  if (type === 'null') return null
  return exampleText(schema, name)
}

function exampleObject(schema: JsonSchema, whole: boolean): unknown {
  const { properties = {}, required = [] } = schema
  const all = Object.keys(properties)
  // An update whose fields are all optional would show nothing: it shows its first two.
  const shown = whole ? all : required.length > 0 ? all.filter((key) => required.includes(key)) : all.slice(0, 2)
  return Object.fromEntries(shown.map((key) => [key, exampleOf(properties[key] as JsonSchema, key, whole)]))
}

function exampleNumber(schema: JsonSchema, name: string, type: string): number {
  const named = namedExamples.find(([pattern, value]) => typeof value === 'number' && pattern.test(name))?.[1] ?? 1
  const value = type === 'integer' ? Math.floor(Number(named)) : Number(named)
  const { minimum = value, maximum = value } = schema as { minimum?: number; maximum?: number }
  return Math.min(Math.max(value, minimum), maximum)
}

function exampleText(schema: JsonSchema, name: string): string {
  const ofFormat = examples[schema.format as keyof typeof examples]
  if (ofFormat) return ofFormat
  const named = namedExamples.filter(([pattern, value]) => typeof value === 'string' && pattern.test(name))
  const candidates = [...named.map(([, value]) => String(value)), ...spareTexts]
  return candidates.find((candidate) => fits(candidate, schema)) ?? 'example'
}

function fits(text: string, schema: JsonSchema): boolean {
  const {
    pattern = '',
    minLength = 0,
    maxLength = Infinity,
  } = schema as { pattern?: string; minLength?: number; maxLength?: number }
  return text.length >= minLength && text.length <= maxLength && new RegExp(pattern, 'u').test(text)
}

const authentication = html`${prose(
  'Send a token with each request as `Authorization: Bearer <token>`. There are two kinds, and each operation says which it takes.',
)}<ul><li>${inline('**Access token.** A person signs in and gets one. It is short-lived; the refresh token gets the next.')}</li>
<li>${inline('**API key.** For programs. A key that begins with `sk_test_` works on sandbox data, one that begins with `sk_live_` on live data. It is shown once, when it is made.')}</li></ul>
${prose('What a token may do is a list of capabilities such as `invoice.read`. The examples on this page take the server and the token from two variables.')}`

const styles = `
:root {
  color-scheme: light dark;
  --page: #fff; --side: #f8f8f6; --raised: #f4f4f1; --line: #e3e3de; --ink: #1b2024; --soft: #59626b;
  --accent: #0a6b4c; --tint: #e7f3ee; --must: #a8451a;
  --get: #0a6b4c; --post: #1d4fbf; --put: #8a5a00; --delete: #b3261e;
  --shell: #14191e; --shell-ink: #e2e8ed;
  --mono: ui-monospace, 'SF Mono', SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #101316; --side: #14181c; --raised: #1a1f24; --line: #2a3138; --ink: #e4e8eb; --soft: #9da7b0;
    --accent: #63d1a6; --tint: #14302a; --must: #f0a074;
    --get: #63d1a6; --post: #8db4ff; --put: #e5b567; --delete: #ff968c;
    --shell: #181d22; --shell-ink: #dfe5ea;
  }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 1.5rem; -webkit-text-size-adjust: 100%; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body { margin: 0; background: var(--page); color: var(--ink); font: 1rem/1.6 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif; }
a { color: var(--accent); text-underline-offset: .18em; text-decoration-thickness: .06em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
code, pre, var { font-family: var(--mono); font-style: normal; }
code { font-size: .86em; }
p code, li code, dd code, .meaning code, .constraints code { background: var(--raised); border-radius: 4px; padding: .12em .35em; overflow-wrap: anywhere; }
.skip { position: absolute; left: -999px; }
.skip:focus { left: 1rem; top: 1rem; z-index: 2; background: var(--page); padding: .5rem 1rem; }

.layout { display: grid; grid-template-columns: 16.5rem minmax(0, 1fr); }
.sidebar { position: sticky; top: 0; height: 100vh; overflow-y: auto; background: var(--side); border-right: 1px solid var(--line); padding: 1.75rem 0 3rem; scrollbar-width: thin; }
.brand { display: block; padding: 0 1.5rem 1rem; font-weight: 650; font-size: 1.05rem; letter-spacing: -.01em; color: var(--ink); text-decoration: none; }
nav ul { list-style: none; margin: 0 0 1.5rem; padding: 0; }
nav li a { display: flex; align-items: baseline; justify-content: space-between; gap: .75rem; padding: .24rem 1.5rem; font-size: .875rem; line-height: 1.4; color: var(--soft); text-decoration: none; }
nav li a:hover { color: var(--ink); background: var(--raised); }
nav .method { padding: 0; background: none; border: 0; font-size: .625rem; flex: none; }
.nav-title { margin: 0 0 .3rem; padding: 0 1.5rem; font-size: .8125rem; font-weight: 650; }
.nav-title a { color: inherit; text-decoration: none; }
.menu > summary { cursor: pointer; padding: .3rem 1.5rem; font-weight: 600; }

main { padding: 3.5rem clamp(1.25rem, 3.2vw, 4rem) 6rem; min-width: 0; }
main > * { max-width: 78rem; margin-inline: auto; }
h1, h2, h3 { line-height: 1.2; letter-spacing: -.02em; text-wrap: balance; }
h1 { font-size: clamp(2rem, 1.4rem + 2vw, 2.75rem); font-weight: 700; margin: .2rem 0 1rem; }
h2 { font-size: 1.5rem; font-weight: 680; margin: 0 0 .75rem; }
h3 { font-size: 1.2rem; font-weight: 650; margin: 0 0 .6rem; letter-spacing: -.01em; }
h3 a { color: inherit; text-decoration: none; }
h3 a:hover { text-decoration: underline; }
h4 { font-size: .8125rem; font-weight: 650; line-height: 1.5; margin: 1.75rem 0 .5rem; }
p { margin: 0 0 1rem; }
.opening > p, .chapter p, .chapter li { max-width: 44rem; }
.eyebrow { margin: 0; font-size: .875rem; color: var(--soft); }
.lead { font-size: 1.125rem; color: var(--soft); }
.facts { display: flex; flex-wrap: wrap; gap: .75rem 2.5rem; margin: 1.75rem 0 0; padding: 1.1rem 0; border-block: 1px solid var(--line); }
.facts dt { font-size: .8125rem; color: var(--soft); }
.facts dd { margin: 0; }
.chapter { padding: 2.5rem 0 0; }
.below { grid-column: 1 / -1; margin-top: 1.5rem; }
.chapter li { margin-bottom: .4rem; }
.chapter ul { padding-left: 1.2rem; }

.group { margin-top: 5rem; }
.group > h2 { font-size: 1.85rem; margin: 0; padding-bottom: 1rem; border-bottom: 1px solid var(--line); }
.operation, .chapter { display: grid; grid-template-columns: minmax(0, 1fr) clamp(24rem, 31vw, 28rem); gap: 0 2.25rem; }
.operation { padding: 2.5rem 0; border-bottom: 1px solid var(--line); }
.operation:last-child { border-bottom: 0; }
.shown { position: sticky; top: 1.5rem; align-self: start; }
.shown h4:first-child { margin-top: 0; }
.address { display: flex; align-items: baseline; gap: .6rem; margin-bottom: 1rem; }
code.path { font-size: .875rem; overflow-wrap: anywhere; background: none; padding: 0; }
.path var { color: var(--accent); }
.method { font: 700 .6875rem/1.5 var(--mono); letter-spacing: .02em; color: var(--hue); border: 1px solid color-mix(in srgb, var(--hue) 35%, transparent); background: color-mix(in srgb, var(--hue) 8%, transparent); border-radius: 4px; padding: .08rem .4rem; flex: none; }
.get { --hue: var(--get); } .post { --hue: var(--post); } .put, .patch { --hue: var(--put); } .delete { --hue: var(--delete); }
.access { margin: 0; padding: .65rem .9rem; background: var(--raised); border-radius: 8px; font-size: .875rem; color: var(--soft); }
.access code { background: var(--page); color: var(--ink); }

.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .875rem; line-height: 1.5; }
th { text-align: left; font-weight: 500; color: var(--soft); font-size: .8125rem; padding: .3rem .9rem .3rem 0; border-bottom: 1px solid var(--line); }
td { padding: .6rem .9rem .6rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
tr:last-child > td { border-bottom: 0; }
td:last-child, th:last-child { padding-right: 0; }
.fields { table-layout: fixed; }
.fields th:nth-child(1) { width: 36%; }
.fields th:nth-child(2) { width: 19%; }
.name { font-weight: 600; overflow-wrap: anywhere; margin-right: .5rem; }
.parents { font-weight: 400; color: var(--soft); }
.required, .mark { display: inline-block; font-size: .75rem; color: var(--soft); margin-right: .5rem; }
.required { color: var(--must); }
.type { color: var(--soft); }
.meaning, .constraints { display: block; overflow-wrap: anywhere; }
.constraints { color: var(--soft); }
.status { display: inline-block; font: 600 .75rem/1.5 var(--mono); padding: .05rem .4rem; border-radius: 4px; background: var(--raised); color: var(--soft); }
.s2 { color: var(--get); background: color-mix(in srgb, var(--get) 10%, transparent); }
.s4 { color: var(--put); background: color-mix(in srgb, var(--put) 10%, transparent); }
.s5 { color: var(--delete); background: color-mix(in srgb, var(--delete) 10%, transparent); }
.statuses th:nth-child(1), .errors-table th:nth-child(1) { width: 4.25rem; }
.statuses th:nth-child(2), .errors-table th:nth-child(2) { width: 5.5rem; }
.statuses .reason { display: block; color: var(--soft); }
.reasons { margin: 0; }
.reasons div { display: grid; grid-template-columns: minmax(0, 16rem) minmax(0, 1fr); gap: 0 1.25rem; padding: .12rem 0; }
.reasons dd { margin: 0; }
.reasons dt code { background: none; padding: 0; color: var(--soft); overflow-wrap: anywhere; }
.errors-table td > code { font-weight: 600; }
.fold { margin-top: 1.25rem; border-top: 1px solid var(--line); }
.fold > summary { cursor: pointer; list-style: none; display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .6rem; padding: .7rem 0; }
.fold > summary::-webkit-details-marker { display: none; }
.fold > summary::before { content: ''; width: .4rem; height: .4rem; margin: 0 .15rem; border: solid var(--soft); border-width: 0 1.5px 1.5px 0; transform: rotate(-45deg); flex: none; }
.fold[open] > summary::before { transform: rotate(45deg); }
.fold + .fold { margin-top: 0; }
.fold h4 { margin: 0; }
.note, .count { font-size: .8125rem; color: var(--soft); }
.count { margin-left: auto; }
.chips { display: flex; flex-wrap: wrap; gap: .3rem; margin-left: auto; }
.chapter .elsewhere { list-style: none; columns: 20rem; padding: 0; font-size: .875rem; }
.elsewhere li { break-inside: avoid; display: flex; gap: .5rem; align-items: baseline; }
pre { margin: 0; background: var(--shell); color: var(--shell-ink); border-radius: 10px; padding: 1rem; font-size: .75rem; line-height: 1.65; overflow: auto; user-select: all; -webkit-user-select: all; scrollbar-width: thin; scrollbar-color: #55606a transparent; }
pre code { font-size: inherit; }
pre.tall { max-height: 24rem; }

@supports selector(::details-content) {
  @media (min-width: 53.01rem), print {
    .menu > summary { display: none; }
    .menu::details-content { content-visibility: visible; block-size: auto; }
  }
  @media print { .fold::details-content { content-visibility: visible; block-size: auto; } }
}
@media (max-width: 75rem) {
  .operation, .chapter { grid-template-columns: minmax(0, 1fr); }
  .shown { position: static; }
  .shown h4:first-child { margin-top: 1.75rem; }
}
@media (max-width: 53rem) {
  .layout { display: block; }
  .sidebar { position: static; height: auto; border-right: 0; border-bottom: 1px solid var(--line); padding: 1rem 0; }
  .brand { padding: 0 1.25rem .3rem; }
  .menu > summary { padding-inline: 1.25rem; }
  .menu nav { padding-top: 1rem; max-height: 70vh; overflow-y: auto; }
  .nav-title, nav li a { padding-inline: 1.25rem; }
  nav li a { padding-block: .45rem; }
  main { padding-top: 2rem; }
  .reasons div { grid-template-columns: 1fr; padding: .3rem 0; }
  .fields, .fields tbody, .fields tr, .fields td { display: block; }
  .fields thead { position: absolute; left: -999px; }
  .fields tr { padding: .65rem 0; border-bottom: 1px solid var(--line); }
  .fields tr:last-child { border-bottom: 0; }
  .fields td { border: 0; padding: 0; }
  .fields td:nth-child(-n + 2) { display: inline; }
  .chips { margin-left: 0; }
}
@media print {
  :root { --page: #fff; --raised: #f4f4f1; --line: #ccc; --ink: #000; --soft: #444; --shell: #f4f4f1; --shell-ink: #000; color-scheme: light; }
  .layout, .operation, .chapter { display: block; }
  .sidebar, .skip { display: none; }
  .shown { position: static; }
  pre, pre.tall { white-space: pre-wrap; max-height: none; }
  h2, h3, h4, .address { break-after: avoid; }
  tr, pre { break-inside: avoid; }
}
`
