import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { type Client, expectRefusal } from '../../../../test/harness/client.ts'
import { createTestDatabase } from '../../../../test/harness/database.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { createRateLimiter, type LimitState, type RateLimit, type RateLimiter } from './rate-limits.ts'
import { WindowShelf } from './window-shelf.ts'

let db: Database
beforeAll(async () => {
  db = openDatabase({ connection: (await createTestDatabase()).url })
})
afterAll(() => db.end())

/** Twelve seconds into a minute that stands still. */
const minute = Date.parse('2026-05-04T10:20:00Z')
const start = minute + 12_000
const at = () => start

const limitOf = (perWindow: number, windowSeconds = 60): RateLimit => ({
  subject: `test:${randomUUID()}`,
  perWindow,
  windowSeconds,
})
const takeMany = (limiters: readonly RateLimiter[], limit: RateLimit, times: number): Promise<LimitState[]> =>
  Promise.all(
    Array.from(
      { length: times },
      async (_, index) => await (limiters[index % limiters.length] as RateLimiter).take(limit),
    ),
  )
const allowed = (standings: readonly LimitState[]) => standings.filter((standing) => standing.allowed).length

async function takeInTurn(limiter: RateLimiter, limit: RateLimit, times: number): Promise<LimitState[]> {
  const standings: LimitState[] = []
  for (let taken = 0; taken < times; taken++) standings.push(await limiter.take(limit))
  return standings
}

describe('one node', () => {
  test.each([1, 3, 19, 20, 21, 100, 600])('a limit of %i is exact under concurrency', async (perWindow) => {
    const [limit, limiter] = [limitOf(perWindow), createRateLimiter(db, at)]
    expect(allowed(await takeMany([limiter], limit, perWindow * 3))).toBe(perWindow)
    expect(allowed(await takeMany([limiter], limit, 10))).toBe(0)
  })

  test('sequential requests are counted exactly, with the number left and the remaining time', async () => {
    const [limit, limiter] = [limitOf(40), createRateLimiter(db, at)]
    const standings = await takeInTurn(limiter, limit, 45)
    const expected = Array.from({ length: 45 }, (_, index) => ({
      allowed: index < 40,
      limit: 40,
      remaining: Math.max(0, 39 - index),
      resetSeconds: 48,
    }))
    expect(standings).toEqual(expected)
  })

  test('a check does not count', async () => {
    const [limit, limiter] = [limitOf(3), createRateLimiter(db, at)]
    const standing = { allowed: true, limit: 3, remaining: 3, resetSeconds: 48 }
    expect([limiter.peek(limit), limiter.peek(limit)]).toEqual([standing, standing])
    await limiter.take(limit)
    expect([limiter.peek(limit), limiter.peek(limit)]).toEqual(Array(2).fill({ ...standing, remaining: 2 }))
    expect(allowed(await takeInTurn(limiter, limit, 5))).toBe(2)
    expect(limiter.peek(limit).remaining).toBe(0)
  })

  test('subjects and windows are counted separately', async () => {
    const limiter = createRateLimiter(db, at)
    const limit = limitOf(5)
    const others = [limitOf(5), { ...limit, windowSeconds: 86_400 }]
    await takeMany([limiter], limit, 10)
    for (const other of others) expect(allowed(await takeMany([limiter], other, 10))).toBe(5)
    expect(limiter.peek(others[1] as RateLimit).resetSeconds).toBe((24 * 60 - 10 * 60 - 20) * 60 - 12)
  })

  test('a new window starts afresh, at its boundary and not before', async () => {
    let now = start
    const [limit, limiter] = [limitOf(10), createRateLimiter(db, () => now)]
    expect(allowed(await takeMany([limiter], limit, 20))).toBe(10)
    now = minute + 59_999
    expect(await limiter.take(limit)).toEqual({ allowed: false, limit: 10, remaining: 0, resetSeconds: 1 })
    now = minute + 60_000
    expect(limiter.peek(limit)).toEqual({ allowed: true, limit: 10, remaining: 10, resetSeconds: 60 })
    expect(allowed(await takeMany([limiter], limit, 20))).toBe(10)
    now += 10 * 60_000
    expect(await limiter.take(limit)).toMatchObject({ allowed: true, remaining: 9 })
  })

  test('most requests cost no round trip', async () => {
    const [limit, limiter] = [limitOf(1000), createRateLimiter(db, at)]
    const answers = Array.from({ length: 50 }, () => limiter.take(limit))
    expect(answers.every((answer) => !(answer instanceof Promise))).toBe(true)
  })

  test('a database failure reaches the caller, and afterwards the count is exact', async () => {
    let broken = true
    const flaky = {
      ...db,
      one: ((statement) => (broken ? Promise.reject(new Error('gone')) : db.one(statement))) as Database['one'],
    }
    const [limit, limiter] = [limitOf(20), createRateLimiter(flaky, at)]
    expect(await limiter.take(limit)).toMatchObject({ allowed: true })
    await expect(takeMany([limiter], limit, 5)).rejects.toThrow('gone')
    broken = false
    expect(allowed(await takeMany([limiter], limit, 60))).toBeGreaterThanOrEqual(19)
    expect(allowed(await takeMany([limiter], limit, 10))).toBe(0)
  })
})

