import { createSecureContext } from 'node:tls'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { carriersV6, forbiddenHosts, forbiddenV4, forbiddenV6 } from '../../../../test/harness/forbidden-hosts.ts'
import { http, RawServer } from '../../../../test/harness/raw-server.ts'
import { isPublicAddress } from './addresses.ts'
import { connectorOf } from './connecting.ts'
import { OutboundFailure, RefusedAddress } from './failures.ts'
import { createOutbound, type OutboundHttp } from './outbound-http.ts'
import { publicOnly, type UrlRules } from './public-urls.ts'

/** Listens on every address of this machine, so every allowed connection arrives. */
const listener = new RawServer()
let outbound: OutboundHttp
/** What names stand for, one answer after the other; the last one stays. */
let answers: (readonly string[])[] = []
const lookUps: string[] = []

const resolvePublic = async (name: string): Promise<readonly string[]> => {
  lookUps.push(name)
  const next = answers.length > 1 ? answers.shift() : answers[0]
  if (next === undefined) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
  return next
}

beforeAll(() => listener.start())
afterAll(() => listener[Symbol.asyncDispose]())
beforeEach(() => {
  listener.connections = 0
  listener.requests.length = 0
  listener.answer = (socket) => socket.write(http('ok'))
  lookUps.length = 0
  answers = []
  outbound = createOutbound({ resolvePublic })
})
afterEach(() => outbound.close())

/** Nothing but addresses and names is in the way: any port, and without TLS. */
const addressesAlone: UrlRules = { ...publicOnly(), schemes: ['http:', 'https:'], ports: undefined }
/** As if this machine's loopback were a public address, and no other of its own. */
const oneOfOurs: UrlRules = {
  ...addressesAlone,
  allowsAddress: (address) => address === '127.0.0.1' || isPublicAddress(address),
}

async function outcomeOf(call: Promise<{ status: number }>): Promise<string | number> {
  try {
    return (await call).status
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error
    return error.outcome
  }
}
const sendTo = (url: string, rules: UrlRules) =>
  outcomeOf(outbound.public('strangers', rules).send({ method: 'GET', url }))
const sendToName = (rules: UrlRules) => sendTo(`http://hooks.example.com:${listener.port}/`, rules)

test('a permitted connection reaches the listener', async () => {
  expect(await sendTo(`http://127.0.0.1:${listener.port}/`, oneOfOurs)).toBe(200)
  expect(listener.connections).toBe(1)
})

test('no spelling of a forbidden host leads to a connection', async () => {
  for (const scheme of ['http', 'https'])
    for (const [spelling, host] of forbiddenHosts)
      expect(await sendTo(`${scheme}://${host}:${listener.port}/`, addressesAlone), spelling).toBe('refused_address')
  expect(lookUps).toEqual([])
  expect(listener.connections).toBe(0)
})

const forbidden = [
  ...forbiddenV4,
  ...forbiddenV6,
  ...forbiddenV4.flatMap((address) => Object.values(carriersV6).map((carry) => carry(address))),
  'fe80::1%lo',
]

test('an unchecked IP address in place of a name is not connected to either', async () => {
  const connector = connectorOf({
    resolve: resolvePublic,
    allowsAddress: isPublicAddress,
    connectMs: 1_000,
    secureContext: createSecureContext(),
    onConnected: () => {},
  })
  for (const hostname of forbidden) {
    const refused = new Promise((resolve) =>
      connector({ hostname, host: hostname, protocol: 'http:', port: String(listener.port) }, (...[error]) =>
        resolve(error),
      ),
    )
    expect(await refused, hostname).toBeInstanceOf(RefusedAddress)
  }
  expect([listener.connections, lookUps]).toEqual([0, []])
})

test('a name with a forbidden address is not connected to', async () => {
  for (const address of forbidden) {
    answers = [[address]]
    expect(await sendToName(addressesAlone), address).toBe('refused_address')
  }
  expect(lookUps).toHaveLength(forbidden.length)
  expect(listener.connections).toBe(0)
})

