import { afterAll, beforeAll, expect, test } from 'vitest'
import { StubServer } from '../../../test/harness/stub-server.ts'
import { createOutbound, type OutboundHttp } from '../platform/outbound/outbound-http.ts'
import { jurisdictions } from './jurisdictions.ts'
import { readServiceConfig } from './service-config.ts'

let authority: StubServer
let outbound: OutboundHttp
beforeAll(async () => {
  authority = await new StubServer().start()
  outbound = createOutbound()
})
afterAll(async () => {
  await outbound.close()
  await authority[Symbol.asyncDispose]()
})

test.each(['sandbox', 'live'] as const)('in %s mode documents do not wait behind requests of people', async (mode) => {
  authority.answer = ({ path }) => (path === '/api' ? { body: { healthy: true } } : undefined)
  const name = mode === 'live' ? 'NRS' : 'NRS_SANDBOX'
  const access = { [`${name}_BASE_URL`]: authority.url, [`${name}_API_KEY`]: 'key', [`${name}_API_SECRET`]: 'secret' }
  const served = jurisdictions(readServiceConfig({ PUBLIC_URL: 'http://risiti.test', ...access }, []), outbound)
  const people = new AbortController()
  // More than there are connections, and places to wait for one.
  const asked = Array.from({ length: 300 }, () =>
    served.authority('NG', mode)?.findTaxpayer('20198222-0002', people.signal),
  )
  const answered = Promise.allSettled(asked)
  expect(await served.authorityForWork('NG', mode)?.isHealthy(AbortSignal.timeout(5_000))).toBe(true)
  people.abort()
  expect((await answered).map(({ status }) => status)).not.toContain('fulfilled')
})
