import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { formA } from '../../server/src/http/form-a/index.ts'
import { tooBusy } from '../../server/src/platform/operations/turns-of-tenants.ts'
import { type Client, createClient } from './client.ts'

let client: Client
let requests: string[] = []
let answers: ((response: ServerResponse) => void)[] = []
const server = createServer(async (request, response) => {
  let text = ''
  for await (const part of request) text += part
  requests.push(`${request.method} ${request.url} ${text}`)
  response.setHeader('x-request-id', 'r1').setHeader('ratelimit-limit', '1').setHeader('retry-after', '0')
  response.setHeader('content-type', 'application/json')
  answers.shift()?.(response)
})
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  client = createClient(formA, `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
afterAll(() => new Promise<unknown>((resolve) => server.close(resolve)))
beforeEach(() => {
  requests = []
})

const saying = (status: number, message: string) => (response: ServerResponse) =>
  void response.writeHead(status).end(JSON.stringify({ error: { message } }))
const send = () => client.post('/elsewhere', { body: { n: 1 } })

test('a write that waited too long behind others of its organisation is sent again', async () => {
  const busy = saying(503, tooBusy().message)
  answers = [busy, busy, saying(201, '')]
  expect((await send()).status).toBe(201)
  expect(requests).toEqual(Array(3).fill('POST /elsewhere {"n":1}'))
})

test('any other 503 is given to the test', async () => {
  answers = [saying(503, 'The database is away.')]
  expect((await send()).status).toBe(503)
  expect(requests).toHaveLength(1)
})
