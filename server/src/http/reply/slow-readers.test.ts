import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { eventually } from '../../../../test/harness/eventually.ts'

let app: TestApp
const readWithinMs = 2_000
beforeAll(async () => {
  // Silent connections have their usual 40 s: a connection that ends earlier was slow.
  app = await startTestApp({ readWithinMs })
})
afterAll(() => app.close())

const page = 'GET /docs HTTP/1.1\r\nHost: localhost\r\n\r\n'

test('a client that would read for hours is disconnected', async () => {
  const before = await app.connections()
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1')
  socket.on('error', () => {})
  socket.pause()
  socket.write(page.repeat(100))
  await eventually(async () => expect(await app.connections()).toBe(before + 1))
  let read = 0
  // Never silent: what it reads makes room for more.
  const reading = setInterval(() => {
    read += (socket.read() as Buffer | null)?.length ?? 0
  }, 100)
  try {
    await eventually(async () => expect(await app.connections()).toBe(before))
  } finally {
    clearInterval(reading)
    socket.destroy()
  }
  expect(read).toBeGreaterThan(0)
})

test('a client with many replies stays connected for any time', async () => {
  const { hostname, port } = new URL(app.url)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = () =>
    new Promise<{ size: number; isReused: boolean }>((resolve, reject) => {
      const asked = request({ hostname, port, path: '/docs', agent }, (reply) => {
        let size = 0
        reply.on('data', (piece: Buffer) => {
          size += piece.length
        })
        reply.on('end', () => resolve({ size, isReused: asked.reusedSocket }))
      })
      asked.on('error', reject).end()
    })
  const first = await ask()
  for (const until = performance.now() + 2 * readWithinMs; performance.now() < until; await wait(20))
    expect(await ask()).toEqual({ size: first.size, isReused: true })
  agent.destroy()
})
