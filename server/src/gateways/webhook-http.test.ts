import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { forbiddenHosts, forbiddenV4 } from '../../../test/harness/forbidden-hosts.ts'
import { http, RawServer } from '../../../test/harness/raw-server.ts'
import { newId } from '../kernel/ids.ts'
import type { Mode } from '../kernel/tenant.ts'
import type { EndpointId } from '../modules/webhooks/index.ts'
import { OutboundFailure } from '../platform/outbound/failures.ts'
import { createOutbound } from '../platform/outbound/outbound-http.ts'
import { anywhere, publicOnly } from '../platform/outbound/public-urls.ts'
import { webhookHttp } from './webhook-http.ts'

/** Listens on every address of this machine, so that forbidden requests would be counted. */
const listener = new RawServer()
const opened: { close(): Promise<void> }[] = []
beforeAll(() => listener.start())
afterEach(async () => {
  for (const outbound of opened.splice(0)) await outbound.close()
  listener.connections = 0
})
afterAll(() => listener[Symbol.asyncDispose]())

/** The rules of production without the port rule, so that only the address can be the reason. */
const rules = { ...publicOnly(['risiti.example']), schemes: ['https:', 'http:'], ports: undefined }

function webhookHttpWith(resolvePublic: (name: string) => Promise<readonly string[]>) {
  const outbound = createOutbound({ resolvePublic })
  opened.push(outbound)
  return webhookHttp(outbound, rules)
}
const endpointId: EndpointId = newId()
const post = (url: string, mode: Mode = 'sandbox') => ({
  url,
  mode,
  endpointId,
  headers: {},
  body: '{}',
  timeoutMs: 1_000,
})
const outcomeOf = (answer: Promise<unknown>): Promise<string> =>
  answer.then(
    () => 'answered',
    (error: unknown) => (error instanceof OutboundFailure ? error.outcome : String(error)),
  )

test('no spelling of a forbidden host is accepted or called', async () => {
  expect(forbiddenHosts.length).toBeGreaterThanOrEqual(150)
  const gateway = webhookHttpWith(async () => ['127.0.0.1'])
  for (const [spelling, host] of forbiddenHosts)
    for (const scheme of ['http', 'https']) {
      const url = `${scheme}://${host}:${listener.port}/`
      const outcome = URL.canParse(url) ? await outcomeOf(gateway.post(post(url))) : 'refused_address'
      expect([spelling, host, gateway.faultOf(url, 'sandbox') !== undefined, outcome]).toEqual([
        spelling,
        host,
        true,
        'refused_address',
      ])
    }
  expect(listener.connections).toBe(0)
})

test('a name with one forbidden address among public ones is not called', async () => {
  for (const address of forbiddenV4)
    for (const addresses of [[address], ['93.184.216.34', address], [address, '93.184.216.34']]) {
      const gateway = webhookHttpWith(async () => addresses)
      const url = `http://hooks.example.com:${listener.port}/`
      expect(gateway.faultOf(url, 'live')).toBeUndefined()
      expect([address, await outcomeOf(gateway.post(post(url)))]).toEqual([address, 'refused_address'])
    }
  expect(listener.connections).toBe(0)
})

test('a DNS change after the lookup does not change the destination', async () => {
  const judged = await new RawServer().start('127.0.0.2')
  judged.answer = (socket) => socket.end(http('ok'))
  let looks = 0
  // The first lookup returns an allowed address, later ones a forbidden address.
  const outbound = createOutbound({ resolvePublic: async () => (looks++ === 0 ? ['127.0.0.2'] : ['127.0.0.1']) })
  opened.push(outbound)
  const gateway = webhookHttp(outbound, { ...rules, allowsAddress: (address) => address === '127.0.0.2' })
  const url = `http://rebinding.example.com:${judged.port}/`
  expect(await outcomeOf(gateway.post(post(url)))).toBe('answered')
  expect([looks, judged.connections]).toEqual([1, 1])
  expect(await outcomeOf(gateway.post(post(url.replace(String(judged.port), String(listener.port)))))).toBe(
    'refused_address',
  )
  expect(listener.connections).toBe(0)
  await judged[Symbol.asyncDispose]()
})

