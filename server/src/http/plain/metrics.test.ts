import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { origin, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { systemCaller } from '../../kernel/callers.ts'
import { newId } from '../../kernel/ids.ts'
import type { Consumer } from '../../platform/background/consumer.ts'
import { startConsumers } from '../../platform/background/consumers.ts'
import { operation } from '../../platform/operations/operation.ts'
import { formA } from '../form-a/index.ts'
import { createServer } from '../server/server.ts'
import { serveMetrics } from './metrics.ts'

const limits = { key: 1_000, session: 1_000, address: 1_000, login: 1_000, organisation: 1_000_000 }
let app: TestApp
let url: string
let close: () => Promise<unknown>

beforeAll(async () => {
  app = await startTestApp()
  const { runtime, runner } = app
  const server = createServer([formA], {
    runtime,
    runner,
    config: { limits },
    trustProxy: undefined,
    secureOrigin: false,
  })
  serveMetrics(server, runtime.db, { open: true, token: undefined }, [])
  await server.listen({ host: '127.0.0.1', port: 0 })
  url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  close = () => server.close()
})
afterAll(async () => {
  await close()
  await app.close()
})

/** The metrics of one consumer. */
const failuresOf = async (consumer: string): Promise<number | undefined> => {
  const text = await (await fetch(`${url}/metrics`)).text()
  const [, figure] = new RegExp(`^risiti_consumer_failures{consumer="${consumer}"} (\\d+)$`, 'm').exec(text) ?? []
  return figure === undefined ? undefined : Number(figure)
}

test('metrics show the consecutive failures of each consumer, until it succeeds', async () => {
  const { organisationId } = await app.person()
  let isBroken = true
  const consumer = (name: string, take: Consumer['take']): Consumer => ({
    name,
    on: ['role.deleted'],
    pool: 'work',
    startsAt: 'now',
    batchSize: 10,
    restMs: 1,
    take,
  })
  const readers = startConsumers(
    [
      consumer('sound', async () => {}),
      consumer('stumbling', async () => {
        if (isBroken) throw new Error('not now')
      }),
    ],
    app.runtime,
    () => ({ runtime: app.runtime, runner: app.runner, deadlineMs: 30_000 }),
  )
  try {
    await eventually(async () => expect([await failuresOf('sound'), await failuresOf('stumbling')]).toEqual([0, 0]))
    const telling = operation({ needs: [], refuses: [] }, async ({ emit }) => {
      emit('role.deleted', { organisationId, objectId: newId() }, { name: 'Clerk' })
    })
    await app.runner.run(telling, { caller: systemCaller, origin, input: undefined })
    await eventually(async () => expect(await failuresOf('stumbling')).toBeGreaterThan(1))
    expect(await failuresOf('sound')).toBe(0)
    isBroken = false
    await eventually(async () => expect(await failuresOf('stumbling')).toBe(0))
  } finally {
    await readers.stop()
  }
})

test('replies are timed by method, route and status', async () => {
  const before = await (await fetch(`${url}/metrics`)).text()
  expect(before).toContain('# TYPE risiti_http_request_seconds histogram')
  await (await fetch(`${url}/metrics`)).text()
  const text = await (await fetch(`${url}/metrics`)).text()
  const labels = 'method="GET",route="/metrics",status="200"'
  expect(text).toMatch(new RegExp(`^risiti_http_request_seconds_count{${labels}} \\d+$`, 'm'))
  for (const bound of ['0.002', '0.25', '10', '+Inf'])
    expect(text).toContain(`risiti_http_request_seconds_bucket{le="${bound}",${labels}}`)
})

test('the text ends with a line break and has no empty line, as Prometheus reads it', async () => {
  const text = await (await fetch(`${url}/metrics`)).text()
  expect(text).toMatch(/[^\n]\n$/)
  expect(text).not.toContain('\n\n')
})

test.each([
  [{ open: true, token: undefined }, undefined, 200],
  [{ open: false, token: undefined }, undefined, 404],
  [{ open: false, token: undefined }, 'undefined', 404],
  [{ open: true, token: 'a-token-of-many-letters' }, undefined, 404],
  [{ open: false, token: 'a-token-of-many-letters' }, 'a-wrong-one-altogether', 404],
  [{ open: false, token: 'a-token-of-many-letters' }, 'a-token-of-many-letters', 200],
])('with access %j, a request with the token %s gets %i', async (access, token, status) => {
  const { runtime, runner } = app
  const server = createServer([formA], {
    runtime,
    runner,
    config: { limits },
    trustProxy: undefined,
    secureOrigin: false,
  })
  serveMetrics(server, runtime.db, access, [])
  const headers = { host: '127.0.0.1', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) }
  expect((await server.inject({ url: '/metrics', headers })).statusCode).toBe(status)
  await server.close()
})
