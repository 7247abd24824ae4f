import type { TObject, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Settings } from 'typebox/system'
import { Errors, Check as fits } from 'typebox/value'
import { type Fault, mostFaults } from '../../kernel/refusals.ts'
import { Faults, type FieldPath } from './faults.ts'
import { isStorableText } from './json-body.ts'

// Every fault is listed, not only the first few.
Settings.Set({ maxErrors: mostFaults })

interface SchemaError {
  readonly keyword: string
  readonly schemaPath: string
  readonly instancePath: string
  readonly params: object
  readonly message: string
}

export type Check = (value: unknown) => Fault[]

/**
 * Strict: values are not converted, and an unknown field is a fault. The compiled schema decides whether a value fits. For a value that
 * does not, our own walk lists the faults, because the library would examine all of it.
 */
export function strictCheck(schema: TSchema): Check {
  const known = checks.get(schema)
  if (known) return known
  const check = newCheck(schema)
  checks.set(schema, check)
  return check
}

/** Many routes share a schema, and both forms do; compiling one takes as long as a thousand checks. */
const checks = new WeakMap<TSchema, Check>()

/** Compiled at first use: a new process needs only a few of hundreds. */
function newCheck(schema: TSchema): Check {
  let compiled: { Check(value: unknown): boolean } | undefined
  let collect: Collect | undefined
  return (value) => {
    compiled ??= Compile(schema)
    if (compiled.Check(value)) return []
    const faults = new Faults()
    collect ??= collector(schema)
    collect(value, undefined, faults)
    // A value that does not fit is refused even if no fault was named.
    if (faults.list.length === 0) ofWhole(schema)(value, undefined, faults)
    if (faults.list.length === 0) faults.add(undefined, 'shape', 'does not have the required structure')
    return faults.list
  }
}

/** Whether no field is required; checked once for each route without compiling its schema. */
export const acceptsNothing = (schema: TSchema): boolean => fits(schema, {})

export type TextCheck = (values: Record<string, unknown>) => { faults: Fault[]; values: Record<string, unknown> }

/** For path and query, where all values are text: numbers and booleans are parsed, then checked strictly. */
export function textCheck(schema: TObject): TextCheck {
  const check = strictCheck(schema)
  let nothing: ReturnType<TextCheck> | undefined
  return (given) => {
    if (isEmpty(given)) {
      nothing ??= { faults: check({}), values: {} }
      return nothing
    }
    const values: Record<string, unknown> = Object.create(null)
    for (const [name, value] of Object.entries(given)) {
      const wanted = (schema.properties as Record<string, { type?: string }>)[name]?.type
      values[name] = typeof value === 'string' ? readText(value, wanted) : value
    }
    const faults = check(values)
    for (const [name, value] of Object.entries(values)) {
      if (Array.isArray(value)) faults.push({ path: name, rule: 'repeated', message: 'must be sent only once' })
      else if (typeof value === 'string' && !isStorableText(value) && !faults.some(isOfText(name)))
        faults.push({ path: name, rule: 'text', message: 'must not contain the NUL character' })
    }
    return { faults, values }
  }
}

const isOfText =
  (name: string) =>
  ({ path, rule }: Fault): boolean =>
    path === name && rule === 'text'

function isEmpty(given: object): boolean {
  for (const _ in given) return false
  return true
}

function readText(text: string, wanted: string | undefined): unknown {
  if ((wanted === 'integer' || wanted === 'number') && /^-?\d{1,15}(\.\d{1,6})?$/.test(text)) return Number(text)
  if (wanted === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

const formats: Record<string, string> = {
  email: 'must be an email address',
  uuid: 'must be a UUID',
  date: 'must be a date such as 2026-01-31',
  'date-time': 'must be a date and time with offset, such as 2026-01-31T09:00:00Z',
  uri: 'must be a URL',
  'single-line': 'must be a single line without control, bidirectional or invisible characters',
  'blank-or-single-line': 'must be a single line without control, bidirectional or invisible characters',
  'multi-line': 'must not contain bidirectional characters, or control characters other than line breaks',
  country: 'must be an ISO 3166-1 alpha-2 country code, such as NG',
}

const article = (type: string) => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`)

function say(error: SchemaError, schema: TSchema): string {
  const params = error.params as Record<string, unknown>
  switch (error.keyword) {
    case 'type': {
      const types = [params.type].flat().map(String)
      return `must be ${types.map((type) => (type === 'integer' ? 'a whole number' : article(type))).join(' or ')}`
    }
    case 'format':
      return formats[String(params.format)] ?? error.message
    case 'enum':
      return `must be one of ${(params.allowedValues as unknown[]).join(', ')}`
    case 'const':
      return `must be ${params.allowedValue}`
    case 'minLength':
      return params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} characters`
    case 'maxLength':
      return `must have at most ${params.limit} characters`
    case 'pattern':
      return explanationAt(schema, error.schemaPath) ?? 'has the wrong format'
    default:
      return error.message
  }
}

/** The message for a pattern, which a schema states under `explanation`. */
function explanationAt(schema: TSchema, schemaPath: string): string | undefined {
  let at: unknown = schema
  for (const step of schemaPath.split('/').slice(1)) at = (at as Record<string, unknown> | undefined)?.[step]
  const explanation = (at as { explanation?: unknown } | undefined)?.explanation
  return typeof explanation === 'string' ? explanation : undefined
}

