import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp, testVault } from '../../../../test/harness/app.ts'
import { type Client, expectRefusal, type Reply } from '../../../../test/harness/client.ts'
import { createTestDatabase } from '../../../../test/harness/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { createRateLimiter } from '../../platform/limits/rate-limits.ts'

/** Limit of the operator per key. */
const usual = 60
let here: TestApp
let there: TestApp
/** Time of both nodes, at noon, so that no window ends during a test. */
const noon = (Math.floor(Date.now() / 86_400_000) + 1.5) * 86_400_000
let wallClock = noon + 12_000

beforeAll(async () => {
  const [database, vault] = [await createTestDatabase(), testVault()]
  const node = async (limits = {}) => {
    const app = await startTestApp({ database, vault, limits })
    Object.assign(app.runtime, { limiter: createRateLimiter(app.runtime.db, () => wallClock) })
    return app
  }
  ;[here, there] = await Promise.all([node({ key: usual }), node({ key: usual })])
})
afterAll(() => Promise.all([here.close(), there.close()]))

const keys = '/a/v1/organizations/me/api-keys'
const me = (client: Client, token: string) => client.get('/a/v1/auth/me', { token })

describe('how many keys an organisation has', () => {
  const create = (client: Client, { token }: { token: string }) =>
    client.post(keys, { token, body: { name: 'One more', mode: 'sandbox' } })
  const rotate = ({ token }: { token: string }, id: string, gracePeriodSeconds: number) =>
    here.a.post(`${keys}/${id}/rotate`, { token, body: { gracePeriodSeconds } })

  /** Working keys, and as many of every kind that does not work. */
  async function fill({ organisationId }: Person, usable: number): Promise<void> {
    const now = here.clock.now()
    const past = new Date(now.getTime() - 1)
    const future = new Date(now.getTime() + 1)
    for (const [expiresAt, stopsAt, revokedAt] of [
      [null, null, null],
      [past, null, null],
      [null, past, null],
      [future, future, past],
    ])
      await here.runtime.db.run(sql`
        insert into api_keys (organisation_id, id, mode, name, key_hash, hint, capabilities, created_at, expires_at, stops_at, revoked_at)
        select ${organisationId}, gen_random_uuid(), 'sandbox', 'Filler', gen_random_uuid()::text, '', '{}', ${now}, ${expiresAt}, ${stopsAt}, ${revokedAt}
          from generate_series(1, ${usable}::int)`)
  }
  const usable = async (who: Person) => {
    const total = async (status: string) =>
      (await here.a.get(`${keys}?status=${status}`, who)).body.meta.pagination.total as number
    return (await total('active')) + (await total('rotating'))
  }

  test('is at most a hundred active ones', async () => {
    const owner = await here.person()
    await fill(owner, 99)
    const last = await create(here.a, owner)
    expect(last.status).toBe(201)
    for (const client of [here.a, here.b]) {
      const refused = await create(client, owner)
      expectRefusal(refused, 'key.too_many')
      expect([refused.status, refused.body.error.code]).toEqual([409, 'BIZ004'])
    }
    expect((await create(here.a, await here.person())).status).toBe(201)
    await here.a.patch(`${keys}/${last.data.id}/revoke`, owner)
    expect((await create(here.b, owner)).status).toBe(201)
  })

  test('holds for concurrent creations on two nodes', async () => {
    const owner = await here.person()
    await fill(owner, 97)
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, index) => create([here.a, there.a, here.b, there.b][index % 4] as Client, owner)),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409, 409, 409, 409])
    expect(await usable(owner)).toBe(100)
  })

  test('holds for rotations during the grace period', async () => {
    const owner = await here.person()
    await fill(owner, 98)
    const { id } = (await create(here.a, owner)).data
    const { current } = (await rotate(owner, id, 60)).data
    expect(await usable(owner)).toBe(100)
    expectRefusal(await rotate(owner, current.id, 60), 'key.too_many')
    expect((await here.a.get(`${keys}/${current.id}`, owner)).data).toMatchObject({ status: 'active', stopsAt: null })
    expect((await rotate(owner, current.id, 0)).status).toBe(200)
    expect(await usable(owner)).toBe(100)
  })
})

