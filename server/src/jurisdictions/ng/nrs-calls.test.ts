import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { outbound } from '../../../../test/harness/outbound.ts'
import { type StubAnswer, StubServer } from '../../../../test/harness/stub-server.ts'
import { type Authority, AuthorityUnavailable } from '../port.ts'
import { nrsAuthority } from './nrs-client.ts'

const keys = { apiKey: '3f0c7a52-5d0e-4b7e-9d55-0f3f5a1f2b10', apiSecret: 'secret-that-nobody-may-read' }
const entityId = '6cd4ee57-5985-4e0f-8f3c-5b8c1f4c7d11'
const patience = new AbortController().signal
const stub = new StubServer()
let authority: Required<Authority>

beforeAll(() => stub.start())
afterAll(() => stub[Symbol.asyncDispose]())
beforeEach(() => {
  stub.requests.length = 0
  authority = nrsAuthority({ outbound, ...keys, baseUrl: stub.url })
})

const says = (answer: StubAnswer): void => {
  stub.answer = () => answer
}

const questions: Readonly<Record<string, () => Promise<unknown>>> = {
  isHealthy: () => authority.isHealthy(patience),
  findTaxpayer: () => authority.findTaxpayer('201982220002', patience),
  findNetworkEntry: () => authority.findNetworkEntry('201982220002', patience),
  findBusiness: () => authority.findBusiness(entityId, entityId, patience),
  readList: () => authority.readList('product-codes', patience),
}
const methods = Object.keys(questions)
const ask = (method: string): Promise<unknown> => questions[method]?.() as Promise<unknown>

async function reasonOf(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => new Error('it answered'),
    (reason: Error) => reason,
  )
  expect(error).toBeInstanceOf(AuthorityUnavailable)
  expect(error.message.length).toBeLessThan(120)
  for (const hidden of [...Object.values(keys), 'from the body']) expect(error.message).not.toContain(hidden)
  return error.message
}

test.each([
  ['isHealthy', 'GET', '/api', ''],
  ['findTaxpayer', 'POST', '/api/v1/utilities/verify-tin/', '{"tin":"20198222-0002"}'],
  ['findNetworkEntry', 'GET', '/api/v1/invoice/transmit/lookup/tin/20198222-0002', ''],
  ['findBusiness', 'GET', `/api/v1/entity/${entityId}`, ''],
  ['readList', 'GET', '/api/v1/invoice/resources/hs-codes', ''],
])('%s asks %s %s', async (method, verb, path, body) => {
  says({ body: { code: 200, data: null } })
  await ask(method).catch(() => undefined)
  expect(stub.requests).toEqual([{ method: verb, path, body, headers: expect.anything() }])
  const open = method === 'isHealthy' || method === 'readList'
  const { headers } = stub.requests[0] as { headers: object }
  expect(headers).toMatchObject({ accept: 'application/json' })
  const sent = { 'x-api-key': keys.apiKey, 'x-api-secret': keys.apiSecret }
  if (open) for (const name of Object.keys(sent)) expect(headers).not.toHaveProperty(name)
  else expect(headers).toMatchObject(sent)
})

describe.each(methods)('%s does not accept', (method) => {
  test.each<[string, StubAnswer]>([
    ['nothing', { body: '' }],
    ['no content', { status: 204, body: '' }],
    ['a web page', { headers: { 'content-type': 'text/html' }, body: '<p>from the body</p>' }],
    ['a web page that is missing', { status: 404, body: '<p>from the body</p>' }],
    ['text', { body: '"from the body"' }],
    ['null', { body: 'null' }],
    ['a list', { body: [] }],
    ['an empty object', { body: {} }],
    ['no data', { body: { code: 200 } }],
    ['a no that came as a yes', { body: { code: 400, data: null, error: { public_message: 'from the body' } } }],
    ['data of another form', { body: { code: 200, data: 'from the body', healthy: 'yes' } }],
    ['data of yet another form', { body: { code: 200, data: { items: 7 }, healthy: 1 } }],
    ['a yes that came as a no', { status: 400, body: { code: 200, data: [], healthy: true } }],
    ['two codes', { status: 404, body: { code: 400, data: null, error: { public_message: 'tin not found' } } }],
    ['an error of another form', { status: 404, body: { code: 404, data: null, error: 'from the body' } }],
    ['no route', { status: 404, body: { code: 404, data: null, message: 'no route found for this path' } }],
    ['a failure', { status: 400, body: { code: 400, data: null, error: { public_message: 'from the body' } } }],
    ['an odd status', { status: 418, body: { code: 200, data: [], healthy: true } }],
    ['a gateway in trouble', { status: 502, body: { code: 404, error: { public_message: 'tin not found' } } }],
    ['a demand to wait', { status: 429, headers: { 'retry-after': '1' }, body: {} }],
  ])('%s', async (_, answer) => {
    says(answer)
    await reasonOf(ask(method))
    expect(stub.requests).toHaveLength(1)
  })

  test('a redirect, and sends the keys nowhere', async () => {
    await using elsewhere = await new StubServer().start()
    for (const status of [301, 302, 303, 307, 308]) {
      says({ status, headers: { location: `${elsewhere.url}/api` }, body: '' })
      expect(await reasonOf(ask(method))).toBe(`the authority answered ${status}`)
    }
    expect(elsewhere.requests).toEqual([])
  })

  test('an answer above the size limit', async () => {
    const most = method === 'readList' ? 4 * 1024 * 1024 : 256 * 1024
    const whole = JSON.stringify({ code: 200, data: null, healthy: true })
    says({ body: whole.padEnd(most + 1, ' ') })
    const tooLong = 'the authority gave no answer: the answer is larger than anybody could need'
    expect(await reasonOf(ask(method))).toBe(tooLong)
    says({ body: whole.padEnd(most, ' ') })
    const outcome = await ask(method).catch((error: Error) => error.message)
    expect(outcome).not.toBe(tooLong)
  })
})

test('an authority that reports itself unhealthy counts as unhealthy', async () => {
  says({ body: { healthy: false } })
  expect(await authority.isHealthy(patience)).toBe(false)
})
