import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { expectRefusal } from '../../../../test/harness/client.ts'
import { newKeyText } from '../../modules/api-keys/key-text.ts'
import { createRateLimiter } from '../../platform/limits/rate-limits.ts'

const perMinute = 5
let app: TestApp
/** how often the database was asked about a key */
let asked = 0
beforeAll(async () => {
  app = await startTestApp({ limits: { address: perMinute }, trustProxy: { hops: 1 } })
  const { authentication, db } = app.runtime
  Object.assign(app.runtime, {
    // One minute for all of it: none ends in the middle of a test, however slow the machine is.
    limiter: createRateLimiter(db, () => 1_800_000_000_000),
    authentication: {
      ...authentication,
      authenticate: (token: string) => {
        asked++
        return authentication.authenticate(token)
      },
    },
  })
})
afterAll(() => app.close())

let networks = 0
const somewhere = () => `203.0.113.${++networks}`
const me = (token: string, address: string, form: 'A' | 'B' = 'A') =>
  app.client(form).get('/a/v1/auth/me', { token, headers: { 'x-forwarded-for': address } })

describe.each(['A', 'B'] as const)('a well-formed unknown token, in Form %s', (form) => {
  test('is looked up only within the limit of its address', async () => {
    const address = somewhere()
    asked = 0
    const replies = []
    for (let times = 0; times < 4 * perMinute; times++) replies.push(await me(newKeyText('sandbox'), address, form))
    for (const reply of replies.slice(0, perMinute)) expectRefusal(reply, 'auth.token_invalid')
    for (const reply of replies.slice(perMinute)) expectRefusal(reply, 'limit.exceeded')
    expect(asked).toBe(perMinute)
  })

  test('is looked up only within the limit for concurrent requests too', async () => {
    const address = somewhere()
    asked = 0
    const replies = await Promise.all(Array.from({ length: 50 }, () => me(newKeyText('sandbox'), address, form)))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([401, 429]))
    expect(asked).toBeLessThanOrEqual(perMinute)
  })
})

test('a known token is not blocked by guesses from the same network', async () => {
  const [address, { token }] = [somewhere(), await app.person()]
  const { authentication } = app.runtime
  const found = await authentication.authenticate(token)
  // A busy node forgets a token that nobody confirmed for a second. This one stays known.
  const recall: typeof authentication.recall = (asked) => (asked === token ? found : authentication.recall(asked))
  Object.assign(app.runtime, { authentication: { ...authentication, recall } })
  for (let times = 0; times < 2 * perMinute; times++) await me(newKeyText('live'), address)
  expect((await me(token, address)).status).toBe(200)
  Object.assign(app.runtime, { authentication })
  // An uncached token looks like a guess.
  expectRefusal(await me((await app.person()).token, address), 'limit.exceeded')
  expect((await me((await app.person()).token, somewhere())).status).toBe(200)
})

test('valid tokens do not count against their network, however many are new', async () => {
  const address = somewhere()
  for (let times = 0; times < 3 * perMinute; times++)
    expect((await me((await app.person()).token, address)).status).toBe(200)
})

test('a failed lookup does not count as a guess', async () => {
  const [address, { token }] = [somewhere(), await app.person()]
  const { authentication } = app.runtime
  const away = () => Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }))
  Object.assign(app.runtime, { authentication: { ...authentication, authenticate: away } })
  for (let times = 0; times < 3 * perMinute; times++)
    expectRefusal(await me(newKeyText('live'), address), 'dependency.unavailable')
  Object.assign(app.runtime, { authentication })
  expect((await me(token, address)).status).toBe(200)
})
