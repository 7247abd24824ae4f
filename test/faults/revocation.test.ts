import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { expectRefusal } from '../harness/client.ts'
import { createTestDatabase, type TestDatabase } from '../harness/database.ts'
import { type Link, openLink, watch } from '../harness/link.ts'
import { demo, makeKeyFile, type ServerNode, startNode, until } from '../harness/processes.ts'

/** Node 1 makes the changes; node 2 reaches the database over a link that can fail. */
let database: TestDatabase
let link: Link
let node1: ServerNode
let node2: ServerNode
let sql: pg.Client

/** The promise: no node accepts a token for longer than this after its revocation was answered. */
const promisedMs = 1000

beforeAll(async () => {
  database = await createTestDatabase()
  link = await openLink(database)
  sql = new pg.Client(database.url)
  await sql.connect()
  const SECRETS_FILE = await makeKeyFile()
  ;[node1, node2] = await Promise.all([
    startNode({ env: { DATABASE_URL: database.url, SECRETS_FILE } }),
    startNode({ env: { DATABASE_URL: link.url, SECRETS_FILE } }),
  ])
})

afterEach(() => link.pass())
afterAll(() => sql.end())

interface Session {
  readonly token: string
  readonly id: string
}

async function signIn(): Promise<Session> {
  const { data } = await node1.a.post('/a/v1/auth/login', { body: demo })
  const sessions = await node1.a.get('/a/v1/auth/sessions', { token: data.accessToken })
  const { id } = sessions.data.find((session: { current: boolean }) => session.current)
  return { token: data.accessToken, id }
}

const me = (node: ServerNode, token: string) => node.a.get('/a/v1/auth/me', { token })
const isServed = async (node: ServerNode, token: string) => (await me(node, token)).status === 200

interface Try {
  readonly sentAt: number
  readonly tookMs: number
  readonly status: number
  readonly code: string | undefined
}

/** Asks node 2 who the token is, over and over on four connections, until it is called off. */
function hammer(token: string): { tries: Try[]; callOff(): Promise<void> } {
  const tries: Try[] = []
  let on = true
  const loops = Array.from({ length: 4 }, async () => {
    while (on) {
      const sentAt = performance.now()
      const { status, body } = await me(node2, token)
      tries.push({ sentAt, tookMs: performance.now() - sentAt, status, code: body.error?.code })
      await wait(5)
    }
  })
  return {
    tries,
    async callOff() {
      on = false
      await Promise.all(loops)
    },
  }
}

/** Revokes in the middle of the hammering, and says what was answered before and after the promised second. */
async function hammerWhile(token: string, { revoke, afterMs }: { revoke: () => Promise<unknown>; afterMs: number }) {
  const { tries, callOff } = hammer(token)
  await until(async () => tries.filter(({ status }) => status === 200).length >= 20, 'twenty good answers')
  await revoke()
  const revokedAt = performance.now()
  await wait(afterMs)
  await callOff()
  const late = tries.filter(({ sentAt }) => sentAt >= revokedAt + promisedMs)
  return {
    tries,
    late,
    lateStatuses: [...new Set(late.map(({ status }) => status))],
    statuses: new Set(tries.map(({ status }) => status)),
    lastSuccessMs: Math.max(...tries.filter(({ status }) => status === 200).map(({ sentAt }) => sentAt - revokedAt)),
  }
}

const end = (session: Session, by: Session) => node1.a.delete(`/a/v1/auth/sessions/${session.id}`, { token: by.token })

async function revokeKey(sandboxKey: string): Promise<void> {
  const { data } = await me(node1, sandboxKey)
  await sql.query('begin')
  await sql.query('update api_keys set revoked_at = now() where id = $1', [data.apiKey.id])
  await sql.query('insert into auth_changes (subject) values ($1)', [`key:${data.apiKey.id}`])
  await sql.query('commit')
}

const keyOf = async (node: ServerNode): Promise<string> => (await node.said(/API key {2}(\S+)/))[1] as string

