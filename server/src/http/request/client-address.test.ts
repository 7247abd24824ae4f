import type { IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import type { TrustedProxies } from '../../platform/config.ts'
import { clientAddressReader } from './client-address.ts'

const hops = (count: number): TrustedProxies => ({ hops: count })
const networks = (...list: [address: string, prefix: number][]): TrustedProxies => ({
  networks: list.map(([address, prefix]) => ({ address, prefix })),
})
const inside = networks(['10.0.0.0', 8], ['fd00::', 8])

const addressOf = (proxies: TrustedProxies | undefined, neighbour: string | undefined, said?: string) =>
  clientAddressReader(proxies)({
    socket: { remoteAddress: neighbour },
    headers: said === undefined ? {} : { 'x-forwarded-for': said },
  } as unknown as IncomingMessage)

describe('the address of a request', () => {
  test.each<[string, TrustedProxies | undefined, string | undefined, string | undefined, string]>([
    ['nobody is trusted: who speaks to us', undefined, '198.51.100.1', '203.0.113.9', '198.51.100.1'],
    ['nobody is trusted, wrapped IPv4', undefined, '::ffff:198.51.100.1', undefined, '198.51.100.1'],
    ['nobody is trusted, a link-local neighbour', undefined, 'fe80::1%eth0', undefined, 'fe80::1'],
    ['a socket without an address', undefined, undefined, undefined, ''],
    ['one proxy: the last it says', hops(1), '10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['one proxy: not what the client said before', hops(1), '10.0.0.1', '8.8.8.8, 203.0.113.9', '203.0.113.9'],
    ['one proxy that says nothing', hops(1), '10.0.0.1', undefined, '10.0.0.1'],
    ['one proxy over a socket without an address', hops(1), undefined, '203.0.113.9', '203.0.113.9'],
    ['two proxies', hops(2), '10.0.0.1', '8.8.8.8, 203.0.113.9, 10.0.0.2', '203.0.113.9'],
    ['more proxies than spoke', hops(9), '10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['a proxy of our network', inside, '10.1.2.3', '8.8.8.8,203.0.113.9', '203.0.113.9'],
    ['several of them', inside, '10.1.2.3', '8.8.8.8,203.0.113.9, fd00::7,10.9.9.9', '203.0.113.9'],
    ['a wrapped one', inside, '::ffff:10.1.2.3', '203.0.113.9', '203.0.113.9'],
    ['nobody but ours', inside, '10.1.2.3', '10.1.2.4', '10.1.2.4'],
    ['a stranger, whatever it says', inside, '198.51.100.1', '203.0.113.9', '198.51.100.1'],
    ['a stranger who names one of ours', inside, '198.51.100.1', '203.0.113.9, 10.0.0.1', '198.51.100.1'],
    ['IPv6 in one spelling', hops(1), '10.0.0.1', '2001:DB8:0:0::0001', '2001:db8::1'],
    ['wrapped IPv4 in the header', hops(1), '10.0.0.1', '::ffff:203.0.113.9', '203.0.113.9'],
    ['no address: the one before counts', hops(1), '10.0.0.1', '8.8.8.8"><b>', '10.0.0.1'],
    ['no address behind a good one', hops(2), '10.0.0.1', 'unknown, 203.0.113.9', '203.0.113.9'],
    ['an address with a port is none', hops(1), '10.0.0.1', '203.0.113.9:4711', '10.0.0.1'],
    ['an empty header', hops(1), '10.0.0.1', '', '10.0.0.1'],
    ['commas only', hops(3), '10.0.0.1', ',,,', '10.0.0.1'],
  ])('%s', (_, proxies, neighbour, said, expected) => {
    expect(addressOf(proxies, neighbour, said)).toBe(expected)
  })
})

describe('over HTTP, behind one proxy', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp({ trustProxy: hops(1), limits: { address: 1_000_000 } })
  })
  afterAll(() => app.close())

  const remaining = async (path: string, said: string) => {
    const response = await fetch(`${app.url}${path}`, { headers: { 'x-forwarded-for': said } })
    return Number(response.headers.get('ratelimit-remaining'))
  }

  test.each(['/a/v1/auth/me', '/form-b/a/v1/auth/me', '/nowhere'])(
    '%s counts the address that the proxy names',
    async (path) => {
      const mine = `203.0.113.${path.length}`
      const first = await remaining(path, mine)
      // What the caller says about itself changes nothing, and an address that is none is the proxy's matter.
      const more = [
        await remaining(path, `8.8.8.8, ${mine}`),
        await remaining(path, `9.9.9.9, ${mine}`),
        await remaining(path, `::ffff:${mine}`),
      ]
      expect(more).toEqual([first - 1, first - 2, first - 3])
      expect(await remaining(path, `198.51.100.${path.length}`)).toBe(first)
    },
  )

  test('all addresses of a /64 count as one, in any spelling', async () => {
    const first = await remaining('/nowhere', '2001:db8::1')
    const others = ['2001:DB8:0:0:9::1', '2001:db8::8:7:6:5', '2001:0db8:0000:0000:0000:0000:0000:0002']
    const left: number[] = []
    for (const other of others) left.push(await remaining('/nowhere', other))
    expect(left).toEqual([first - 1, first - 2, first - 3])
    expect(await remaining('/nowhere', '2001:db8:0:1::1')).toBe(first)
  })

  test('the audit log shows valid addresses only', async () => {
    const { token, organisationId } = await app.person()
    const rename = (name: string, said: string) =>
      app.a.patch('/a/v1/organizations/me', { token, body: { name }, headers: { 'x-forwarded-for': said } })
    expect((await rename('One', '8.8.8.8, 203.0.113.77')).status).toBe(200)
    expect((await rename('Two', '8.8.8.8"><b>')).status).toBe(200)
    const { rows } = await app.runtime.db.pool.query<{ address: string }>(
      `select address from events where organisation_id = $1 and type = 'organization.updated' order by id`,
      [organisationId],
    )
    expect(rows.map(({ address }) => address)).toEqual(['203.0.113.77', '127.0.0.1'])
  })
})