describe('how often a key may call', () => {
  const minute = 60
  /** A key with limits of its own. */
  async function limitedKey(rateLimit?: object): Promise<string> {
    const { token } = await here.person()
    const body = { mode: 'sandbox', ...(rateLimit && { rateLimit }) }
    return (await here.b.post(keys, { token, body })).data.key
  }
  const callMany = (apps: readonly TestApp[], token: string, times: number): Promise<Reply[]> =>
    Promise.all(
      Array.from({ length: times }, (_, index) =>
        me((apps[index % apps.length] as TestApp).client(index % 3 ? 'A' : 'B'), token),
      ),
    )
  const served = (replies: readonly Reply[]) => replies.filter(({ status }) => status === 200).length
  function expectLimited(reply: Reply, limit: number, seconds: number): void {
    expectRefusal(reply, 'limit.exceeded')
    expect([reply.status, reply.body.error.code]).toEqual([429, 'RATE001'])
    const headers = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'retry-after']
    expect(headers.map((name) => Number(reply.headers.get(name)))).toEqual([limit, 0, seconds, seconds])
  }

  test('is the lower of its own limit and the operator’s', async () => {
    const wishes = [
      [undefined, usual],
      [{ requestsPerMinute: usual + 40 }, usual],
      [{ requestsPerMinute: 1_000_000, dailyQuota: 1_000_000_000 }, usual],
      [{ dailyQuota: 1_000_000_000 }, usual],
      [{ requestsPerMinute: 1 }, 1],
    ] as const
    for (const [wish, limit] of wishes) {
      const key = await limitedKey(wish)
      expect(served(await callMany([here], key, usual + 40)), JSON.stringify(wish)).toBe(limit)
      expectLimited(await me(here.a, key), limit, 48)
    }
  })

  test('stays the same after a rotation', async () => {
    const owner = await here.person()
    const body = { mode: 'sandbox', rateLimit: { requestsPerMinute: 1_000_000 } }
    const { id } = (await here.b.post(keys, { token: owner.token, body })).data
    const { current } = (await here.b.post(`${keys}/${id}/rotate`, { token: owner.token, body: {} })).data
    expect(served(await callMany([here], current.key, usual + 40))).toBe(usual)
  })

  test('counts the key and its tokens together', async () => {
    const key = await limitedKey({ requestsPerMinute: 4 })
    const { accessToken } = (await here.b.post('/a/v1/auth/token', { token: key })).data
    expect(served(await callMany([here], accessToken, 2))).toBe(2)
    expect(served(await callMany([here], key, 3))).toBe(1)
    expectLimited(await me(here.a, accessToken), 4, 48)
  })

  test.each([20, 60])(
    'a limit of %i a minute is exceeded on two nodes by at most one lease per node',
    async (limit) => {
      const key = await limitedKey({ requestsPerMinute: limit })
      const total = served(await callMany([here, there], key, limit * 2))
      expect(total).toBeGreaterThanOrEqual(limit)
      expect(total).toBeLessThanOrEqual(limit + 2 * (limit / 20))
      for (const app of [here, there]) expectLimited(await me(app.a, key), limit, 48)
      wallClock += minute * 1000
      expect(served(await callMany([here], key, 1))).toBe(1)
    },
  )

  test('a daily quota is exceeded on two nodes by at most one lease per node, until midnight', async () => {
    const key = await limitedKey({ dailyQuota: 20 })
    const total = served(await callMany([here, there], key, 40))
    expect(total).toBeGreaterThanOrEqual(20)
    expect(total).toBeLessThanOrEqual(22)
    const untilMidnight = (noon + 43_200_000 - wallClock) / 1000
    for (const app of [here, there]) expectLimited(await me(app.a, key), 20, untilMidnight)
    wallClock += minute * 1000
    expectLimited(await me(here.b, key), 20, untilMidnight - minute)
  })

  test('minutes and days are counted separately, and the tighter limit is shown', async () => {
    wallClock = noon + 6 * 3600_000 + 12_000
    const key = await limitedKey({ requestsPerMinute: 10, dailyQuota: 25 })
    const shown = async () => {
      const { status, headers } = await me(here.a, key)
      return [status, ...['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`ratelimit-${name}`)))]
    }
    const untilMidnight = () => (noon + 43_200_000 - wallClock) / 1000
    expect(await shown()).toEqual([200, 10, 9, 48])
    expect(served(await callMany([here], key, 15))).toBe(9)
    expectLimited(await me(here.a, key), 10, 48)

    // A request that the limit per minute refused did not count for the day.
    wallClock += minute * 1000
    expect(served(await callMany([here], key, 15))).toBe(10)
    wallClock += minute * 1000
    expect(await shown()).toEqual([200, 25, 4, untilMidnight()])
    expect(served(await callMany([here], key, 8))).toBe(4)
    expectLimited(await me(here.a, key), 25, untilMidnight())
    wallClock += minute * 1000
    expectLimited(await me(here.a, key), 25, untilMidnight())
    wallClock = noon + 43_200_000
    expect(await shown()).toEqual([200, 10, 9, 60])
  })
})

describe('all keys of an organisation together', () => {
  let bounded: TestApp
  beforeAll(async () => {
    bounded = await startTestApp({ limits: { key: 8, session: 8, organisation: 10 } })
    Object.assign(bounded.runtime, { limiter: createRateLimiter(bounded.runtime.db, () => wallClock) })
  })
  afterAll(() => bounded.close())

  test.each(['A', 'B'] as const)(
    'have a common limit, in Form %s, which does not affect other organisations',
    async (form) => {
      const [own, other] = [await bounded.person(), await bounded.person()]
      const client = bounded.client(form)
      const ask = async ({ organisationId }: Person, times: number): Promise<number[]> => {
        const token = await bounded.key(organisationId)
        const statuses: number[] = []
        for (let nth = 0; nth < times; nth++) statuses.push((await me(client, token)).status)
        return statuses
      }
      expect(await ask(own, 6)).toEqual(Array(6).fill(200))
      expect(await ask(own, 6)).toEqual([...Array(4).fill(200), 429, 429])
      expect(await ask(own, 1)).toEqual([429])
      expect(await ask(other, 1)).toEqual([200])
      // People are counted separately, so that a runaway program does not lock them out.
      expect((await me(client, own.token)).status).toBe(200)
    },
  )

  test('the sessions of its people have a limit together', async () => {
    const own = await bounded.person()
    const members = [
      own,
      await bounded.member(own.organisationId, 'VIEWER'),
      await bounded.member(own.organisationId, 'VIEWER'),
    ]
    const statuses: number[] = []
    for (const { token } of members)
      for (let nth = 0; nth < 4; nth++) statuses.push((await me(bounded.a, token)).status)
    expect(statuses).toEqual([...Array(10).fill(200), 429, 429])
  })
})