/** Adds the faults of a value at a path, up to the limit of listed faults. */
type Collect = (value: unknown, place: FieldPath | undefined, faults: Faults) => void

interface Shape {
  readonly type?: string
  readonly anyOf?: readonly TSchema[]
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: unknown
  readonly items?: TSchema
  readonly maxItems?: number
  readonly maxLength?: number
}

/** Schemas outside our own walk are left to the library. No body has one. */
const leftToTheLibrary = ['allOf', 'oneOf', 'not', 'if', 'patternProperties', 'prefixItems', '$ref']

export const isWalked = (schema: TSchema): boolean => {
  const { additionalProperties } = schema as Shape
  return typeof additionalProperties !== 'object' && !leftToTheLibrary.some((keyword) => keyword in schema)
}

function collector(schema: TSchema): Collect {
  const { anyOf, properties, items, type } = schema as Shape
  if (!isWalked(schema)) return ofWhole(schema)
  if (anyOf) return ofUnion(anyOf.map(collector))
  if (properties) return ofObject(schema as Shape, properties)
  if (items && type === 'array') return ofList(schema as Shape, items)
  return ofWhole(schema)
}

function ofObject({ required, additionalProperties }: Shape, properties: Readonly<Record<string, TSchema>>): Collect {
  const ofItself = ofWhole({ type: 'object', ...(required ? { required } : {}) })
  const fields = Object.entries(properties).map(([step, schema]) => ({ step, collect: collector(schema) }))
  return (value, place, faults) => {
    ofItself(value, place, faults)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return
    if (additionalProperties === false)
      for (const step in value) {
        if (faults.isFull) return
        if (!Object.hasOwn(properties, step))
          faults.add({ above: place, step }, 'unknown', 'is not a field of this request; remove it or correct its name')
      }
    for (const { step, collect } of fields)
      if (Object.hasOwn(value, step) && !faults.isFull)
        collect((value as Record<string, unknown>)[step], { above: place, step }, faults)
  }
}

function ofList({ items: _, ...about }: Shape, items: TSchema): Collect {
  const ofItself = ofWhole(about)
  const tooMany = ofWhole({ type: 'array', maxItems: about.maxItems })
  const mostItems = about.maxItems ?? Number.POSITIVE_INFINITY
  const collect = collector(items)
  let compiled: { Check(item: unknown): boolean } | undefined
  return (value, place, faults) => {
    // Equality of members is checked only for lists that are short enough to compare.
    const isTooLong = Array.isArray(value) && value.length > mostItems
    ;(isTooLong ? tooMany : ofItself)(value, place, faults)
    if (!Array.isArray(value)) return
    compiled ??= Compile(items)
    for (let step = 0; step < value.length && step < mostItems && !faults.isFull; step++)
      if (!compiled.Check(value[step])) collect(value[step], { above: place, step }, faults)
  }
}

/** A union reports a fault for each branch; of several about one field and rule, the last is kept. */
function ofUnion(branches: readonly Collect[]): Collect {
  return (value, place, faults) => {
    const complaints: Fault[] = []
    for (const collect of branches) {
      const ofBranch = new Faults()
      collect(value, place, ofBranch)
      if (ofBranch.list.length === 0) return
      complaints.push(...ofBranch.list)
    }
    const aboutMore = complaints.filter(({ message }) => message !== 'must be a null')
    const kept = new Map((aboutMore.length > 0 ? aboutMore : complaints).map((it) => [`${it.path}|${it.rule}`, it]))
    for (const fault of kept.values()) faults.take(fault)
  }
}

const farTooLong = 10_000

/** By the library: for values without parts, and for lists and objects as a whole. */
function ofWhole(schema: TSchema): Collect {
  const { maxLength } = schema as Shape
  return (value, place, faults) => {
    // A text that is far too long gets no further checks.
    if (typeof value === 'string' && maxLength !== undefined && value.length > Math.max(farTooLong, 2 * maxLength)) {
      faults.add(place, 'maxLength', `must have at most ${maxLength} characters`)
      return
    }
    for (const error of Errors(schema, value) as SchemaError[]) {
      const at = placeOf(error.instancePath, place)
      if (error.keyword === 'required')
        for (const step of (error.params as { requiredProperties: string[] }).requiredProperties)
          faults.add({ above: at, step }, 'required', 'is required')
      else if (error.keyword === 'boolean') faults.add(at, 'unknown', 'is not a field of this request')
      else if (error.keyword !== 'additionalProperties') faults.add(at, ruleOf(error), say(error, schema))
    }
  }
}

/** Forbidden characters are one rule, for one line and for several. */
const ruleOf = ({ keyword, params }: SchemaError): string =>
  keyword === 'format' && /-line$/.test(String((params as { format?: unknown }).format)) ? 'text' : keyword

function placeOf(pointer: string, place: FieldPath | undefined): FieldPath | undefined {
  let at = place
  for (const step of pointer.split('/').slice(1))
    at = { above: at, step: /^\d+$/.test(step) ? Number(step) : step.replaceAll('~1', '/').replaceAll('~0', '~') }
  return at
}
