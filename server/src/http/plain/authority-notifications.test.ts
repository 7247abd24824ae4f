import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ limits: { address: 1 } })
})
afterAll(() => app.close())

test('endless callbacks from one address are refused before their body is read', async () => {
  const ring = (body: string) =>
    fetch(`${app.url}/notifications/authority/NG/sandbox`, { method: 'POST', body, headers: { accept: '*/*' } })
  // A minute may end meanwhile, and another one begin.
  let heard = 0
  for (; heard < 20 && (await ring('{"irn":"A1-94ND90NR-20261115"}')).status === 200; heard++);
  expect(heard).toBeGreaterThanOrEqual(10)
  expect(heard).toBeLessThan(20)
  const refused = await ring('<html>')
  expect([refused.status, refused.headers.get('ratelimit-limit')]).toEqual([429, '10'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  // Others are counted apart.
  expect((await fetch(`${app.url}/notifications/paystack`, { method: 'POST' })).status).not.toBe(429)
})
