import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/harness/app.ts'
import { closeServer } from './server.ts'

async function connected(url: string, text = ''): Promise<Socket> {
  const { port, hostname } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  await once(socket, 'connect')
  if (text) await new Promise((written) => socket.write(text, written))
  return socket
}

test('an idle connection does not delay the shutdown', async () => {
  const app = await startTestApp()
  const silent = await connected(app.url)
  // When a later connection is answered, the server has accepted the silent one.
  expect((await fetch(`${app.url}/a/v1/auth/me`)).status).toBe(401)
  await app.close()
  await expect.poll(() => silent.destroyed || silent.readableEnded || silent.closed).toBe(true)
})

test('an unfinished request delays the shutdown for a limited time', async () => {
  const server = Fastify()
  server.post('/', async () => 'done')
  const url = await server.listen({ port: 0, host: '127.0.0.1' })
  const slow = await connected(url, 'POST / HTTP/1.1\r\nhost: here\r\ncontent-length: 10\r\n\r\nhalf')
  const gone = once(slow, 'close')
  slow.resume()
  expect(await (await fetch(url, { method: 'POST' })).text()).toBe('done')
  await closeServer(server, 50)
  await gone
})
