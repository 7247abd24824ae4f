import { expect, test } from 'vitest'
import { formA } from '../../server/src/http/form-a/index.ts'
import { formB } from '../../server/src/http/form-b/index.ts'
import { type OpenApiDocument, openApiOf } from '../../server/src/http/openapi/index.ts'
import { documentText } from '../../server/src/http/openapi/text.ts'
import { invoiceCurrencies } from '../../server/src/http/shared/contract-words.ts'
import { nigeria } from '../../server/src/jurisdictions/ng/index.ts'
import { refusals } from '../../server/src/kernel/refusals.ts'
import { faultsOfDescription, faultsOfEnums, faultsOfTexts } from './descriptions.ts'
import { checkCommitted, checkDocument, fieldsWithoutMeaning } from './openapi.ts'
import { readCommitted } from './source-tree.ts'

const documents = [
  { file: 'openapi/form-a.json', document: openApiOf(formA) },
  { file: 'openapi/form-b.json', document: openApiOf(formB) },
]

const me = '/a/v1/auth/me'
const session = '/a/v1/auth/sessions/{id}'

/** A copy of form A's document with one value set or removed. */
function withChange(place: readonly string[], value: unknown): OpenApiDocument {
  const copy = structuredClone(openApiOf(formA))
  const last = place.at(-1) as string
  let at = copy as unknown as Record<string, unknown>
  for (const step of place.slice(0, -1)) at = at[step] as Record<string, unknown>
  if (value === undefined) delete at[last]
  else at[last] = value
  return copy
}

const inMe = (...place: string[]) => ['paths', me, 'get', ...place]
const success = openApiOf(formA).paths[me]?.get?.responses['200']
const takenId = openApiOf(formA).paths[session]?.delete?.operationId
const strayParameter = { name: 'id', in: 'path', required: true, schema: {} }

const planted: readonly [violation: string, document: OpenApiDocument, complaint: RegExp][] = [
  ['a missing summary', withChange(inMe('summary'), undefined), /GET .*me has no summary/],
  ['an empty operationId', withChange(inMe('operationId'), ''), /has no operationId/],
  ['one operationId for two', withChange(inMe('operationId'), takenId), /used more than once/],
  ['no success', withChange(inMe('responses', '200'), undefined), /documents no success/],
  ['no error', withChange(inMe('responses'), { 200: success }), /documents no error/],
  ['an undeclared parameter', withChange(['paths', session, 'delete', 'parameters'], []), /path parameter id/],
  ['a parameter too many', withChange(inMe('parameters'), [strayParameter]), /which its path lacks/],
  ['a broken reference', withChange(['components', 'schemas', 'Meta'], undefined), /schemas\/Meta leads nowhere/],
]

test.each(planted)('the check finds %s', (_, document, complaint) => {
  const complaints = checkDocument(document)
  expect(complaints).toHaveLength(1)
  expect(complaints[0]).toMatch(complaint)
})

test('the check finds an outdated document', () => {
  const committed = documentText(withChange(inMe('summary'), 'Changed by hand'))
  const complaints = checkCommitted('openapi/form-a.json', committed, openApiOf(formA))
  expect(complaints).toContainEqual(expect.stringMatching(/^- +"summary": "Changed by hand"/))
  expect(complaints.at(-1)).toContain('npm run openapi')
})

test.each(documents)('$file matches the routes', ({ file, document }) => {
  const complaints = checkCommitted(file, readCommitted(file), document)
  expect(complaints, complaints.join('\n')).toEqual([])
})

test.each(documents)('$file is complete', ({ document }) => {
  expect(checkDocument(document)).toEqual([])
})

test.each(documents)('$file is small, and defines each schema once', ({ document }) => {
  // A sentence for each field of each object is a third of the document. The bound finds objects that are repeated in full.
  expect(Buffer.byteLength(JSON.stringify(document))).toBeLessThan(1_200_000)
  for (const name of ['Invoice', 'InvoiceLine', 'InvoiceSummary', 'NewInvoice', 'Buyer', 'Seller', 'Item', 'Delivery'])
    expect(Object.keys(document.components.schemas)).toContain(name)
})

test.each(documents)('$file declares enums, and links long lists', ({ document }) => {
  const { InvoiceCurrency, NewInvoice, NewInvoiceLine, NewItem } = document.components.schemas
  expect(InvoiceCurrency?.enum).toEqual(invoiceCurrencies)
  expect(NewInvoice?.properties?.currency).toMatchObject({ $ref: '#/components/schemas/InvoiceCurrency' })
  for (const name of ['unitCode', 'isicCode', 'hsnCode'])
    expect(NewInvoiceLine?.properties?.[name]?.description).toMatch(/code list `[a-z-]+`/)
  // A field that is required only sometimes says when.
  expect(NewItem?.properties?.hsnCode?.description).toMatch(/needed for goods/i)
  expect(NewInvoiceLine?.properties?.serviceCategory?.description).toContain('left out if `productCategory` is sent')
  const { post: opening } = document.paths['/b/v1/collection/accounts'] ?? {}
  const asked = opening?.requestBody?.content['application/json'].schema.properties
  expect(asked?.amount?.description).toMatch(/(needed|required) for dynamic accounts/i)
  expect(asked?.mode?.description).toContain('`persistent`')
})

test('the invoice kinds are those of the jurisdictions', () => {
  const known = nigeria().invoiceKinds.map(({ kind }) => kind)
  expect(openApiOf(formA).components.schemas.InvoiceKind?.enum).toEqual(known)
})

