import type { JsonSchema, OpenApiDocument } from '../../server/src/http/openapi/document.ts'

/** A text that callers read, and its position in the document. */
export interface PublishedText {
  readonly place: string
  readonly text: string | undefined
}

const fewestWords = 4
const mostWords = 25

/** Words of our former private language. Each has a plain word: name the actor, the value or the action. */
const stopList: readonly RegExp[] = [
  /\b(whoever|whomever|whosoever|whatsoever|whichever)\b/i,
  /\b(told|tells of|heard|hears of)\b/i,
  /\b(is|are|was|were|be|been) (asked for|asked about|looked at|held up)\b/i,
  /\bnothing (where|when|for|alone|at all)\b/i,
  /\b(names it|named by it|where it stands|where they stand|how it stands|how it ended|what it is called)\b/i,
  /\bby which (it|they|others|you|we)\b/i,
  /\bas (many|much|often|long) as (it|they|one|anybody) (may|can)\b/i,
  /\b(for good|good no more|all the same|its like|anew)\b/i,
  /\b(mend|mends|mended|mending)\b/i,
]

/** Code in backticks counts as one word, and the stop-list does not apply to it. */
const withoutCode = (text: string): string => text.replace(/`[^`]*`/g, 'x')

const wordsIn = (text: string): number => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length

/** Two marks in a row, such as `.,`: a sentence was put inside another one. */
const twoMarks = /[.,;:!?]\s*[.,;:!?]/

/** Within a sentence: a word twice in a row, or two words and more twice with only marks between them. */
const repeated = /\b(\p{L}+) \1\b|\b([\p{L}\p{N}]+(?: [\p{L}\p{N}]+){1,7})[^\p{L}\p{N}]+\2\b/iu

/** Each piece of code becomes another word, because two pieces of code are no repetition. */
const withNumberedCode = (text: string): string => {
  let pieces = 0
  return text.replace(/`[^`]*`/g, () => {
    pieces += 1
    return `code${pieces}`
  })
}

const sentencesOf = (text: string): string[] => text.split(/(?<=[.!?])\s|\n/)

/** Faults of any English text that the API publishes. */
export function faultsOfProse(text: string): string[] {
  const plain = withoutCode(text)
  const marks = twoMarks.exec(plain)?.[0]
  const twice = sentencesOf(withNumberedCode(text)).flatMap((sentence) => repeated.exec(sentence)?.slice(1) ?? [])
  const said = twice.find((words) => words !== undefined)
  const long = sentencesOf(plain).filter((sentence) => wordsIn(sentence) > mostWords)
  return [
    ...stopList.flatMap((pattern) => pattern.exec(plain)?.slice(0, 1) ?? []).map((word) => `says "${word}"`),
    ...(marks === undefined ? [] : [`has the marks "${marks}" in a row`]),
    ...(said === undefined ? [] : [`says "${said}" twice in a row`]),
    ...long.map((sentence) => `has a sentence of ${wordsIn(sentence)} words`),
  ]
}