describe('very many subjects at once', () => {
  /** Keeps the books as the database does, for a hundred thousand at a time. */
  function bookkeeper(): { db: Database; booked: Map<string, number> } {
    const booked = new Map<string, number>()
    const one = async (statement: Parameters<Database['one']>[0]) => {
      const [subject, , amount] = statement.values as [string, Date, number]
      const used = (booked.get(subject) ?? 0) + amount
      booked.set(subject, used)
      return { used }
    }
    return { db: { ...db, one: one as Database['one'] }, booked }
  }
  const crowd = (limiter: RateLimiter, many: number, name: string) => {
    for (let at = 0; at < many; at++) void limiter.take({ subject: `${name}:${at}`, perWindow: 60, windowSeconds: 60 })
  }

  // On a limiter that looks through all windows for one to forget, this takes minutes.
  test('a subject that leaves the cache gains at most one lease', async () => {
    const { db: books } = bookkeeper()
    const [limiter, limit] = [createRateLimiter(books, at), limitOf(60)]
    expect(allowed(await takeInTurn(limiter, limit, 70))).toBe(60)
    crowd(limiter, 99_999, 'some')
    expect(allowed(await takeInTurn(limiter, limit, 10))).toBe(0)
    crowd(limiter, 200_000, 'others')
    expect(allowed(await takeInTurn(limiter, limit, 100))).toBeLessThanOrEqual(3)
    expect(allowed(await takeInTurn(limiter, limit, 100))).toBe(0)
  })

  test('windows of a minute do not evict windows of a day', async () => {
    const { db: books } = bookkeeper()
    const [limiter, limit] = [createRateLimiter(books, at), limitOf(60, 86_400)]
    expect(allowed(await takeInTurn(limiter, limit, 70))).toBe(60)
    crowd(limiter, 150_000, 'others')
    expect(allowed(await takeInTurn(limiter, limit, 10))).toBe(0)
  })
})

describe('a cache of windows', () => {
  const window = (subject: string, end: number) => ({ subject, end })

  test('holds a limited number, and removes the oldest', () => {
    const shelf = new WindowShelf<{ subject: string; end: number }>(3)
    for (const subject of ['a', 'b', 'c', 'd', 'e']) shelf.put(window(subject, 60), 0)
    expect(['a', 'b', 'c', 'd', 'e'].map((subject) => shelf.find(subject)?.subject)).toEqual([
      undefined,
      undefined,
      'c',
      'd',
      'e',
    ])
    expect(shelf.size).toBe(3)
  })

  test('removes ended windows, but not their successors', () => {
    const shelf = new WindowShelf<{ subject: string; end: number }>(100)
    for (let at = 0; at < 50; at++) shelf.put(window(`s${at}`, 60), 0)
    const again = window('s0', 120)
    shelf.put(again, 60)
    for (let at = 100; at < 130; at++) shelf.put(window(`s${at}`, 120), 60)
    expect(shelf.find('s0')).toBe(again)
    expect(shelf.find('s49')).toBeUndefined()
    expect(shelf.size).toBe(31)
  })
})

