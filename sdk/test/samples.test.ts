import { expect, test } from 'vitest'
import { formA } from '../../server/src/http/form-a/index.ts'
import { formB } from '../../server/src/http/form-b/index.ts'
import { openApiOf } from '../../server/src/http/openapi/index.ts'
import { javascript, sampleOf } from '../../server/src/http/reference/samples.ts'
import { groupsOf } from '../../server/src/http/reference/served-operations.ts'
import type { FetchInit } from '../src/fetch.ts'
import { Risiti as RisitiB } from '../src/form-b.ts'
import { type ClientOptions, Risiti } from '../src/index.ts'

const AsyncFunction = (async () => {}).constructor as new (...text: string[]) => (risiti: unknown) => Promise<unknown>

test.each([
  [formA, Risiti],
  [formB, RisitiB],
] as const)('the samples of the reference send with this client what they send with curl', async (form, Client) => {
  const answer = { meta: { pagination: { page: 1, limit: 20, total: 0, totalPages: 0 } }, data: [] }
  const served = groupsOf(openApiOf(form)).flatMap((group) => group.served)
  expect(served.length).toBeGreaterThan(150)
  for (const one of served) {
    const sample = sampleOf(one, form)
    const sent: { path: string; init: FetchInit }[] = []
    class Watched extends (Client as new (options: ClientOptions) => object) {
      constructor({ apiKey }: ClientOptions) {
        super({
          baseUrl: 'http://localhost',
          ...(apiKey ? { apiKey: 'sk_test_1' } : {}),
          fetch: async (url, init) => {
            sent.push({ path: url.slice('http://localhost'.length), init })
            const headers = { get: (name: string) => (name === 'content-type' ? 'application/json' : null) }
            return { status: 200, headers, text: async () => JSON.stringify(answer) }
          },
        })
      }
    }
    const program = javascript(one, sample).replace(/^import .*$/m, '')
    await new AsyncFunction('Risiti', program)(Watched)
    const [request, ...others] = sent
    const { operationId } = one.operation
    expect([operationId, others]).toEqual([operationId, []])
    expect([operationId, request?.init.method, request?.path]).toEqual([operationId, sample.method, sample.path])
    expect(request?.init.body && JSON.parse(request.init.body)).toEqual(sample.body)
    expect(Object.keys(request?.init.headers ?? {})).toEqual(
      expect.arrayContaining(sample.headers.map(([name]) => name.toLowerCase()).filter((name) => name !== 'if-match')),
    )
  }
})
