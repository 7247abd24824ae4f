import { afterAll, beforeAll, expect, test } from 'vitest'
import { NameServer } from '../../../../test/harness/name-server.ts'
import { http, RawServer } from '../../../../test/harness/raw-server.ts'
import { createOutbound } from './outbound-http.ts'
import { anywhere, publicOnly } from './public-urls.ts'
import { type Resolve, resolveByDns, resolveLikeTheSystem } from './resolving.ts'

const loopbackV6 = [0, 0, 0, 0, 0, 0, 0, 1]
const names = new NameServer(
  {
    'both.example.com': { a: ['192.0.2.1', '192.0.2.2'], aaaa: [[0x2001, 0xdb8, 0, 0, 0, 0, 0, 7]] },
    'four.example.com': { a: ['127.0.0.1'] },
    'six.example.com': { aaaa: [loopbackV6] },
    'mixed.example.com': { a: ['8.8.8.8'], aaaa: [loopbackV6] },
    'empty.example.com': {},
  },
  ['silent.example.com'],
)
let resolve: Resolve
beforeAll(async () => {
  await names.start()
  resolve = resolveByDns([names.address])
})
afterAll(() => names[Symbol.asyncDispose]())

test.each<[string, string[]]>([
  ['both.example.com', ['192.0.2.1', '192.0.2.2', '2001:db8::7']],
  ['four.example.com', ['127.0.0.1']],
  ['six.example.com', ['::1']],
])('%s has all its IPv4 and IPv6 addresses', async (name, addresses) => {
  expect(await resolve(name)).toEqual(addresses)
})

test.each([
  ['unknown.example.com', 'ENOTFOUND'],
  ['empty.example.com', 'ENODATA'],
])('%s has none (%s)', async (name, code) => {
  await expect(resolve(name)).rejects.toMatchObject({ code })
})

test('local names are not in DNS', async () => {
  await expect(resolve('localhost')).rejects.toMatchObject({ code: 'ENOTFOUND' })
  expect(await resolveLikeTheSystem('localhost')).toEqual(
    expect.arrayContaining([expect.stringMatching(/^127\.|^::1$/)]),
  )
})

test('DNS answers are checked, partial ones too, and a late answer makes no connection', async () => {
  await using listener = await new RawServer().start()
  listener.answer = (socket) => socket.write(http('ok'))
  const outbound = createOutbound({ resolvePublic: resolve })
  const url = (name: string) => `http://${name}.example.com:${listener.port}/`
  const rules = { ...publicOnly(), schemes: ['http:'], ports: undefined }
  const strict = outbound.public('strict', rules)
  for (const name of ['four', 'six', 'mixed', 'both'])
    await expect(strict.send({ method: 'GET', url: url(name) })).rejects.toMatchObject({ outcome: 'refused_address' })
  await expect(strict.send({ method: 'GET', url: url('unknown') })).rejects.toMatchObject({ outcome: 'no_connection' })
  const hasty = outbound.public('hasty', rules, { connectMs: 100 })
  await expect(hasty.send({ method: 'GET', url: url('silent') })).rejects.toMatchObject({
    outcome: 'deadline_connect',
  })
  expect(listener.connections).toBe(0)
  const lifted = outbound.public('lifted', anywhere)
  expect(await lifted.send({ method: 'GET', url: url('four') })).toMatchObject({ status: 200 })
  await outbound.close()
})
