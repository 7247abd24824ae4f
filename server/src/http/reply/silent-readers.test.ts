import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { eventually } from '../../../../test/harness/eventually.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ silenceMs: 1_000 })
})
afterAll(() => app.close())

const request = 'GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'

test('a client that does not read its reply is disconnected', async () => {
  const before = await app.connections()
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1')
  socket.on('error', () => {})
  socket.pause()
  // More than the buffers of the machine take.
  socket.write(request.repeat(20))
  await eventually(async () => expect(await app.connections()).toBe(before + 1))
  await eventually(async () => expect(await app.connections()).toBe(before))
  socket.destroy()
})

test('a client that reads slowly gets the whole reply', async () => {
  const response = await fetch(`${app.url}/openapi.json`, { headers: { 'accept-encoding': 'identity' } })
  let read = 0
  for await (const piece of response.body ?? []) {
    read += (piece as Uint8Array).length
    await wait(5)
  }
  expect(read).toBe(Number(response.headers.get('content-length')))
})
