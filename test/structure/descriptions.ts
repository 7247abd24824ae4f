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