describe('a session that was ended on one node', () => {
  test('is refused there at once, and on another node within a second', async () => {
    const [kept, ended] = [await signIn(), await signIn()]
    const { late, lateStatuses, lastSuccessMs, statuses } = await hammerWhile(ended.token, {
      async revoke() {
        expect((await end(ended, kept)).status).toBe(200)
        expectRefusal(await me(node1, ended.token), 'auth.token_invalid')
      },
      afterMs: 1300,
    })
    expect(lastSuccessMs).toBeLessThan(promisedMs)
    expect(late.length).toBeGreaterThan(0)
    expect(lateStatuses).toEqual([401])
    expect(statuses).toEqual(new Set([200, 401]))
    expect(await isServed(node2, kept.token)).toBe(true)
  })

  test('is refused within a second by a node that no longer hears of changes: it asks the database', async () => {
    const [kept, ended] = [await signIn(), await signIn()]
    const { lateStatuses, lastSuccessMs, statuses } = await hammerWhile(ended.token, {
      async revoke() {
        expect(link.connections().filter(watch)).toHaveLength(1)
        link.blackhole(watch)
        await end(ended, kept)
      },
      afterMs: 1300,
    })
    expect(lastSuccessMs).toBeLessThan(promisedMs)
    expect(lateStatuses).toEqual([401])
    expect(statuses).toEqual(new Set([200, 401]))
    expect(await isServed(node2, kept.token)).toBe(true)
  })

  test('is refused within a second by a node whose listening connection breaks again and again', async () => {
    const [kept, ended] = [await signIn(), await signIn()]
    const { lateStatuses, lastSuccessMs, statuses } = await hammerWhile(ended.token, {
      async revoke() {
        link.cut(watch)
        await end(ended, kept)
      },
      afterMs: 1300,
    })
    expect(lastSuccessMs).toBeLessThan(promisedMs)
    expect(lateStatuses).toEqual([401])
    expect(statuses).toEqual(new Set([200, 401]))
    link.pass()
    expect(await isServed(node2, kept.token)).toBe(true)
  })

  test.each([
    // A hole is noticed when the patience of a query ends, 12 s; then the answer must come.
    { fault: 'blackhole', afterMs: 1500, longestMs: 13_500 },
    { fault: 'cut', afterMs: 1500, longestMs: 6_000 },
  ] as const)(
    'is not served by a node without a database ($fault), which comes back by itself',
    async ({ fault, afterMs, longestMs }) => {
      const [kept, ended] = [await signIn(), await signIn()]
      expect(await isServed(node2, kept.token)).toBe(true)
      const { late, lateStatuses, lastSuccessMs, tries } = await hammerWhile(ended.token, {
        async revoke() {
          link[fault]()
          await end(ended, kept)
        },
        afterMs,
      })
      expect(lastSuccessMs).toBeLessThan(promisedMs)
      const unserved = tries.filter(({ status }) => status !== 200)
      expect(unserved.length).toBeGreaterThan(0)
      expect(new Set(unserved.map(({ status, code }) => `${status} ${code}`))).toEqual(new Set(['503 DEP001']))
      expect(Math.max(...unserved.map(({ tookMs }) => tookMs))).toBeLessThan(longestMs)
      if (fault === 'cut') expect(late.length).toBeGreaterThan(0)
      expect(lateStatuses).not.toContain(200)

      link.pass()
      await until(() => isServed(node2, kept.token), 'node 2 back at work')
      expectRefusal(await me(node2, ended.token), 'auth.token_invalid')
    },
  )
})

describe('an API key that was revoked', () => {
  test('is refused within a second by a node that was told of nothing, from its look at the log', async () => {
    const key = await keyOf(node1)
    const { lateStatuses, lastSuccessMs, statuses } = await hammerWhile(key, {
      revoke: () => revokeKey(key),
      afterMs: 1300,
    })
    expect(lastSuccessMs).toBeLessThan(promisedMs)
    expect(lateStatuses).toEqual([401])
    expect(statuses).toEqual(new Set([200, 401]))
  })

  test('is refused within a second by a node without a link', async () => {
    const key = await keyOf(node2)
    const { lateStatuses, lastSuccessMs } = await hammerWhile(key, {
      async revoke() {
        link.cut()
        await revokeKey(key)
      },
      afterMs: 1300,
    })
    expect(lastSuccessMs).toBeLessThan(promisedMs)
    expect(lateStatuses).toEqual([503])
  })
})
