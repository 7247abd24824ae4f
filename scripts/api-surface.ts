import type {
  JsonSchema,
  OpenApiDocument,
  Parameter,
  Reference,
  Response,
} from '../server/src/http/openapi/document.ts'

/** Everything that callers can see of an API, one line each: operations, inputs, replies and refusals. */
export function surfaceOf(document: OpenApiDocument): Set<string> {
  const { schemas, parameters, responses } = document.components
  const known = (one: Parameter | Reference) => ('$ref' in one ? (parameters[nameIn(one.$ref)] as Parameter) : one)
  const given = (one: Response | Reference) => ('$ref' in one ? responses[nameIn(one.$ref)] : one)
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([verb, operation]) => {
      const name = `${verb.toUpperCase()} ${path}`
      const [, success] = Object.entries(operation.responses).find(([status]) => status < '300') ?? []
      const reply = success && given(success)?.content?.['application/json'].schema
      const reasons = Object.values(operation.responses).flatMap((one) => given(one)?.['x-risiti-reasons'] ?? [])
      return [
        name,
        ...operation.parameters.map(known).map((one) => `${name} ${one.in} ${one.name}`),
        ...fieldsOf(`${name} body`, operation.requestBody?.content['application/json'].schema, schemas),
        ...fieldsOf(`${name} reply`, reply?.properties?.data, schemas),
        ...reasons.map((reason) => `${name} refusal ${reason}`),
      ]
    }),
  )
  const named = Object.entries(schemas).flatMap(([name, schema]) => [name, ...fieldsOf(name, schema, schemas)])
  const told = Object.keys(document.webhooks ?? {}).map((event) => `event ${event}`)
  return new Set([...operations, ...named, ...told])
}

const nameIn = (reference: string) => reference.split('/').at(-1) as string

type Schemas = OpenApiDocument['components']['schemas']

/** A referenced schema is listed under its own name. An object that extends a reference is listed here. */
function fieldsOf(place: string, schema: JsonSchema | undefined, schemas: Schemas): string[] {
  if (!schema || '$ref' in schema) return []
  const { properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = schema
  const parts = allOf.map((one) => (typeof one.$ref === 'string' ? schemas[nameIn(one.$ref)] : one))
  return [
    ...Object.entries(properties).flatMap(([name, field]) => [
      `${place}.${name}`,
      ...fieldsOf(`${place}.${name}`, field, schemas),
    ]),
    ...[items, ...anyOf, ...oneOf, ...parts].flatMap((inner) => fieldsOf(place, inner, schemas)),
  ]
}

/** The wholes that a line is part of: the object of a field, the operation of a parameter. */
const wholesOf = (subject: string): string[] =>
  [...subject.matchAll(/[. ]/g)].map(({ index }) => subject.slice(0, index)).filter((whole) => !/^[A-Z]+$/.test(whole))

const pattern = /^\d{4}-\d\d-\d\d\t[AB]\t[+-]\t\S.*$/

/**
 * Adds the changes between two documents of a form to the log. Changes that the log already has are skipped, because
 * after a merge the older document lacks what the other branch has logged.
 */
export function logged(
  log: string,
  day: string,
  form: 'A' | 'B',
  before: OpenApiDocument,
  now: OpenApiDocument,
): string {
  const lines = log.split('\n').filter((line) => pattern.test(line))
  const last = new Map<string, string>()
  for (const line of lines.toSorted()) {
    const [, ofForm, sign, subject] = line.split('\t') as [string, string, string, string]
    last.set(`${ofForm}\t${subject}`, sign)
  }
  const [was, is] = [surfaceOf(before), surfaceOf(now)]
  const change = (sign: '+' | '-', subjects: Set<string>) =>
    [...subjects]
      .filter((subject) => !wholesOf(subject).some((whole) => subjects.has(whole)))
      .filter((subject) => last.get(`${form}\t${subject}`) !== sign)
      .map((subject) => [sign, subject] as const)
  const without = (these: Set<string>, those: Set<string>) => new Set([...these].filter((one) => !those.has(one)))
  const changes = [...change('-', without(was, is)), ...change('+', without(is, was))]
  // An addition and a removal on the same day cancel each other.
  const undone = new Set(changes.map(([sign, subject]) => [day, form, sign === '+' ? '-' : '+', subject].join('\t')))
  const added = changes
    .filter(([sign, subject]) => !lines.includes([day, form, sign === '+' ? '-' : '+', subject].join('\t')))
    .map(([sign, subject]) => [day, form, sign, subject].join('\t'))
  return `${[...new Set([...lines.filter((line) => !undone.has(line)), ...added])].sort().join('\n')}\n`
}
