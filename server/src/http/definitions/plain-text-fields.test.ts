import type { TSchema } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { expectRefusal, faultPaths } from '../../../../test/harness/client.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { type Issuer, invoiceBody, issuer } from '../../../../test/harness/invoices.ts'
import { sql } from '../../platform/database/sql.ts'
import { formA } from '../form-a/index.ts'
import { formB } from '../form-b/index.ts'
import { strictCheck } from '../request/validate.ts'

interface Shape {
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly minLength?: number
  readonly maxLength?: number
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly anyOf?: readonly TSchema[]
  readonly items?: TSchema
}

interface FoundField {
  readonly where: string
  readonly schema: TSchema
  readonly shape: Shape
}

/** Every place of a request that takes text of the sender's own. */
function textsIn(where: string, schema: TSchema | undefined): FoundField[] {
  if (schema === undefined) return []
  const shape = schema as Shape
  const { properties = {}, anyOf = [], items } = shape
  const isFree = shape.type === 'string' && !shape.enum && shape.const === undefined
  return [
    ...(isFree ? [{ where, schema, shape }] : []),
    ...Object.entries(properties).flatMap(([name, inner]) => textsIn(`${where} ${name}`, inner)),
    ...[...anyOf, items].flatMap((inner) => textsIn(where, inner)),
  ]
}

const found = [formA, formB].flatMap((form) =>
  form.routes.flatMap(({ route }) =>
    [route.params, route.query, route.body].flatMap((part) =>
      textsIn(`${form.name} ${route.method} ${route.path}`, part),
    ),
  ),
)
const ofFormat = (format: string) => found.filter(({ shape }) => shape.format === format)

/** Something that a field of any kind might take, with a mark in the midst of it. */
const carriers = (mark: string, { minLength = 0 }: Shape): string[] =>
  [`a${mark}b`, `/a${mark}b`, `https://x.test/${mark}`, `a${mark}@x.test`, `+23480${mark}12345678`, `12${mark}34`].map(
    (text) => text.padEnd(minLength, 'a'),
  )
const inLines = ['\n', '\r', '\t', '\u2028', '\u2029', '\u200e', '\u200f', '\u061c', '\u200b', '\ufeff', '\u3164']
const nowhere = ['\u001b', '\u0085', '\u007f', '\u202e', '\u202a', '\u2066']

test('a single-line text refuses line breaks and control, bidirectional and invisible characters', () => {
  expect(ofFormat('single-line').length).toBeGreaterThan(150)
  const taken: string[] = []
  for (const { where, schema, shape } of found) {
    if (['multi-line', 'password', 'byte', 'file'].includes(shape.format ?? '')) continue
    const check = strictCheck(schema)
    for (const mark of [...inLines, ...nowhere])
      for (const text of carriers(mark, shape))
        if (check(text).length === 0) taken.push(`${where} took ${JSON.stringify(text)}`)
  }
  expect(taken).toEqual([])
})

test('a multi-line text accepts line breaks, and refuses the other characters', () => {
  expect(ofFormat('multi-line').length).toBeGreaterThan(20)
  for (const { where, schema, shape } of ofFormat('multi-line')) {
    const check = strictCheck(schema)
    for (const mark of ['\n', '\r\n', '\t', '\u200f']) expect(check(`first${mark}second`), where).toEqual([])
    for (const mark of nowhere)
      for (const text of carriers(mark, shape))
        expect(check(text), `${where} took ${JSON.stringify(text)}`).not.toEqual([])
  }
})

test('only passwords, tokens, authority keys and pictures are stored as typed', () => {
  const names = new Set([...ofFormat('password'), ...ofFormat('byte')].map(({ where }) => where.split(' ').at(-1)))
  expect([...names].sort()).toEqual([
    'apiKey',
    'apiSecret',
    'base64',
    'currentPassword',
    'newPassword',
    'nrsApiKey',
    'nrsApiSecret',
    'password',
    'refreshToken',
  ])
})

describe('over HTTP', () => {
  let app: TestApp
  let own: Issuer
  beforeAll(async () => {
    app = await startTestApp({ now: '2026-11-15T09:00:00Z' })
    own = await issuer(app)
  })
  afterAll(() => app.close())

  const path = '/i/v1/invoices'

  test.each(['A', 'B'] as const)('form %s lists every field of a draft with such a character', async (form) => {
    const [line] = invoiceBody[form](own).lineItems
    const body = invoiceBody[form](own, {
      invoiceNumber: 'INV\r\n7',
      notes: 'Thank you\u202e',
      paymentTerms: 'Net 30\nor sooner',
      lineItems: [{ ...line, description: 'Bags\nof cement', unitCode: 'X\tBG' }],
      ...(form === 'A' ? { buyerReference: 'B\u200f1' } : { originalInvoiceNumber: 'INV\u20667' }),
    })
    for (const route of [path, `${path}/validate`]) {
      const refused = await app.client(form).post(route, { token: own.token, body })
      expectRefusal(refused, 'request.invalid')
      expect(faultPaths(refused)).toEqual(
        [
          'invoiceNumber',
          'lineItems[0].unitCode',
          'notes',
          form === 'A' ? 'buyerReference' : 'originalInvoiceNumber',
        ].sort(),
      )
    }
  })

  test('letters of every script, joiners and multi-line notes come back unchanged', async () => {
    const sent = { notes: 'شكرا\nتودה', paymentTerms: 'Net 30,\r\nor sooner', buyerReference: 'نمی‌خواهم 👩‍👧' }
    const made = await app.a.post(path, { token: own.token, body: invoiceBody.A(own, sent) })
    expect(made.status, made.text).toBe(201)
    expect(made.data).toMatchObject(sent)
  })

  test('a line break in a path or query is refused', async () => {
    const { token } = own
    const looked = await app.a.get(`${path}/lookup/tax-id/1234${encodeURIComponent('\n')}5678`, { token })
    expectRefusal(looked, 'request.invalid')
    expect(looked.body.error.details).toEqual([expect.objectContaining({ path: 'value', rule: 'text' })])
    const searched = await app.b.get(`${path}?search=${encodeURIComponent('a\u202eb')}`, { token })
    expect(searched.body.error.details).toEqual([expect.objectContaining({ path: 'search', rule: 'text' })])
  })

  test('headers are single-line texts too', async () => {
    const key = await app.a.post(path, {
      token: own.token,
      body: invoiceBody.A(own),
      headers: { 'idempotency-key': 'key\u0085with\u0085marks' },
    })
    expectRefusal(key, 'request.invalid')
    const named = await app.a.get(path, { token: own.token, headers: { 'x-request-id': 'a\u0085b' } })
    expect(named.headers.get('x-request-id')).toMatch(/^[\w-]{1,64}$/)
  })

  test('a User-Agent is stored as one line and shortened', async () => {
    const person: Person = await app.person()
    const agent = `curl/8\u0085${'x'.repeat(1_000)}`
    const body = { name: 'Renamed Stores' }
    await app.a.patch('/a/v1/organizations/me', { token: person.token, body, headers: { 'user-agent': agent } })
    const { userAgent } = await eventually(() =>
      app.runtime.db.one<{ userAgent: string }>(sql`
        select user_agent from events where organisation_id = ${person.organisationId} and type = 'organization.updated'`),
    )
    expect(userAgent).toBe(`curl/8 ${'x'.repeat(493)}`)
  })
})
