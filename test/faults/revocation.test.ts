import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { expectRefusal } from '../harness/client.ts'
import { createTestDatabase, type TestDatabase } from '../harness/database.ts'
import { type Link, openLink, watch } from '../harness/link.ts'
import { demo, makeKeyFile, type ServerNode, startNode, until } from '../harness/processes.ts'

/** Node 1 makes the changes. Nodes 2 and 3 reach the database over a link that can fail. */
let database: TestDatabase
let link: Link
let linkOfNode3: Link
let node1: ServerNode
let node2: ServerNode
let node3: ServerNode
let sql: pg.Client

/** Invariant: no node accepts a token for longer than this after the reply to its revocation. */
const promisedMs = 1000

beforeAll(async () => {
  database = await createTestDatabase()
  link = await openLink(database)
  linkOfNode3 = await openLink(database)
  sql = new pg.Client(database.url)
  await sql.connect()
  const SECRETS_FILE = await makeKeyFile()
  const urls = [database.url, link.url, linkOfNode3.url]
  const nodes = await Promise.all(urls.map((DATABASE_URL) => startNode({ env: { DATABASE_URL, SECRETS_FILE } })))
  ;[node1, node2, node3] = nodes as [ServerNode, ServerNode, ServerNode]
})

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

interface TimedReply {
  readonly sentAt: number
  readonly tookMs: number
  readonly status: number
  readonly code: string | undefined
}

/** Asks a node for the token's owner on four connections, some hundred times per second, until `callOff`. */
function hammer(node: ServerNode, token: string): { tries: TimedReply[]; callOff(): Promise<void> } {
  const tries: TimedReply[] = []
  let on = true
  const loops = Array.from({ length: 4 }, async () => {
    while (on) {
      const sentAt = performance.now()
      const { status, body } = await me(node, token)
      tries.push({ sentAt, tookMs: performance.now() - sentAt, status, code: body.error?.code })
      await wait(20)
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

/** Revokes the token during the requests. Returns the replies before and after the promised second. */
async function hammerWhile(
  node: ServerNode,
  token: string,
  { revoke, afterMs }: { revoke: () => Promise<unknown>; afterMs: number },
) {
  const { tries, callOff } = hammer(node, token)
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

/** Cuts a node's database off while a session ends. Afterwards the node must recover and know of the end. */
async function withoutDatabase(
  node: ServerNode,
  link: Link,
  { fault, longestMs }: { fault: 'blackhole' | 'cut'; longestMs: number },
): Promise<{ late: TimedReply[] }> {
  const [kept, ended] = [await signIn(), await signIn()]
  expect(await isServed(node, kept.token)).toBe(true)
  const { late, lateStatuses, lastSuccessMs, tries } = await hammerWhile(node, ended.token, {
    async revoke() {
      link[fault]()
      await end(ended, kept)
    },
    afterMs: 1500,
  })
  expect(lastSuccessMs).toBeLessThan(promisedMs)
  const unserved = tries.filter(({ status }) => status !== 200)
  expect(unserved.length).toBeGreaterThan(0)
  expect(new Set(unserved.map(({ status, code }) => `${status} ${code}`))).toEqual(new Set(['503 DEP001']))
  expect(Math.max(...unserved.map(({ tookMs }) => tookMs))).toBeLessThan(longestMs)
  expect(lateStatuses).not.toContain(200)

  link.pass()
  await until(() => isServed(node, kept.token), 'the node back at work')
  expectRefusal(await me(node, ended.token), 'auth.token_invalid')
  return { late }
}

const keyOf = async (node: ServerNode): Promise<string> => (await node.said(/API key {2}(\S+)/))[1] as string

// A black hole is noticed when the query timeout of 12 s ends, and then the reply must come. Other tests run meanwhile.
test.concurrent('a node whose packets are dropped does not serve an ended session, and recovers by itself', () =>
  withoutDatabase(node3, linkOfNode3, { fault: 'blackhole', longestMs: 13_500 }))

describe.concurrent('on a node with a failing network link,', () => {
  const inTurn = { concurrent: false }
  afterEach(() => link.pass())

  describe('a session that was ended on one node', inTurn, () => {
    test('is refused there at once, and on another node within a second', async () => {
      const [kept, ended] = [await signIn(), await signIn()]
      const { late, lateStatuses, lastSuccessMs, statuses } = await hammerWhile(node2, ended.token, {
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

    test('is refused within a second by a node without notifications: the node polls the database', async () => {
      const [kept, ended] = [await signIn(), await signIn()]
      const { lateStatuses, lastSuccessMs, statuses } = await hammerWhile(node2, ended.token, {
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

    test('is refused within a second by a node whose notification connection keeps breaking', async () => {
      const [kept, ended] = [await signIn(), await signIn()]
      const { lateStatuses, lastSuccessMs, statuses } = await hammerWhile(node2, ended.token, {
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

    test('is refused by a node without a database connection, which recovers by itself', async () => {
      const { late } = await withoutDatabase(node2, link, { fault: 'cut', longestMs: 6_000 })
      expect(late.length).toBeGreaterThan(0)
    })
  })

  describe('an API key that was revoked', inTurn, () => {
    test('is refused within a second by a node that got no notification and polls the log', async () => {
      const key = await keyOf(node1)
      const { lateStatuses, lastSuccessMs, statuses } = await hammerWhile(node2, key, {
        revoke: () => revokeKey(key),
        afterMs: 1300,
      })
      expect(lastSuccessMs).toBeLessThan(promisedMs)
      expect(lateStatuses).toEqual([401])
      expect(statuses).toEqual(new Set([200, 401]))
    })

    test('is refused within a second by a node without a link', async () => {
      const key = await keyOf(node2)
      const { lateStatuses, lastSuccessMs } = await hammerWhile(node2, key, {
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
})
