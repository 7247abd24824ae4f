import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { formA } from '../../server/src/http/form-a/index.ts'
import { formB } from '../../server/src/http/form-b/index.ts'
import { loadKeyRing } from '../../server/src/platform/secrets/key-file.ts'
import { createVault } from '../../server/src/platform/secrets/secrets.ts'
import { startTestApp } from '../harness/app.ts'
import { createTestDatabase } from '../harness/database.ts'
import { makeKeyFile, type ServerNode, startNode, withoutDemo } from '../harness/processes.ts'
import { casesToTry } from '../harness/runs.ts'

const mebibyte = 1024 * 1024
/** CPU time of all threads in milliseconds. Elapsed time would be longer on a busy machine. */
const mostComputedMs = 1_500
const mostGrowth = 64 * mebibyte

const heapProbe = join(import.meta.dirname, '../harness/heap-probe.ts')

let env: Record<string, string>
let node: ServerNode
let key: string
let session: string
beforeAll(async () => {
  const database = await createTestDatabase()
  const keyFile = await makeKeyFile()
  const app = await startTestApp({
    database,
    vault: createVault(await loadKeyRing(keyFile, { createIfMissing: false })),
  })
  const person = await app.person()
  await app.openAccount(person.organisationId)
  key = await app.key(person.organisationId)
  session = person.token
  await app.close()
  env = { ...withoutDemo, DATABASE_URL: database.url, SECRETS_FILE: keyFile }
})

/** All cases share one process while it lives. If a body kills the process, the next case gets a new one. */
beforeEach(async () => {
  if (node && (await Promise.race([node.ended, wait(0)])) === undefined) return
  node = await startNode({ env, nodeArgs: ['--max-old-space-size=512', '--expose-gc', '--import', heapProbe] })
  watches = 0
  // Warms up, because compilation at the first request is no cost of the body.
  for (const path of ['/i/v1/invoices', '/form-b/i/v1/invoices']) await send(path, { token: key, body: '{"a":1}' })
})

interface SentReply {
  readonly status: number
  readonly text: string
  readonly ms: number
}

