import { readFileSync } from 'node:fs'
import type { TSchema } from 'typebox'
import type { Route } from '../definitions/describe-route.ts'
import type { Form, FormRoute } from '../definitions/form.ts'
import { strictCheck } from '../request/validate.ts'
import type { JsonSchema } from './document.ts'
import { exampleMeta, exampleOf, examplePagination } from './example-values.ts'

/** Real replies of the service, by form and content: collected from the tests by `npm run replies:keep`. */
export type KeptReplies = Readonly<Record<Form['name'], Readonly<Record<string, unknown>>>>

const kept = JSON.parse(readFileSync(new URL('replies.json', import.meta.url), 'utf8')) as KeptReplies

/** What a reply contains: a named object, a list of them, or the operation's own value. */
export function replyKey({ module, name, route }: FormRoute): string {
  const reply = route.reply as JsonSchema
  if (typeof reply.named === 'string') return reply.named
  return typeof reply.items?.named === 'string' ? `${reply.items.named}List` : `${module}_${name}`
}

export const isKept = (form: Form, route: FormRoute): boolean => replyKey(route) in kept[form.name]

/** A real reply, adapted to the present schema: new fields are added, removed ones dropped. */
export function replyExample(form: Form, formRoute: FormRoute): object {
  const { route } = formRoute
  return { meta: metaOf(route), data: fitted(route.reply, kept[form.name][replyKey(formRoute)], '') }
}

const metaOf = ({ definition, pagination }: Route): object => ({
  ...exampleMeta,
  ...(definition.who === 'public' ? { mode: undefined } : {}),
  ...(pagination ? { pagination: examplePagination } : {}),
})

const longestList = 3

function fitted(schema: TSchema, value: unknown, name: string): unknown {
  const { properties, items, anyOf, patternProperties, required = [] } = schema as JsonSchema
  if (value === undefined) return exampleOf(schema as JsonSchema, name, true)
  if (anyOf) {
    const meant = anyOf.find((one) => resembles(one as JsonSchema, value)) ?? anyOf[0]
    return fitted(meant as TSchema, value, name)
  }
  if (Array.isArray(value) && items) {
    // One object is enough to show the others.
    const shown = value.slice(0, items.properties ? 1 : longestList)
    return shown.map((one) => fitted(items as TSchema, one, name.replace(/s$/, '')))
  }
  if (isObject(value) && properties) {
    const names = Object.keys(properties).filter((one) => one in value || required.includes(one))
    return Object.fromEntries(names.map((one) => [one, fitted(properties[one] as TSchema, value[one], one)]))
  }
  const [ofEach] = Object.values(patternProperties ?? {})
  if (isObject(value) && ofEach) {
    const entries = Object.entries(value).slice(0, longestList)
    return Object.fromEntries(entries.map(([key, one]) => [key, fitted(ofEach as TSchema, one, key)]))
  }
  return strictCheck(schema)(value).length === 0 ? value : exampleOf(schema as JsonSchema, name, true)
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** Whether a value belongs to this one of several schemas: by its kind, if not in every field. */
function resembles(schema: JsonSchema, value: unknown): boolean {
  if (strictCheck(schema as TSchema)(value).length === 0) return true
  return schema.properties !== undefined && isObject(value)
}
