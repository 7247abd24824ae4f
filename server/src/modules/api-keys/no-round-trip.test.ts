import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp, testVault } from '../../../../test/harness/app.ts'
import { expectRefusal } from '../../../../test/harness/client.ts'
import { createTestDatabase } from '../../../../test/harness/database.ts'
import { createRateLimiter } from '../../platform/limits/rate-limits.ts'

let here: TestApp
let there: TestApp
beforeAll(async () => {
  const [database, vault] = [await createTestDatabase(), testVault()]
  ;[here, there] = await Promise.all([startTestApp({ database, vault }), startTestApp({ database, vault })])
})
afterAll(() => Promise.all([here.close(), there.close()]))

const keys = '/a/v1/organizations/me/api-keys'
const promisedMs = 1000
const me = (app: TestApp, token: string) => app.a.get('/a/v1/auth/me', { token })

/** Repeats a request until it succeeds. Returns whether one sent within the promised time did. */
async function withinPromise(ask: () => Promise<boolean>): Promise<boolean> {
  const began = performance.now()
  for (;;) {
    const sentAfterMs = performance.now() - began
    if (await ask()) return true
    if (sentAfterMs >= promisedMs) return false
    await wait(10)
  }
}

test('once the key is cached, 200 requests take no database connection', async () => {
  const { organisationId } = await here.person()
  const key = await here.key(organisationId)
  const { db } = here.runtime
  // No minute ends while we count.
  Object.assign(here.runtime, { limiter: createRateLimiter(db, () => 1_800_000_000_000) })
  const { accessToken } = (await here.a.post('/a/v1/auth/token', { token: key })).data
  for (const token of [key, accessToken]) expect((await me(here, token)).status).toBe(200)
  await expect.poll(() => db.pool.idleCount === db.pool.totalCount).toBe(true)

  let taken = 0
  const count = () => taken++
  db.pool.on('acquire', count)
  // A busy machine may confirm its cache too late and then queries, as it should. So some rounds may fail.
  for (let round = 0; round === 0 || (taken > 0 && round < 5); round++) {
    taken = 0
    for (let request = 0; request < 200; request++)
      expect((await me(here, request % 2 ? key : accessToken)).status).toBe(200)
  }
  expect(taken).toBe(0)
  // Proves that the counter can count.
  await here.a.get(`/a/v1/organizations/${organisationId}`, { token: key })
  db.pool.off('acquire', count)
  expect(taken).toBeGreaterThan(0)
})

test.each(['A', 'B'] as const)(
  'a key that is revoked on one node in form %s is refused by another within a second',
  async (form) => {
    const owner = await here.person()
    const body = { name: 'Server', mode: 'sandbox' }
    const { id, key } = (await here.client(form).post(keys, { token: owner.token, body })).data
    const { accessToken } = (await there.a.post('/a/v1/auth/token', { token: key })).data
    for (const token of [key, accessToken]) expect((await me(there, token)).status).toBe(200)
    expect((await here.client(form).patch(`${keys}/${id}/revoke`, owner)).status).toBe(200)
    for (const token of [key, accessToken]) expectRefusal(await me(here, token), 'auth.token_invalid')
    for (const token of [key, accessToken])
      expect(await withinPromise(async () => (await me(there, token)).status === 401)).toBe(true)
  },
)

test('changed capabilities of a key take effect on another node within a second', async () => {
  const owner = await here.person()
  const body = { name: 'Server', mode: 'sandbox', preset: 'invoicing' }
  const { id, key } = (await here.a.post(keys, { token: owner.token, body })).data
  const { accessToken } = (await there.a.post('/a/v1/auth/token', { token: key })).data
  expect((await me(there, key)).data.capabilities).toContain('invoice.create')
  expect((await me(there, accessToken)).status).toBe(200)
  const capabilities = ['item.read']
  await here.a.put(`${keys}/${id}/capabilities`, { token: owner.token, body: { capabilities } })
  expectRefusal(await me(here, accessToken), 'auth.token_outdated')
  const inForce = async () => (await me(there, key)).data.capabilities.join() === 'item.read'
  expect(await withinPromise(inForce)).toBe(true)
  expect(await withinPromise(async () => (await me(there, accessToken)).status === 401)).toBe(true)
  expectRefusal(await me(there, accessToken), 'auth.token_outdated')
})