describe('two nodes on one database', () => {
  test.each([20, 100, 600])('a limit of %i is exceeded by at most one lease per node', async (perWindow) => {
    const limit = limitOf(perWindow)
    const nodes = [createRateLimiter(db, at), createRateLimiter(db, at)]
    const total = allowed(await takeMany(nodes, limit, perWindow * 3))
    const lease = Math.max(1, Math.floor(perWindow / 20))
    expect(total).toBeGreaterThanOrEqual(perWindow)
    expect(total).toBeLessThanOrEqual(perWindow + 2 * lease)
    expect(allowed(await takeMany(nodes, limit, 20))).toBe(0)
  })

  test('a node that starts after the limit is reached admits at most one lease', async () => {
    const limit = limitOf(100)
    const [first, second] = [createRateLimiter(db, at), createRateLimiter(db, at)]
    expect(allowed(await takeMany([first], limit, 150))).toBe(100)
    expect(allowed(await takeMany([second], limit, 50))).toBeLessThanOrEqual(5)
    expect(second.peek(limit).remaining).toBe(0)
  })

  test('nodes that run from the start admit exactly the limit', async () => {
    const limit = limitOf(100)
    const [first, second] = [createRateLimiter(db, at), createRateLimiter(db, at)]
    await takeInTurn(second, limit, 1)
    // The second node's knowledge is old when it takes more: it gives back what it was granted too much.
    const total = 1 + allowed(await takeInTurn(first, limit, 120)) + allowed(await takeInTurn(second, limit, 50))
    expect(total).toBe(100)
  })

  test('the usage of one node shows in the figures of the other', async () => {
    const limit = limitOf(100)
    const [first, second] = [createRateLimiter(db, at), createRateLimiter(db, at)]
    await takeInTurn(first, limit, 60)
    const standings = await takeInTurn(second, limit, 8)
    expect(standings.at(-1)?.remaining).toBeLessThanOrEqual(40)
  })

  test('nearly the whole limit is available through one node', async () => {
    const limit = limitOf(100)
    const [first, second] = [createRateLimiter(db, at), createRateLimiter(db, at)]
    await takeInTurn(second, limit, 1)
    // The idle node holds at most two leases.
    expect(allowed(await takeInTurn(first, limit, 120))).toBeGreaterThanOrEqual(90)
  })

  test('exact counting is exact', async () => {
    const limit = limitOf(10)
    const nodes = [createRateLimiter(db, at), createRateLimiter(db, at)]
    const standings = await Promise.all(Array.from({ length: 40 }, (_, index) => nodes[index % 2]?.takeExactly(limit)))
    const granted = standings.filter((standing) => standing?.allowed)
    expect(granted.map((standing) => standing?.remaining).sort((a, b) => Number(b) - Number(a))).toEqual([
      9, 8, 7, 6, 5, 4, 3, 2, 1, 0,
    ])
    expect(standings.filter((standing) => !standing?.allowed).every((standing) => standing?.remaining === 0)).toBe(true)
    expect(standings.every((standing) => standing?.limit === 10 && standing.resetSeconds === 48)).toBe(true)
  })

  test('exact counting restarts with the window', async () => {
    let now = start
    const limit = limitOf(2)
    const limiter = createRateLimiter(db, () => now)
    const take = async () => (await limiter.takeExactly(limit)).allowed
    expect([await take(), await take(), await take()]).toEqual([true, true, false])
    now = minute + 60_000
    expect([await take(), await take(), await take()]).toEqual([true, true, false])
  })
})

describe('over HTTP', () => {
  const shown = (reply: Awaited<ReturnType<Client['get']>>) =>
    ['ratelimit-limit', 'ratelimit-remaining'].map((name) => Number(reply.headers.get(name)))

  function expectLimited(reply: Awaited<ReturnType<Client['get']>>, limit: number): void {
    expectRefusal(reply, 'limit.exceeded')
    expect([reply.status, reply.body.error.code, ...shown(reply)]).toEqual([429, 'RATE001', limit, 0])
    const wait = Number(reply.headers.get('retry-after'))
    expect(wait).toBeGreaterThanOrEqual(1)
    expect(wait).toBeLessThanOrEqual(60)
    expect(reply.headers.get('ratelimit-reset')).toBe(String(wait))
  }

  async function withApp(body: (app: TestApp) => Promise<void>): Promise<void> {
    const app = await startTestApp({ limits: { address: 5, session: 4, key: 3 } })
    // One minute for all of it: none ends in the middle of a test, however slow the machine is.
    Object.assign(app.runtime, { limiter: createRateLimiter(app.runtime.db, () => start) })
    try {
      await body(app)
    } finally {
      await app.close()
    }
  }

  test('an address without a token has one limit for both forms and all routes', async () => {
    await withApp(async (app) => {
      const { a, b } = app
      const replies = [
        await a.get('/a/v1/auth/me'),
        await b.get('/nowhere'),
        await a.get('/a/v1/auth/me', { token: 'nonsense' }),
        await b.post('/a/v1/auth/refresh', { body: {} }),
        await a.put('/a/v1/auth/me'),
      ]
      expect(replies.map(({ status }) => status)).toEqual([401, 404, 401, 400, 405])
      expect(replies.map(shown)).toEqual([4, 3, 2, 1, 0].map((left) => [5, left]))
      for (const client of [a, b])
        for (const path of ['/a/v1/auth/me', '/nowhere']) expectLimited(await client.get(path), 5)
      // Others are not concerned, and pages for people do not count.
      const { token } = await app.person()
      expect((await a.get('/a/v1/auth/me', { token })).status).toBe(200)
      expect((await fetch(`${app.url}/docs`)).status).toBe(429)
      expect((await fetch(`${app.url}/docs/reference.js`)).status).toBe(200)
    })
  })

  test.each([
    ['session', 4],
    ['key', 3],
  ])('each %s has its own limit, over both forms', async (kind, limit) => {
    await withApp(async (app) => {
      const bearer = async () => {
        const person = await app.person()
        return kind === 'session' ? person.token : await app.key(person.organisationId)
      }
      const [token, another] = [await bearer(), await bearer()]
      for (let left = limit - 1; left >= 0; left--) {
        const reply = await app.client(left % 2 === 0 ? 'A' : 'B').get('/a/v1/auth/me', { token })
        expect([reply.status, ...shown(reply)]).toEqual([200, limit, left])
      }
      for (const client of [app.a, app.b]) expectLimited(await client.get('/a/v1/auth/me', { token }), limit)
      expect((await app.a.get('/a/v1/auth/me', { token: another })).status).toBe(200)
      expect((await app.a.get('/a/v1/auth/me')).status).toBe(401)
    })
  })
})
