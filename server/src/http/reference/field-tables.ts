import type { JsonSchema, Parameter } from '../openapi/document.ts'
import { constraintsOf, type Field, flatten, typeOf, variantsOf } from '../openapi/schema-fields.ts'
import { inline, table } from './elements.ts'
import { escaped, html, type Markup, raw } from './markup.ts'

const requiredMark = html`<span class="required">required</span>`
const optionalMark = html`<span class="mark">optional</span>`

const fewFields = 6

export function parameterTable(parameters: readonly Parameter[]): Markup | false {
  if (parameters.length === 0) return false
  const rows = parameters.map((parameter) => {
    const { name, description, schema } = parameter
    const field = {
      path: name,
      required: parameter.required === true,
      schema: description ? { ...schema, description } : schema,
    }
    return fieldRow(
      field,
      html`<span class="mark">${parameter.in}</span>${parameter.required === true && requiredMark}`,
    )
  })
  return html`<h3>Parameters</h3>${table('fields', ['Name', 'Type', 'Meaning'], rows)}`
}

export function bodyTable(schema: JsonSchema | undefined): Markup | false {
  const rows = schema ? flatten(schema).map((field) => fieldRow(field, field.required && requiredMark)) : []
  return rows.length > 0 && html`<h3>Body</h3>${table('fields', ['Field', 'Type', 'Meaning'], rows)}`
}

export function replyTable(schema: JsonSchema | undefined): Markup | false {
  const rows = schema ? flatten(schema).map((field) => fieldRow(field, !field.required && optionalMark)) : []
  if (rows.length === 0) return false
  return html`<details class="fold"${raw(rows.length <= fewFields ? ' open' : '')}><summary><h3>Reply</h3>
<span class="note">under <code>data</code></span><span class="count">${rows.length} ${rows.length === 1 ? 'field' : 'fields'}</span></summary>
${table('fields', ['Field', 'Type', 'Meaning'], rows)}</details>`
}

/** The fields that all payloads have, with the same meaning. */
export function commonFields(payloads: readonly JsonSchema[]): ReadonlySet<string> {
  const [first, ...others] = payloads.map((schema) => new Set(flatten(schema).map(keyOf)))
  if (first === undefined || others.length === 0) return new Set()
  return new Set([...first].filter((key) => others.every((keys) => keys.has(key))))
}

const keyOf = (field: Field): string => JSON.stringify(field)

export function commonTable(payload: JsonSchema, common: ReadonlySet<string>): Markup | false {
  const fields = flatten(payload).filter((field) => common.has(keyOf(field)))
  return fields.length > 0 && foldedFields(html`<h2>Fields of all these events</h2>`, fields, ' open')
}

/** The fields of a payload that stand in no common table. */
export function payloadTable(schema: JsonSchema, common: ReadonlySet<string>): Markup | false {
  const fields = flatten(schema).filter((field) => !common.has(keyOf(field)))
  return fields.length > 0 && foldedFields(html`<h3>${common.size > 0 ? 'Further fields' : 'Fields'}</h3>`, fields)
}

function foldedFields(heading: Markup, fields: readonly Field[], open = ''): Markup {
  const rows = fields.map((field) => fieldRow(field, !field.required && optionalMark))
  return html`<details class="fold"${raw(open)}><summary>${heading}
<span class="note">under <code>data</code></span><span class="count">${rows.length} ${rows.length === 1 ? 'field' : 'fields'}</span></summary>
${table('fields', ['Field', 'Type', 'Meaning'], rows)}</details>`
}

const fieldRow = ({ path, schema }: Field, mark: Markup | false) => html`<tr>
<td>${fieldName(path)}${mark}</td><td><span class="type">${typeOf(schema)}</span></td><td>${meaningOf(schema)}</td></tr>`

function fieldName(path: string): Markup {
  const cut = path.lastIndexOf('.') + 1
  const parents = raw(escaped(path.slice(0, cut)).replaceAll('.', '.<wbr>'))
  return html`<code class="name">${cut > 0 && html`<span class="parents">${parents}</span>`}${path.slice(cut)}</code>`
}

function meaningOf(schema: JsonSchema): Markup[] {
  const described = schema.description ?? variantsOf(schema)[0]?.description
  const constraints = variantsOf(schema).flatMap(constraintsOf).join(', ')
  return [
    ...(described ? [html`<span class="meaning">${inline(described)}</span>`] : []),
    ...(constraints ? [html`<span class="constraints">${inline(constraints)}</span>`] : []),
  ]
}