test.each(documents)('$file has what linters require', ({ document }) => {
  expect(document.info).toMatchObject({ license: { name: 'MIT' }, contact: { name: 'Risiti' } })
  const names = document.tags.map(({ name }) => name)
  expect(names).toEqual(names.toSorted())
  const silent = document.tags.filter(({ description }) => description === undefined)
  expect(silent, 'say in http/openapi/tags.ts what the operations of the module are about').toEqual([])
  // Requests accept only named fields. Replies may grow.
  const bodies = Object.values(document.paths).flatMap((item) =>
    Object.values(item).map(({ requestBody }) => requestBody?.content['application/json'].schema),
  )
  const open = bodies
    .filter((schema) => schema !== undefined)
    .map((schema) =>
      typeof schema.$ref === 'string' ? document.components.schemas[schema.$ref.split('/')[3] ?? ''] : schema,
    )
    .filter((schema) => schema?.type === 'object' && schema.additionalProperties !== false)
  expect(open).toEqual([])
  expect(document.components.schemas.Invoice).not.toHaveProperty('additionalProperties')
})

test.each([formA, formB])(
  '$title says of every field that is sent what it means, and of nearly all that are answered',
  (form) => {
    const { requests, replies } = fieldsWithoutMeaning(form)
    expect(requests.missing).toEqual([])
    expect(replies.share, replies.missing.join('\n')).toBeGreaterThan(0.97)
  },
)

test('the check finds a field with rules and without a description', () => {
  const [one] = formA.routes.filter(({ module, name }) => module === 'buyers' && name === 'create')
  const body = { type: 'object', properties: { name: { type: 'string', explanation: 'must not be blank' } } }
  const route = { ...one?.route, body } as unknown as (typeof formA.routes)[number]['route']
  const { requests } = fieldsWithoutMeaning({ ...formA, routes: [{ module: 'buyers', name: 'create', route }] })
  expect(requests).toEqual({ share: 0, missing: ['buyers.create.name'] })
})

const longSentence = Array.from({ length: 26 }, (_, index) => `word${index}`).join(' ')
const unclear: readonly [fault: string, place: readonly string[], value: unknown, complaint: RegExp][] = [
  [
    'a field without one',
    ['components', 'schemas', 'Meta', 'properties', 'mode', 'description'],
    undefined,
    /no descr/,
  ],
  ['one that is too short', ['components', 'headers', 'ETag', 'description'], 'The version.', /fewer than 4 words/],
  ['one without a capital', ['components', 'headers', 'ETag', 'description'], 'the version of it.', /a capital/],
  ['one without a full stop', ['tags', '0', 'description'], 'Keys that programs use', /a full stop/],
  ['a word of the stop-list', inMe('summary'), 'Whoever is signed in', /says "Whoever"/],
  ['two marks in a row', inMe('summary'), 'The total with tax., and more', /marks "\.," in a row/],
  ['a word twice', inMe('summary'), 'The total of the the invoice', /says "the" twice/],
  [
    'a phrase twice',
    inMe('summary'),
    'The total, in minor units (in minor units) of it',
    /says "in minor units" twice/,
  ],
  ['a long sentence', inMe('description'), longSentence, /a sentence of 26 words/],
]

test.each(unclear)('the check of descriptions finds %s', (_, place, value, complaint) => {
  const before = faultsOfTexts(openApiOf(formA))
  const found = faultsOfTexts(withChange(place, value)).filter((fault) => !before.includes(fault))
  expect(found).toHaveLength(1)
  expect(found[0]).toMatch(complaint)
})

test('the stop-list does not apply to code, and a list of values may begin with a value', () => {
  expect(faultsOfDescription('`told`: the name of a field.')).toEqual([])
  expect(faultsOfDescription('What the buyer is told.')).toEqual(['says "told"'])
  expect(faultsOfDescription('It changed since you read it. Read it again.')).toEqual([])
  expect(faultsOfDescription('Either `a`, `b`, `a`, `b` or `c`.')).toEqual([])
})

test.each(documents)('$file describes every field in plain sentences', ({ document }) => {
  const faults = faultsOfTexts(document)
  expect(faults, faults.join('\n')).toEqual([])
})

const statusOfKey = ['components', 'schemas', 'ApiKeyLeft', 'properties', 'status', 'description']
const unexplained: readonly [description: string, faults: readonly RegExp[]][] = [
  ['The status of the key.', [/ApiKeyLeft\.properties\.status does not explain active, rotating, revoked, expired/]],
  ['`active`, `rotating` or `revoked`.', [/does not explain expired/]],
  ['`Invoice.status` explains the values.', [/does not explain active/]],
  ['`ApiKey.none` explains the values.', [/does not explain active/]],
  ['`ApiKey.status` explains the values.', []],
  ['`active`, `rotating`, `revoked` or `expired`.', []],
]

test.each(unexplained)('a list of values with the description “%s”', (description, faults) => {
  expect(faultsOfEnums(withChange(statusOfKey, description))).toEqual(
    faults.map((fault) => expect.stringMatching(fault)),
  )
})

test.each(documents)('$file explains each value of a list', ({ document }) => {
  const faults = faultsOfEnums(document)
  expect(faults, faults.join('\n')).toEqual([])
})

test('every refusal says in plain sentences what is wrong and what to do', () => {
  const faults = Object.entries(refusals).flatMap(([name, text]) =>
    faultsOfDescription(text).map((fault) => `${name} ${fault}: ${text}`),
  )
  expect(faults, faults.join('\n')).toEqual([])
})
