import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { sql } from '../../platform/database/sql.ts'

const mebibyte = 1024 * 1024

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({
    bodyBytes: 8 * mebibyte,
    limits: { address: 4 },
    checkout: true,
    authority: ['sandbox'],
    bank: true,
  })
})
afterAll(() => app.close())

const opened: Socket[] = []
afterEach(async () => {
  for (const socket of opened.splice(0)) socket.destroy()
  await eventually(async () => expect(app.bodyBytesHeld()).toBe(0))
})

interface Announcement {
  readonly path: string
  readonly token?: string
  readonly bytes: number
}

const headOf = ({ path, token, bytes }: Announcement) =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n` +
  `${token === undefined ? '' : `Authorization: Bearer ${token}\r\n`}\r\n`

/** Announces a body and sends nothing of it. */
function announce(...announced: Announcement[]): { socket: Socket; head: Promise<string> } {
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1')
  opened.push(socket)
  socket.on('error', () => {})
  socket.write(announced.map(headOf).join(''))
  return { socket, head: once(socket, 'data').then(([data]) => String(data)) }
}

const tokenOf = async () => (await app.person()).token

describe.each([
  ['A', ''],
  ['B', '/form-b'],
])('bodies in progress in Form %s', (_, prefix) => {
  const path = `${prefix}/i/v1/invoices`
  const large = (token: string) => announce({ path, token, bytes: 2 * mebibyte })

  test('are limited per organisation and in total before they are read, and small ones still fit', async () => {
    const tokens = await Promise.all([tokenOf(), tokenOf(), tokenOf(), tokenOf()])
    const [first = '', second = '', third = '', fourth = ''] = tokens
    large(first)
    await eventually(async () => expect(app.bodyBytesHeld()).toBe(2 * mebibyte))
    // Nothing of the body was sent, and the answer is there.
    const ofFirst = await large(first).head
    expect(ofFirst).toMatch(/^HTTP\/1\.1 429 .*retry-after: 5\r\n.*sending too much at the same time/is)
    large(second)
    await eventually(async () => expect(app.bodyBytesHeld()).toBe(4 * mebibyte))
    large(third)
    await eventually(async () => expect(app.bodyBytesHeld()).toBe(6 * mebibyte))
    expect(await large(fourth).head).toMatch(/^HTTP\/1\.1 503 .*retry-after: 5\r\n.*receiving too much/is)
    const small = await fetch(`${app.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${fourth}`, 'content-type': 'application/json' },
      body: JSON.stringify({ currency: 'x'.repeat(50_000) }),
    })
    expect(small.status).toBe(400)
  })

  test('of unknown length count as they arrive', async () => {
    const [greedy, other] = [await tokenOf(), await tokenOf()]
    large(greedy)
    await eventually(async () => expect(app.bodyBytesHeld()).toBe(2 * mebibyte))
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1')
    opened.push(socket)
    const answer = once(socket, 'data')
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n` +
        `Authorization: Bearer ${greedy}\r\n\r\n`,
    )
    const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`
    socket.write(chunk.repeat(24))
    expect(String((await answer)[0])).toMatch(/^HTTP\/1\.1 429 /)
    large(other)
    await eventually(async () => expect(app.bodyBytesHeld()).toBeGreaterThanOrEqual(4 * mebibyte))
  })

  test('free their bytes when their connection ends, also behind another request', async () => {
    const token = await tokenOf()
    const { socket } = announce({ path, token, bytes: mebibyte })
    await eventually(async () => expect(app.bodyBytesHeld()).toBe(mebibyte))
    socket.destroy()
    await eventually(async () => expect(app.bodyBytesHeld()).toBe(0))
    const body = '{}'
    const piped = connect(Number(new URL(app.url).port), '127.0.0.1')
    opened.push(piped)
    piped.write(headOf({ path, token, bytes: body.length }) + body + headOf({ path, token, bytes: mebibyte }))
    await eventually(async () => expect(app.bodyBytesHeld()).toBe(mebibyte))
    piped.destroy()
    await eventually(async () => expect(app.bodyBytesHeld()).toBe(0))
  })

  test('use no bytes if their connection ended before they were admitted', async () => {
    const { organisationId } = await app.person()
    const token = await app.key(organisationId)
    await app.runtime.db.transaction(async (tx) => {
      // The key is not known yet, and nobody can look it up.
      await tx.run(sql`lock table api_keys in access exclusive mode`)
      const { socket } = announce({ path, token, bytes: mebibyte })
      const waiting = sql`select count(*)::int as many from pg_locks where relation = 'api_keys'::regclass and not granted`
      await eventually(async () => expect(await tx.one(waiting)).toEqual({ many: 1 }))
      socket.destroy()
      // By the time that others are answered, the server knows that it is gone.
      for (let times = 0; times < 5; times++) await (await fetch(`${app.url}/health`)).arrayBuffer()
    })
    const asked = await fetch(`${app.url}${path}`, { headers: { authorization: `Bearer ${token}` } })
    expect(asked.status).toBe(200)
    expect(app.bodyBytesHeld()).toBe(0)
  })

  test('free their bytes after the reply', async () => {
    const token = await tokenOf()
    for (let times = 0; times < 12; times++) {
      const response = await fetch(`${app.url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: ' '.repeat(mebibyte),
      })
      expect(response.status).toBe(400)
      await response.arrayBuffer()
      await eventually(async () => expect(app.bodyBytesHeld()).toBe(0))
    }
  })
})

describe('notifications', () => {
  /** A minute may end meanwhile: as many as fit into two. */
  async function untilRefused(path: string, most: number): Promise<number> {
    for (let times = 0; times < most; times++) {
      const { socket, head } = announce({ path, bytes: 60_000 })
      const isHeld = eventually(async () => expect(app.bodyBytesHeld()).toBeGreaterThan(0)).then(() => 'held')
      const first = await Promise.race([head, isHeld])
      socket.destroy()
      await eventually(async () => expect(app.bodyBytesHeld()).toBe(0))
      if (first.includes(' 429 ')) return times
    }
    return expect.fail('it was never refused')
  }

  test.each([
    '/notifications/nobody',
    '/notifications/collection/nobody/live',
    '/notifications/authority/XX/live',
    '/notifications/authority/NG/none',
  ])('at the unknown path %s are refused before they are read', async (path) => {
    expect(await announce({ path, bytes: 60_000 }).head).toMatch(/^HTTP\/1\.1 (404|429) /)
    expect(app.bodyBytesHeld()).toBe(0)
  })

  test.each([
    '/notifications/paystack',
    '/notifications/stripe',
    '/notifications/collection/sandbox/sandbox',
    '/notifications/authority/NG/sandbox',
  ])('at %s are counted by address before they are read', async (path) => {
    expect(await untilRefused(path, 90)).toBeLessThanOrEqual(80)
  })
})
