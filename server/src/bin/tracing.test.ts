import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { capturedLog, type Person, startTestApp, type TestApp } from '../../../test/harness/app.ts'
import { eventually } from '../../../test/harness/eventually.ts'
import { StubServer } from '../../../test/harness/stub-server.ts'
import { arrived, startReceiver } from '../../../test/harness/webhook-receiver.ts'
import { createOutbound } from '../platform/outbound/outbound-http.ts'
import { type EndedSpan, readTraceparent, Tracer } from '../platform/tracing/tracer.ts'
import { startTracing, type Tracing } from './tracing.ts'

interface SentSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly { key: string; value: { stringValue?: string; intValue?: string } }[]
  readonly status: { code?: number; message?: string }
}

const [traceId, parentId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']

let collector: StubServer
let receiver: StubServer
let tracing: Tracing
let app: TestApp
let person: Person
beforeAll(async () => {
  collector = await new StubServer().start()
  collector.answer = () => ({ body: {} })
  receiver = await startReceiver()
  const settings = { endpoint: collector.url, headers: { 'x-key': 'for the collector' }, share: 1 }
  tracing = startTracing(settings, { 'service.name': 'risiti' }, { log: capturedLog().log, extraCa: [] })
  const { tracer } = tracing
  app = await startTestApp({ tracer, outbound: createOutbound({ tracer }) })
  person = await app.person()
  await app.openAccount(person.organisationId)
})
afterAll(async () => {
  await app?.close()
  await tracing?.close()
  await collector[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

const sentSpans = (): SentSpan[] =>
  collector.requests.flatMap(({ body }) => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans)
const spanWhere = (holds: (span: SentSpan) => boolean): Promise<SentSpan> =>
  eventually(async () => {
    const found = sentSpans().find(holds)
    if (!found) throw new Error(`no such span among ${sentSpans().map(({ name }) => name)}`)
    return found
  })
const attribute = ({ attributes }: SentSpan, name: string) => {
  const value = attributes.find(({ key }) => key === name)?.value
  return value?.stringValue ?? value?.intValue
}

test('a request takes over the trace of its caller, and its statements belong to it', async () => {
  const name = 'A buyer whose name is in no span'
  const headers = { traceparent: `00-${traceId}-${parentId}-01` }
  const made = await app.a.post('/i/v1/buyers', { token: person.token, body: { name }, headers })
  expect(made.status).toBe(201)
  const request = await spanWhere((span) => span.traceId === traceId && span.kind === 2)
  expect(request).toMatchObject({ parentSpanId: parentId, name: 'POST /i/v1/buyers', status: {} })
  expect(attribute(request, 'http.response.status_code')).toBe('201')
  expect(Number(request.endTimeUnixNano)).toBeGreaterThan(Number(request.startTimeUnixNano))
  const statement = await spanWhere((span) => span.traceId === traceId && span.kind === 3)
  expect(statement.parentSpanId).toBe(request.spanId)
  expect(attribute(statement, 'db.system.name')).toBe('postgresql')
  expect(attribute(statement, 'db.query.text')).toMatch(/\$1/)
  expect(collector.requests.map(({ body }) => body).join()).not.toContain(name)
  expect(collector.requests[0]).toMatchObject({ method: 'POST', path: '/v1/traces' })
  expect(collector.requests[0]?.headers).toMatchObject({ 'x-key': 'for the collector' })
})

test('an outgoing request is a span, and its traceparent names that span', async () => {
  const endpoint = { url: `${receiver.url}/hook`, events: ['buyer.created'] }
  expect((await app.a.post('/n/v1/webhook-endpoints', { token: person.token, body: endpoint })).status).toBe(201)
  await app.a.post('/i/v1/buyers', { token: person.token, body: { name: 'Oke' } })
  const [sent] = await arrived(receiver, '/hook')
  const given = readTraceparent(sent?.headers.traceparent)
  const call = await spanWhere(({ spanId }) => spanId === given?.spanId)
  expect(call).toMatchObject({ traceId: given?.traceId, kind: 3, name: 'POST' })
  expect(['risiti.party', 'server.address', 'http.response.status_code'].map((name) => attribute(call, name))).toEqual([
    'webhooks',
    '127.0.0.1',
    '200',
  ])
})

test('a job is a span, and its statements are spans below it', async () => {
  await app.a.post('/a/v1/auth/forgot-password', { body: { email: person.email } })
  await app.mailTo(person.email)
  const job = await spanWhere(({ kind, name }) => kind === 5 && name === 'job send-message')
  expect(job.parentSpanId).toBeUndefined()
  await spanWhere(({ parentSpanId, kind }) => parentSpanId === job.spanId && kind === 3)
})

test('if the collector fails, spans are dropped and nothing else fails', async () => {
  const captured = capturedLog()
  const away = await new StubServer().start()
  away.answer = () => ({ status: 503, body: {} })
  const settings = { endpoint: away.url, headers: {}, share: 1 }
  const other = startTracing(settings, {}, { log: captured.log, extraCa: [] })
  await expect(
    other.tracer.trace('job x', 'consumer', {}, () => Promise.reject(new TypeError('its own error'))),
  ).rejects.toThrow('its own error')
  await other.close()
  expect(JSON.parse(away.requests[0]?.body ?? '').resourceSpans[0].scopeSpans[0].spans[0].status).toEqual({
    code: 2,
    message: 'TypeError',
  })
  expect(captured.text()).toContain('traces.not_sent')
  await away[Symbol.asyncDispose]()
})

test('a collector that does not reply delays the end of the process by two seconds at most', async () => {
  const silent = await new StubServer().start()
  silent.answer = () => undefined
  const captured = capturedLog()
  const other = startTracing({ endpoint: silent.url, headers: {}, share: 1 }, {}, { log: captured.log, extraCa: [] })
  other.tracer.start('GET', 'server').end()
  const beganAt = performance.now()
  await other.close()
  expect(performance.now() - beganAt).toBeLessThan(4_000)
  expect(captured.text()).toContain('traces.not_sent')
  await silent[Symbol.asyncDispose]()
})

describe('sampling', () => {
  const countOf = (share: number, caller?: string): number => {
    const ended: EndedSpan[] = []
    const tracer = new Tracer(share, (span) => ended.push(span))
    for (let at = 0; at < 2_000; at++) {
      const span = tracer.start('GET', 'server', {}, readTraceparent(caller))
      tracer.within(span, () => tracer.start('select', 'client').end())
      span.end()
    }
    return ended.length
  }
  test('sends whole traces, as many as the share says', () => {
    expect([countOf(1), countOf(0)]).toEqual([4_000, 0])
    const half = countOf(0.5)
    expect(half % 2).toBe(0)
    expect(half).toBeGreaterThan(1_500)
    expect(half).toBeLessThan(2_500)
  })

  test('a caller can switch its trace off, and switches on nothing if the share is 0', () => {
    expect(countOf(1, `00-${traceId}-${parentId}-00`)).toBe(0)
    expect(countOf(0, `00-${traceId}-${parentId}-01`)).toBe(0)
  })
})

test.each([
  [`00-${traceId}-${parentId}-01`, true],
  [`00-${traceId}-${parentId}-00`, false],
  [`01-${traceId}-${parentId}-03-more`, true],
  [`ff-${traceId}-${parentId}-01`, undefined],
  [`00-${'0'.repeat(32)}-${parentId}-01`, undefined],
  [`00-${traceId}-${'0'.repeat(16)}-01`, undefined],
  [`00-${traceId.toUpperCase()}-${parentId}-01`, undefined],
  ['', undefined],
  [undefined, undefined],
])('the header %s is read as %s', (header, isSampled) => {
  expect(readTraceparent(header)?.isSampled).toBe(isSampled)
})