test.each([
  ['a forbidden one last', ['127.0.0.1', '10.0.0.1']],
  ['a forbidden one first', ['::1', '127.0.0.1']],
  ['a forbidden one among many', ['127.0.0.1', '127.0.0.1', '169.254.169.254', '127.0.0.1']],
  ['something that is no address', ['127.0.0.1', 'elsewhere.example.com']],
])('a name is refused if one of its addresses is %s', async (_, addresses) => {
  answers = [addresses]
  expect(await sendToName(oneOfOurs)).toBe('refused_address')
  expect(listener.connections).toBe(0)
})

describe('a name whose address changes', () => {
  test('after the lookup is not looked up again: the checked address is used', async () => {
    const reached: (string | undefined)[] = []
    listener.answer = (socket) => {
      reached.push(socket.localAddress?.replace(/^::ffff:/, ''))
      socket.end(http('ok', ['connection: close']))
    }
    answers = [['127.0.0.1'], ['127.0.0.2']]
    expect(await sendToName(oneOfOurs)).toBe(200)
    expect([lookUps.length, reached]).toEqual([1, ['127.0.0.1']])
  })

  test('between two connections is checked for each', async () => {
    listener.answer = (socket) => socket.end(http('ok', ['connection: close']))
    const publicAddresses = outbound.public('strangers', oneOfOurs)
    const url = `http://hooks.example.com:${listener.port}/`
    answers = [['127.0.0.1'], ['127.0.0.2']]
    expect(await outcomeOf(publicAddresses.send({ method: 'GET', url }))).toBe(200)
    expect(await outcomeOf(publicAddresses.send({ method: 'GET', url }))).toBe('refused_address')
    expect([lookUps.length, listener.connections]).toEqual([2, 1])
  })

  test('during a kept connection has no effect', async () => {
    const publicAddresses = outbound.public('strangers', oneOfOurs)
    const url = `http://hooks.example.com:${listener.port}/`
    answers = [['127.0.0.1'], ['127.0.0.2']]
    for (let times = 0; times < 3; times++)
      expect(await outcomeOf(publicAddresses.send({ method: 'GET', url }))).toBe(200)
    expect([lookUps.length, listener.connections]).toEqual([1, 1])
  })

  test('is refused if the connection arrived at another address', async () => {
    let asked = 0
    answers = [['127.0.0.1']]
    expect(await sendToName({ ...oneOfOurs, allowsAddress: () => asked++ === 0 })).toBe('refused_address')
    expect(asked).toBe(2)
    expect(listener.requests).toEqual([])
  })
})

test('the error names the host, not its address', async () => {
  answers = [['127.0.0.1']]
  expect(await sendToName(oneOfOurs)).toBe(200)
  expect(listener.requests[0]).toContain(`\r\nhost: hooks.example.com:${listener.port}\r\n`)
})

test('an unknown name, or one without addresses, cannot be connected to', async () => {
  expect(await sendToName(oneOfOurs)).toBe('no_connection')
  answers = [[]]
  expect(await sendToName(oneOfOurs)).toBe('no_connection')
})

test('a configured party may be in the operator’s own network, under a local name', async () => {
  const { port } = listener
  for (const baseUrl of [`http://127.0.0.1:${port}`, `http://localhost:${port}/`])
    expect(await outcomeOf(outbound.party('inside', { baseUrl }).send({ method: 'GET', path: '/x' }))).toBe(200)
  expect(listener.requests.map((head) => head.split('\r\n')[0])).toEqual(Array(2).fill('GET /x HTTP/1.1'))
  expect(lookUps).toEqual([])
})

test('a customer’s request never uses the connection of a configured party, even under its name', async () => {
  const party = outbound.party('same', { baseUrl: listener.url })
  expect(await outcomeOf(party.send({ method: 'GET', path: '/' }))).toBe(200)
  const publicAddresses = outbound.public('same', addressesAlone)
  expect(await outcomeOf(publicAddresses.send({ method: 'GET', url: `${listener.url}/` }))).toBe('refused_address')
  expect(listener.requests).toHaveLength(1)
})

test.each(['@elsewhere.example.com/', '.elsewhere.example.com/', '0/', ':1/', '', 'x', '/../x', '/%2e%2e/x'])(
  'the path %j does not lead out of the base address',
  async (path) => {
    const party = outbound.party('party', { baseUrl: `${listener.url}/base/` })
    expect(await outcomeOf(party.send({ method: 'GET', path }))).toBe('refused_address')
    expect(listener.connections).toBe(0)
  },
)