/** Faults of a description: one or more sentences that stand by themselves. */
export function faultsOfDescription(text: string | undefined): string[] {
  if (text === undefined || text.trim() === '') return ['has no description']
  return [
    ...(wordsIn(text) < fewestWords ? [`has fewer than ${fewestWords} words`] : []),
    // A list of values begins with the first value, in backticks.
    ...(/^[\p{Lu}`]/u.test(text) ? [] : ['does not start with a capital']),
    ...(/\.$/.test(text) ? [] : ['does not end with a full stop']),
    ...faultsOfProse(text),
  ]
}

const faultsAt =
  (faultsOf: (text: string) => string[]) =>
  ({ place, text }: PublishedText): string[] =>
    faultsOf(text as string).map((fault) => `${place} ${fault}: ${text ?? ''}`)

/** Faults of everything that a document describes: fields, parameters, headers, tags, operations and responses. */
export function faultsOfTexts(document: OpenApiDocument): string[] {
  const described = [...fieldsIn(document), ...partsIn(document)].flatMap(faultsAt(faultsOfDescription))
  const prose = proseIn(document).flatMap(faultsAt(faultsOfProse))
  return [...new Set([...described, ...prose])]
}

type Properties = NonNullable<JsonSchema['properties']>

/** The fields of all schemas. A field that its base object describes needs no second description. */
function fieldsIn(document: OpenApiDocument): PublishedText[] {
  const schemas = document.components.schemas
  const baseOf = ({ $ref }: JsonSchema): Properties => {
    const { properties = {}, allOf = [] } = schemas[String($ref).split('/').at(-1) as string] ?? {}
    return Object.assign({}, ...allOf.map(baseOf), properties)
  }
  const fieldsOf = (schema: JsonSchema, place: string, known: Properties = {}): PublishedText[] => {
    const { properties = {}, patternProperties = {}, items, anyOf = [], oneOf = [], allOf = [] } = schema
    const own = Object.entries(properties).flatMap(([name, field]) => {
      const at = `${place}.${name}`
      const base = known[name]
      const isKnown = base?.description !== undefined && field.description === undefined
      return [...(isKnown ? [] : [{ place: at, text: field.description }]), ...fieldsOf(field, at, base?.properties)]
    })
    const bases = Object.assign({}, ...allOf.map(baseOf))
    return [
      ...own,
      ...[...Object.values(patternProperties), ...(items ? [items] : [])].flatMap((one) => fieldsOf(one, place)),
      ...[...anyOf, ...oneOf].flatMap((one) => fieldsOf(one, place)),
      ...allOf.flatMap((one) => fieldsOf(one, place, bases)),
    ]
  }
  const mediaOf = (content: object | undefined) => Object.values(content ?? {}) as { readonly schema: JsonSchema }[]
  const ofOperations = operationsOf(document).flatMap(({ place, requestBody, responses }) => [
    ...mediaOf(requestBody?.content).flatMap(({ schema }) => fieldsOf(schema, `${place} body`)),
    ...Object.entries(responses).flatMap(([status, response]) =>
      'content' in response
        ? mediaOf(response.content).flatMap(({ schema }) => fieldsOf(schema, `${place} ${status}`))
        : [],
    ),
  ])
  const ofResponses = Object.entries(document.components.responses).flatMap(([name, { content }]) =>
    mediaOf(content).flatMap(({ schema }) => fieldsOf(schema, `response ${name}`)),
  )
  return [
    ...Object.entries(schemas).flatMap(([name, schema]) => fieldsOf(schema, name)),
    ...ofOperations,
    ...ofResponses,
  ]
}

function operationsOf(document: OpenApiDocument) {
  const served = Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]) => ({ place: `${verb.toUpperCase()} ${path}`, ...operation })),
  )
  const sent = Object.entries(document.webhooks ?? {}).map(([name, { post }]) => ({
    place: `webhook ${name}`,
    parameters: [],
    ...post,
  }))
  return [...served, ...sent]
}

function partsIn(document: OpenApiDocument): PublishedText[] {
  const { headers, parameters } = document.components
  const describedOf = (kind: string, parts: Readonly<Record<string, { readonly description?: string }>>) =>
    Object.entries(parts).map(([name, { description }]) => ({ place: `${kind} ${name}`, text: description }))
  const own = operationsOf(document).flatMap(({ place, parameters: ownParameters }) =>
    ownParameters.flatMap((one) => ('name' in one ? [{ place: `${place} ?${one.name}`, text: one.description }] : [])),
  )
  const tags = document.tags.map(({ name, description }) => ({ place: `tag ${name}`, text: description }))
  return [...describedOf('header', headers), ...describedOf('parameter', parameters), ...own, ...tags]
}

function proseIn(document: OpenApiDocument): PublishedText[] {
  return [
    { place: 'info', text: document.info.description },
    ...operationsOf(document).flatMap(({ place, summary, description }) => [
      { place: `${place} summary`, text: summary },
      { place, text: description },
    ]),
    ...Object.entries(document.components.responses).map(([name, { description }]) => ({
      place: `response ${name}`,
      text: description,
    })),
  ]
}

/** Values that need no sentence each. A list is exempt if every value fits one of these patterns. */
const selfExplaining: readonly { readonly values: RegExp; readonly why: string }[] = [
  { values: /^[A-Z]{3}$/, why: 'currencies by their ISO 4217 codes' },
  { values: /^[a-z]{2}$/, why: 'languages by their ISO 639-1 codes' },
  { values: /^(application|image)\/[a-z]+$/, why: 'media types' },
  { values: /^(pdf|csv)$/, why: 'formats of files' },
  { values: /^(GET|HEAD|POST|PUT|PATCH|DELETE)$/, why: 'HTTP methods' },
  { values: /^[2-5]xx$/, why: 'classes of HTTP statuses' },
  { values: /^(RSA-OAEP-256|A256GCM)$/, why: 'algorithms of RFC 7518' },
  { values: /^(sandbox|monnify|paystack|stripe)$/, why: 'providers by their company; `sandbox` is the simulated one' },
  { values: /^[a-z_]+(\.[a-z_]+)+$/, why: 'capabilities and event types, which have catalogues with descriptions' },
  {
    values: /^(OWNER|ADMIN|ACCOUNTANT|MEMBER|DEVELOPER|VIEWER)$/,
    why: 'roles, which have a catalogue with descriptions',
  },
  {
    values: /^-?(createdAt|invoiceDate|invoiceNumber|payableMinor|dueDate|taxMinor|receivedAt|issueDate|amount)$/,
    why: 'fields to sort documents by; the minus reverses the order',
  },
  { values: /^-?(useCount|name|lastUsedAt)$/, why: 'fields to sort items by; the minus reverses the order' },
  {
    values:
      /^(countries|currencies|states|lgas|units|(tax-categories|tax-exemptions)|payment-means|invoice-types|(service|product)-codes)$/,
    why: 'names of code lists, which `GET …/resources` describes',
  },
]

type Schemas = OpenApiDocument['components']['schemas']

/** Lists of allowed values, with the description that readers see beside them. */
interface Enum extends PublishedText {
  readonly values: readonly string[]
}

const textsOf = (values: readonly unknown[] = []): string[] =>
  values.filter((value): value is string => typeof value === 'string')

/** The description of a field also counts for the entries of its list and for its alternatives. */
const describedTogether = new Set(['items', 'anyOf', 'oneOf', 'schema'])

function enumsIn(node: unknown, place: string, around?: string): Enum[] {
  if (Array.isArray(node)) return node.flatMap((one, index) => enumsIn(one, `${place}.${index}`, around))
  if (node === null || typeof node !== 'object') return []
  const { enum: values, description: own } = node as JsonSchema
  const text = typeof own === 'string' ? own : around
  const here = Array.isArray(values) ? [{ place, text, values: textsOf(values) }] : []
  const inside = Object.entries(node).flatMap(([key, value]) =>
    key === 'enum' || key.startsWith('example')
      ? []
      : enumsIn(value, `${place}.${key}`, describedTogether.has(key) ? text : undefined),
  )
  return [...here, ...inside]
}

const unexplainedIn = ({ values, text = '' }: Pick<Enum, 'values' | 'text'>): string[] =>
  values.filter((value) => !text.includes(`\`${value}\``))

/** The lists of a schema, or of one of its fields, also those that the schema takes from its base. */
function enumsOfReference(schemas: Schemas, [, name = '', field]: readonly string[]): Enum[] {
  const schema = schemas[name]
  if (!schema || field === undefined)
    return schema?.enum ? enumsIn({ enum: schema.enum, description: schema.description }, name) : []
  const { properties = {}, allOf = [] } = schema
  const own = properties[field]
  if (own) {
    const named =
      typeof own.$ref === 'string' ? enumsOfReference(schemas, ['', String(own.$ref.split('/').at(-1))]) : []
    return [...enumsIn(own, `${name}.${field}`), ...named]
  }
  return allOf.flatMap((part) =>
    typeof part.$ref === 'string'
      ? enumsOfReference(schemas, ['', String(part.$ref.split('/').at(-1)), field])
      : part.properties?.[field]
        ? enumsIn(part.properties[field], `${name}.${field}`)
        : [],
  )
}

/** `Invoice.status` or `PartyType`: where a description sends the reader. */
const reference = /`([A-Z]\w*)(?:\.(\w+))?`/g

/**
 * Faults of lists of values. A description has each value in backticks, or it names an `Object.field` that explains all
 * of them.
 */
export function faultsOfEnums(document: OpenApiDocument): string[] {
  const schemas = document.components.schemas
  const isExplained = (one: Enum): boolean => {
    if (unexplainedIn(one).length === 0) return true
    if (selfExplaining.some(({ values }) => one.values.every((value) => values.test(value)))) return true
    const targets = [...(one.text ?? '').matchAll(reference)].flatMap((match) => enumsOfReference(schemas, match))
    return targets.some((target) => unexplainedIn({ values: one.values, text: target.text }).length === 0)
  }
  return enumsIn(document, '').flatMap((one) =>
    isExplained(one)
      ? []
      : [`${one.place} does not explain ${unexplainedIn(one).join(', ')}: ${one.text ?? 'nothing'}`],
  )
}