async function send(
  path: string,
  { method = 'POST', token, body }: { method?: string; token?: string; body: string },
): Promise<SentReply> {
  const began = performance.now()
  const response = await fetch(`${node.url}${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body,
    signal: AbortSignal.timeout(60_000),
  })
  const text = await response.text()
  return { status: response.status, text, ms: performance.now() - began }
}

let watches = 0
async function grown<Result>(
  what: () => Promise<Result>,
): Promise<{ result: Result; growth: number; computedMs: number }> {
  const watch = ++watches
  node.signal('SIGUSR2')
  await node.said(new RegExp(`heap watch ${watch} begins`))
  const result = await what()
  node.signal('SIGUSR2')
  const [, growth, computedMs] = await node.said(new RegExp(`heap watch ${watch} saw (-?\\d+) in (\\d+) ms`))
  return { result, growth: Number(growth), computedMs: Number(computedMs) }
}

/** The size of a body: a number of bytes, and a number of values for shapes that count them. */
interface Size {
  readonly bytes: number
  readonly values: number
}

const valuesIn = (text: string) => text.match(/[,[{]/g)?.length ?? 0
const timesThatFit = (again: string, { bytes, values }: Size) =>
  Math.floor(Math.min(bytes / again.length, values / Math.max(1, valuesIn(again))))

/** Repeats one part between a beginning and an end as often as it fits. */
const filled = ({ bytes, values }: Size, begin: string, again: string, end: string): string =>
  begin + again.repeat(timesThatFit(again, { bytes: bytes - begin.length - end.length, values })) + end

/** Like `filled`, but all parts differ. */
function numbered({ bytes, values }: Size, begin: string, again: (at: number) => string, end: string): string {
  const size = { bytes: bytes - begin.length - end.length, values }
  return begin + Array.from({ length: timesThatFit(again(1_000_000), size) }, (_, at) => again(at)).join('') + end
}

type Shape = (size: Size) => string

/** Bodies that cost as much as possible on any route. */
const shapes: Record<string, Shape> = {
  'one key again and again, deep inside': (size) =>
    filled(size, `{"a":${'['.repeat(61)}{`, '"":0,', `"":0}${']'.repeat(61)}}`),
  'one key again and again, beside a long text': (size) =>
    filled(size, `{"t":"${'x'.repeat(size.bytes / 2)}",`, '"a":0,', '"a":0}'),
  'one key again and again, under a long name': (size) =>
    filled(size, `{"${'k'.repeat(size.bytes / 2)}":{`, '"a":0,', '"a":0}}'),
  'very many keys': (size) => numbered(size, '{', (at) => `"k${at}":0,`, '"z":0}'),
  'very many numbers as keys': (size) => numbered(size, '{', (at) => `"${at * 7}":0,`, '"z":0}'),
  'very many empty objects': (size) => filled(size, '[', '{},', '{}]'),
  'very many empty lists': (size) => filled(size, '{"a":[', '[],', '[]]}'),
  'very many small objects': (size) => filled(size, '[', '{"a":0},', '0]'),
  'nested as deep as may be, again and again': (size) => filled(size, '[', `${'['.repeat(63)}${']'.repeat(63)},`, '0]'),
  'lists nested without end': ({ bytes }) => '['.repeat(bytes),
  'objects nested without end': ({ bytes }) => '{"a":'.repeat(bytes / 5),
  'a long text': (size) => filled(size, '{"a":"', 'x', '"}'),
  'a long text and nothing else': (size) => filled(size, '"', 'x', '"'),
  'an address of quotes': (size) => filled(size, '{"email":"', '\\"', '"}'),
  'an address of dots': (size) => filled(size, '{"email":"a@', 'a.', '"}'),
  'a text that never ends': (size) => filled(size, '{"a":"', '\\"', ''),
  'very many texts that cannot be stored': (size) => filled(size, '{"a":[', '"\\u0000",', '0]}'),
  'very many keys that cannot be stored': (size) => numbered(size, '{', (at) => `"\\u0000${at}":0,`, '"z":0}'),
  'very many keys called __proto__': (size) => filled(size, '[', '{"__proto__":0},', '0]'),
  'very many escapes': (size) => filled(size, '{"a":"', '\\u0041', '"}'),
  'very many half surrogate pairs': (size) => filled(size, '{"a":"', '\\ud800', '"}'),
  'a long number': (size) => filled(size, '{"a":', '9', '}'),
  'a long fraction': (size) => filled(size, '{"a":0.', '0', '1}'),
  'a long exponent': (size) => filled(size, '{"a":1e', '9', '}'),
  'very many numbers': (size) => filled(size, '[', '1e9,', '0]'),
  'very many commas': ({ bytes }) => ','.repeat(bytes),
  'very many blanks': (size) => filled(size, '{"a":', ' ', '0}'),
  'what is not JSON': ({ bytes }) => 'x'.repeat(bytes),
  'letters of three bytes': ({ bytes }) => `{"a":"${'€'.repeat(bytes / 3 - 3)}"}`,
}

const line = (fields: string) =>
  `{"description":"x","quantity":1,"unitCode":"LTR","unitPrice":1,"taxCategory":"standard",${fields}}`
const head = '"invoiceKind":"B2C","invoiceDate":"2026-01-01","currency":"NGN"'

/** Bodies for the largest schemas: an invoice in both forms. */
const invoiceShapes: Record<string, Shape> = {
  'very many empty lines': (size) => filled(size, '{"lineItems":[', '{},', '{}]}'),
  'very many lines that are none': (size) => filled(size, '{"lineItems":[', '0,', '0]}'),
  'very many lines with every fault': (size) =>
    filled(
      size,
      '{"lineItems":[',
      '{"itemId":0,"description":0,"itemName":0,"hsnCode":0,"quantity":"x","unitPrice":"x","discountAmount":"x","feeAmount":"x","nope":0},',
      '{}]}',
    ),
  'very many lines with one fault each': (size) =>
    filled(size, `{${head},"lineItems":[`, `${line('"discountAmount":-1')},`, `${line('"feeAmount":-1')}]}`),
  'a line with very many unknown fields': (size) =>
    numbered(size, '{"lineItems":[{', (at) => `"k${at}":0,`, '"z":0}]}'),
  'a quantity of a million zeros': (size) => filled(size, '{"lineItems":[{"quantity":"1.', '0', '"}]}'),
  'a price of a million digits': (size) => filled(size, '{"lineItems":[{"unitPrice":"', '9', '"}]}'),
  'an amount of a million zeros': (size) => filled(size, '{"allowanceAmount":"1.', '0', '"}'),
  'a number of a million digits as amount': (size) => filled(size, '{"allowanceAmount":1.', '0', '1}'),
  'five hundred lines of codes that nobody knows, with long texts': () =>
    `{${head},"lineItems":[${Array(500)
      .fill(
        `{"description":"${'ä'.repeat(500)}","quantity":1,"unitCode":"nope","unitPrice":1,"taxCategory":"nope","hsnCode":"${'9'.repeat(20)}","isicCode":"nope"}`,
      )
      .join()}]}`,
}

async function expectHarmless(
  path: string,
  body: string,
  options: { method?: string; token?: string } = {},
): Promise<void> {
  const { result, growth, computedMs } = await grown(() => send(path, { ...options, body }))
  expect([result.status, JSON.parse(result.text).error.code], result.text.slice(0, 300)).toEqual([400, 'VAL001'])
  expect(result.text.length).toBeLessThan(300_000)
  expect(computedMs, 'milliseconds of computing').toBeLessThan(mostComputedMs)
  expect(growth, 'bytes by which the heap grew').toBeLessThan(mostGrowth)
}

describe('a hostile body of one mebibyte without a token', () => {
  test.each(Object.entries(shapes))('%s', async (_, shape) => {
    await expectHarmless('/a/v1/auth/login', shape({ bytes: mebibyte, values: Number.POSITIVE_INFINITY }))
  })
})

/** Just below the reader's limit of values, so that the checks after the reader have to stop in time. */
const readable = { bytes: 2 * mebibyte, values: 99_000 }

/** The reader treats a body alike on every route, so an ordinary run sends only some shapes to a second route. */
const shapesAgain = Object.fromEntries(Object.entries(shapes).filter((_, at) => at % casesToTry(4, 1) === 0))

describe.each([
  { ...formA, bodies: { ...shapesAgain, ...invoiceShapes } },
  { ...formB, bodies: invoiceShapes },
])('an invoice of two mebibytes, in Form $name', ({ prefix, bodies }) => {
  test.each(Object.entries(bodies))('%s', async (_, shape) => {
    await expectHarmless(`${prefix}/i/v1/invoices`, shape(readable), { token: key })
  })
})

describe('lists with unique members', () => {
  test.each<[string, Shape]>([
    ['one id again and again', (size) => filled(size, '{"ids":[', '"a",', '"a"]}')],
    ['very many ids', (size) => numbered(size, '{"ids":[', (at) => `"${at}",`, '"a"]}')],
    ['an id without end', (size) => filled(size, '{"ids":["', 'a', '"]}')],
  ])('%s', async (_, shape) => {
    const body = shape({ ...readable, bytes: mebibyte })
    await expectHarmless('/i/v1/buyers/bulk', body, { method: 'DELETE', token: key })
  })
})

test('a very long timestamp', async () => {
  const body = filled({ ...readable, bytes: mebibyte }, '{"name":"x","expiresAt":"', 'T', '"}')
  await expectHarmless('/a/v1/organizations/me/api-keys', body, { token: session })
})

test('a mebibyte that is sent byte by byte', async () => {
  const { hostname, port } = new URL(node.url)
  const { result, growth, computedMs } = await grown(async () => {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    socket.write(
      'POST /a/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
    )
    socket.write('1\r\n \r\n'.repeat(mebibyte))
    const [answer] = await once(socket, 'data')
    socket.destroy()
    return { answer: String(answer) }
  })
  expect(result.answer).toMatch(/^HTTP\/1\.1 400 .*VAL001.*too many small pieces/s)
  expect(computedMs).toBeLessThan(mostComputedMs)
  expect(growth).toBeLessThan(mostGrowth)
})

test('the process still serves requests afterwards', async () => {
  expect((await fetch(`${node.url}/health`)).status).toBe(200)
  expect(node.output()).not.toMatch(/request\.failed|heap out of memory/)
})
