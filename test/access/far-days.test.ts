import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Form } from '../../server/src/http/definitions/form.ts'
import { openApiOf } from '../../server/src/http/openapi/index.ts'
import { resolver } from '../../server/src/http/openapi/resolved.ts'
import { startTestApp, type TestApp } from '../harness/app.ts'
import { type Collector, collector } from '../harness/collection.ts'
import { ok } from '../harness/issued.ts'

let app: TestApp
let own: Collector
/** own ids by the word of the path before them */
let ids: Readonly<Record<string, string>>

beforeAll(async () => {
  app = await startTestApp({ bank: true, now: '2026-11-15T09:00:00Z' })
  own = await collector(app)
  const { token } = own
  const draft = await own.life.draft()
  const { buyerId, currency, lineItems } = draft
  const [{ description, hsnCode, quantity, unitCode, unitPrice, taxCategory }] = lineItems
  const invoice = {
    buyerId,
    currency,
    lineItems: [{ description, hsnCode, quantity, unitCode, unitPrice, taxCategory }],
  }
  const quote = ok(await app.a.post('/i/v1/quotes', { token, body: invoice }), 201)
  const rule = { name: 'Cement', unit: 'year', startsOn: '2026-11-30', policy: 'draft', invoice }
  const schedule = ok(await app.a.post('/i/v1/recurring-invoices', { token, body: rule }), 201)
  const issued = await own.life.issued()
  ids = { invoices: issued.id, quotes: quote.id, 'recurring-invoices': schedule.id, buyers: buyerId }
})
afterAll(() => app.close())

const farDays = ['0001-01-01', '1582-10-10', '2999-12-31', '9999-12-31']
const farMoments: Readonly<Record<string, readonly string[]>> = {
  date: farDays,
  'date-time': farDays.map((day) => `${day}T23:59:59Z`),
  'date-or-date-time': farDays,
  month: farDays.map((day) => day.slice(0, 7)),
}

interface Schema {
  readonly format?: string
  readonly pattern?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

/** The format of a day, a moment or a month; undefined for other fields. */
function momentOf(schema: Schema, name: string): string | undefined {
  const { format, pattern, anyOf = [] } = schema
  if (format !== undefined && format in farMoments) return format
  if (pattern !== undefined && ['period', 'month', 'from', 'to'].includes(name)) return 'month'
  return anyOf.map((one) => momentOf(one, name)).find((one) => one !== undefined)
}

type Body = Record<string, unknown>
/** The body with one field set to each far value, for each field that takes a moment. */
function farBodies(schema: Schema, example: Body): Body[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const moment = momentOf(field, name)
    if (moment !== undefined) return (farMoments[moment] ?? []).map((far) => ({ ...example, [name]: far }))
    const [first] = Array.isArray(example[name]) ? (example[name] as Body[]) : []
    if (field.items && first) return farBodies(field.items, first).map((inner) => ({ ...example, [name]: [inner] }))
    return []
  })
}

interface FarRequest {
  readonly method: string
  readonly path: string
  readonly body: string | undefined
}

function requestsOf(form: Form): FarRequest[] {
  const document = openApiOf(form)
  const whole = resolver(document)
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([verb, operation]): FarRequest[] => {
      const { parameters, requestBody } = whole(operation)
      const method = verb.toUpperCase()
      const [, word] = /\/([a-z-]+)\/\{\w+\}/.exec(path) ?? []
      const place = path.replace('{orgId}', 'me').replace(/\{id\}/, ids[word ?? ''] ?? ids.invoices ?? '')
      const content = requestBody?.content['application/json']
      const example = content?.example as Body | undefined
      const plain = example && { ...example, ...('buyerId' in example ? { buyerId: ids.buyers } : {}) }
      const body = plain && JSON.stringify(plain)
      const inPlaces = parameters.flatMap(({ name, in: where, schema }) => {
        const far = farMoments[momentOf(schema as Schema, name) ?? ''] ?? []
        return far.map((value) => ({
          method,
          body,
          path: where === 'path' ? place.replace(`{${name}}`, value) : `${place}?${name}=${encodeURIComponent(value)}`,
        }))
      })
      const bodies = plain ? farBodies(content?.schema as Schema, plain) : []
      return [...inPlaces, ...bodies.map((far) => ({ method, path: place, body: JSON.stringify(far) }))]
    }),
  )
}

test.each(['A', 'B'] as const)('form %s: no route fails or hangs over a day that is far away', async (name) => {
  const { form } = app.client(name)
  const requests = requestsOf(form)
  expect(requests.length).toBeGreaterThan(150)
  const wrong: string[] = []
  const seen = new Set<number>()
  for (const { method, path, body } of requests) {
    const answer = await fetch(`${app.url}${form.prefix}${path}`, {
      method,
      headers: { authorization: `Bearer ${own.token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body } : {}),
    })
    seen.add(answer.status)
    if (answer.status >= 500) wrong.push(`${method} ${path} ${body}: ${answer.status} ${await answer.text()}`)
    else await answer.arrayBuffer()
  }
  expect(wrong).toEqual([])
  expect([...seen]).toEqual(expect.arrayContaining([200, 201, 400]))
})
