import type { TObject, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Settings } from 'typebox/system'
import type { Fault } from '../kernel/refusals.ts'
import { isStorableText } from './json-body.ts'

// Every fault is listed, not only the first few.
Settings.Set({ maxErrors: 200 })

interface SchemaError {
  readonly keyword: string
  readonly schemaPath: string
  readonly instancePath: string
  readonly params: object
  readonly message: string
}

export type Check = (value: unknown) => Fault[]

/** Strict: nothing is converted, and a field that the schema does not name is a fault. */
export function strictCheck(schema: TSchema): Check {
  const compiled = Compile(schema)
  return (value) => (compiled.Check(value) ? [] : toFaults(compiled.Errors(value) as SchemaError[], schema))
}

export type TextCheck = (values: Record<string, unknown>) => { faults: Fault[]; values: Record<string, unknown> }

/** For path and query, where everything arrives as text: numbers and booleans are read, then checked strictly. */
export function textCheck(schema: TObject): TextCheck {
  const check = strictCheck(schema)
  const nothing = { faults: check({}), values: {} }
  return (given) => {
    if (isEmpty(given)) return nothing
    const values: Record<string, unknown> = Object.create(null)
    for (const [name, value] of Object.entries(given)) {
      const wanted = (schema.properties as Record<string, { type?: string }>)[name]?.type
      values[name] = typeof value === 'string' ? readText(value, wanted) : value
    }
    const faults = check(values)
    for (const [name, value] of Object.entries(values)) {
      if (Array.isArray(value)) faults.push({ path: name, rule: 'repeated', message: 'must be sent once' })
      else if (typeof value === 'string' && !isStorableText(value))
        faults.push({ path: name, rule: 'text', message: 'must not hold NUL' })
    }
    return { faults, values }
  }
}

function isEmpty(given: object): boolean {
  for (const _ in given) return false
  return true
}

function readText(text: string, wanted: string | undefined): unknown {
  if ((wanted === 'integer' || wanted === 'number') && /^-?\d{1,15}(\.\d{1,6})?$/.test(text)) return Number(text)
  if (wanted === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

const dotted = (pointer: string, field?: string): string => {
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (field !== undefined) steps.push(field)
  return steps.reduce(
    (path, step) => (/^\d+$/.test(step) ? `${path}[${step}]` : path === '' ? step : `${path}.${step}`),
    '',
  )
}

const formats: Record<string, string> = {
  email: 'must be an email address',
  uuid: 'must be a UUID',
  date: 'must be a date such as 2026-01-31',
  'date-time': 'must be an instant with offset such as 2026-01-31T09:00:00Z',
  uri: 'must be a URL',
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
      return explanationAt(schema, error.schemaPath) ?? 'has the wrong form'
    default:
      return error.message
  }
}

/** A schema may say in words what its pattern means, under `explanation`. */
function explanationAt(schema: TSchema, schemaPath: string): string | undefined {
  let at: unknown = schema
  for (const step of schemaPath.split('/').slice(1)) at = (at as Record<string, unknown> | undefined)?.[step]
  const explanation = (at as { explanation?: unknown } | undefined)?.explanation
  return typeof explanation === 'string' ? explanation : undefined
}

function toFaults(errors: readonly SchemaError[], schema: TSchema): Fault[] {
  const faults: Fault[] = []
  for (const error of errors) {
    const params = error.params as Record<string, string[]>
    if (error.keyword === 'required') {
      for (const name of params.requiredProperties ?? [])
        faults.push({ path: dotted(error.instancePath, name), rule: 'required', message: 'is required' })
    } else if (error.keyword === 'boolean') {
      // One per field. The summary that follows them is not relied on: it falls away when there are too many.
      faults.push({
        path: dotted(error.instancePath),
        rule: 'unknown',
        message: 'is not a field of this request; remove it or correct its name',
      })
    } else if (error.keyword !== 'additionalProperties') {
      faults.push({ path: dotted(error.instancePath), rule: error.keyword, message: say(error, schema) })
    }
  }
  return withoutEchoes(faults)
}

const isAtOrUnder = (path: string, above: string): boolean =>
  above === '' || path === above || path.startsWith(`${above}.`) || path.startsWith(`${above}[`)

/** A union complains once per branch and once as a whole; one fault per field and rule is enough. */
function withoutEchoes(faults: readonly Fault[]): Fault[] {
  const kept = new Map<string, Fault>()
  for (const fault of faults) {
    const others = faults.some(
      (other) => other !== fault && isAtOrUnder(other.path, fault.path) && other.rule !== 'anyOf',
    )
    if (fault.rule === 'anyOf' && others) continue
    if (fault.message === 'must be a null' && others) continue
    kept.set(`${fault.path}|${fault.rule}`, fault)
  }
  return [...kept.values()]
}