test('in live mode an IP address in place of a host name is not called, even if public', async () => {
  const outbound = createOutbound()
  opened.push(outbound)
  const gateway = webhookHttp(outbound, { ...rules, allowsAddress: () => true })
  listener.answer = (socket) => socket.write(http('ok'))
  for (const host of ['127.0.0.1', '0x7f.1', '[::ffff:127.0.0.1]']) {
    const url = `http://${host}:${listener.port}/`
    expect([host, gateway.faultOf(url, 'live'), await outcomeOf(gateway.post(post(url, 'live')))]).toEqual([
      host,
      'literal',
      'refused_address',
    ])
  }
  expect(listener.connections).toBe(0)
  const url = `http://127.0.0.1:${listener.port}/`
  expect([gateway.faultOf(url, 'sandbox'), await outcomeOf(gateway.post(post(url)))]).toEqual([undefined, 'answered'])
  // In development there are no rules.
  expect(webhookHttp(outbound, anywhere).faultOf(url, 'live')).toBeUndefined()
})

test('a connection is reused for its endpoint only, not for others of the same host', async () => {
  const outbound = createOutbound()
  opened.push(outbound)
  const gateway = webhookHttp(outbound, anywhere)
  listener.answer = (socket) => socket.write(http('ok'))
  const url = `http://127.0.0.1:${listener.port}/`
  for (let again = 0; again < 3; again++) await gateway.post(post(url))
  expect(listener.connections).toBe(1)
  await gateway.post({ ...post(url), endpointId: newId() })
  expect(listener.connections).toBe(2)
})

test('a redirect counts as a reply, and only the beginning of a reply is stored', async () => {
  const outbound = createOutbound()
  opened.push(outbound)
  const gateway = webhookHttp(outbound, anywhere)
  listener.answer = (socket) =>
    socket.write(http('x'.repeat(100_000), ['location: http://169.254.169.254/latest'], '301 Moved'))
  const answer = await gateway.post(post(`http://127.0.0.1:${listener.port}/`))
  expect([answer.status, answer.body.length, listener.connections]).toEqual([301, 1_024, 1])
})

test('a playground reaches its own receiver, and no other local address', async () => {
  const outbound = createOutbound()
  opened.push(outbound)
  const own = await new RawServer().start('127.0.0.1')
  own.answer = (socket) => socket.write(http('ok'))
  const gateway = webhookHttp(outbound, publicOnly(), () => own.url)
  expect((await gateway.post(post(`${own.url}/in`))).status).toBe(200)
  expect(gateway.faultOf(`${own.url}/in`, 'live')).toBeUndefined()
  const beside = `http://127.0.0.1:${listener.port}/`
  expect([gateway.faultOf(beside, 'sandbox'), await outcomeOf(gateway.post(post(beside)))]).toEqual([
    'scheme',
    'refused_address',
  ])
  expect(listener.connections).toBe(0)
  await own[Symbol.asyncDispose]()
})

test('a playground sends sandbox webhooks to its own machine, and to no other private address', async () => {
  const outbound = createOutbound()
  opened.push(outbound)
  const gateway = webhookHttp(outbound, publicOnly(), undefined, { allowsThisMachine: true })
  listener.answer = (socket) => socket.write(http('ok'))
  for (const host of ['127.0.0.1', 'localhost', '127.8.8.8']) {
    const url = `http://${host}:${listener.port}/hook`
    expect([host, gateway.faultOf(url, 'sandbox'), (await gateway.post(post(url))).status]).toEqual([
      host,
      undefined,
      200,
    ])
    expect([host, gateway.faultOf(url, 'live'), await outcomeOf(gateway.post(post(url, 'live')))]).toEqual([
      host,
      'scheme',
      'refused_address',
    ])
  }
  const connections = listener.connections
  for (const host of ['10.0.0.1', '169.254.169.254', '192.168.1.1', '0.0.0.0', 'localhost.evil.example']) {
    const url = `http://${host}:${listener.port}/hook`
    expect([host, gateway.faultOf(url, 'sandbox'), await outcomeOf(gateway.post(post(url)))]).toEqual([
      host,
      'scheme',
      'refused_address',
    ])
  }
  expect(listener.connections).toBe(connections)
})
