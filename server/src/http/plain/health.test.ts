import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { capturedLog, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { Unavailable } from '../reply/unavailable.ts'
import { countReadiness } from '../request/counting.ts'
import { createServer } from '../server/server.ts'
import { serveHealth } from './health.ts'

const limits = { key: 100, session: 100, address: 60, login: 100, organisation: 1_000_000 }
const captured = capturedLog()
const unavailable = new Unavailable(captured.log)
let app: TestApp
let url: string
let close: () => Promise<unknown>
const asked = { database: 0, authority: 0 }
const isAway = { database: false, authority: false }
let hold = Promise.withResolvers<void>()
hold.resolve()
const check = (name: keyof typeof asked) => async () => {
  asked[name]++
  await hold.promise
  if (isAway[name]) throw new Error('away')
}

beforeAll(async () => {
  app = await startTestApp()
  const { runtime, runner } = app
  const parts = { runtime, runner, config: { limits }, trustProxy: { hops: 1 }, secureOrigin: false, unavailable }
  const { formA } = await import('../form-a/index.ts')
  const server = createServer([formA], parts)
  serveHealth(
    server,
    [
      { name: 'database', check: check('database') },
      { name: 'authority', check: check('authority'), optional: true },
    ],
    { admit: (request, reply) => countReadiness(request, reply, parts) },
  )
  await server.listen({ host: '127.0.0.1', port: 0 })
  url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  close = () => server.close()
})
afterAll(async () => {
  await close()
  await app.close()
})
beforeEach(() => Object.assign(asked, { database: 0, authority: 0 }))

const ready = (address: string) => fetch(`${url}/ready`, { headers: { 'x-forwarded-for': address } })

test('fifty sequential requests make one query to outside parties', async () => {
  for (let at = 0; at < 50; at++) expect((await ready(`203.0.113.${at}`)).status).toBe(200)
  expect(asked).toEqual({ database: 50, authority: 1 })
})

test('concurrent requests share the check of our own parts', async () => {
  hold = Promise.withResolvers()
  const replies = Array.from({ length: 50 }, (_, at) => ready(`203.0.113.${at}`))
  await expect.poll(() => asked.database).toBe(1)
  // All of them have come when one more, that does not wait, was answered.
  for (let at = 0; at < 5; at++) await fetch(`${url}/health`)
  hold.resolve()
  expect((await Promise.all(replies)).map(({ status }) => status)).toEqual(Array(50).fill(200))
  expect(asked.database).toBeLessThanOrEqual(5)
  expect(asked.authority).toBe(0)
})

test('the state of our own parts is never cached', async () => {
  Object.assign(isAway, { database: true, authority: true })
  const response = await ready('203.0.113.1')
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2'])
  expect(await response.json()).toMatchObject({
    status: 'not ready',
    checks: { database: 'cannot be reached', authority: 'ok' },
    error: { code: 'DEP001', message: 'Not ready: database cannot be reached.' },
  })
  expect(asked).toEqual({ database: 1, authority: 0 })
  await expect.poll(unavailable.metrics).toContain('{cause="not ready: database"} 1\n')
  expect(captured.text()).toContain('"reason":"not ready: database"')
})

test('requests are counted by address, separately from other routes', async () => {
  const statuses: number[] = []
  for (let times = 0; times < 62; times++) statuses.push((await ready('198.51.100.1')).status)
  expect(statuses.filter((status) => status === 429)).toHaveLength(2)
  const refused = await ready('198.51.100.1')
  expect([refused.status, refused.headers.get('ratelimit-remaining')]).toEqual([429, '0'])
  expect((await ready('198.51.100.2')).status).not.toBe(429)
  const other = await fetch(`${url}/a/v1/auth/me`, { headers: { 'x-forwarded-for': '198.51.100.1' } })
  expect(other.status).toBe(401)
})

test('a failing rate limiter does not block health checks', async () => {
  const { limiter } = app.runtime
  Object.assign(app.runtime, { limiter: { ...limiter, take: () => Promise.reject(new Error('gone')) } })
  const response = await ready('198.51.100.1')
  Object.assign(app.runtime, { limiter })
  expect([200, 503]).toContain(response.status)
  expect(await response.json()).toHaveProperty('checks')
})
