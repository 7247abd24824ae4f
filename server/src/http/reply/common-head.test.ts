import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyReply } from 'fastify'
import { expect, test } from 'vitest'
import { CommonHead, sayRequestId, setLimitHeaders } from './common-head.ts'

const head = new CommonHead({ 'cache-control': 'no-store', 'x-frame-options': 'DENY' })

/** The headers with which an answer leaves, each as often as it was sent. */
async function sentBy(answer: (response: ServerResponse) => void): Promise<string[]> {
  const server = createServer({ ServerResponse: head.Response }, (_, response) => {
    response.sendDate = false
    response.shouldKeepAlive = false
    answer(response)
    response.end()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  const { headers } = await fetch(`http://127.0.0.1:${port}/`)
  server.close()
  return [...headers]
    .map((pair) => pair.join(': '))
    .filter((line) => !/^(connection|content-length|transfer-encoding)/.test(line))
}

test.each([
  ['nothing was said of it', () => {}],
  ['it was begun by hand', (response: ServerResponse) => response.writeHead(200)],
  ['it may have no body', (response: ServerResponse) => response.writeHead(304)],
])('a reply has these headers if %s', async (_, answer) =>
  expect(await sentBy(answer)).toEqual(['cache-control: no-store', 'x-frame-options: DENY']),
)

test.each([
  ['all at once', (response: ServerResponse) => response.writeHead(200, { 'cache-control': 'public', etag: '"1"' })],
  [
    'one by one',
    (response: ServerResponse) => response.setHeader('Cache-Control', 'public').setHeader('ETag', '"1"').writeHead(200),
  ],
])('a reply with its own header, %s, has that header once', async (_, answer) =>
  expect(await sentBy(answer)).toEqual(['cache-control: public', 'etag: "1"', 'x-frame-options: DENY']),
)

test('a reply has its request id and the rate limit of the caller', async () => {
  const standing = { allowed: true, limit: 60, remaining: 59, resetSeconds: 7 }
  const sent = await sentBy((raw) => {
    sayRequestId({ raw } as FastifyReply, 'r-1')
    setLimitHeaders({ raw } as FastifyReply, standing)
  })
  expect(sent).toEqual([
    'cache-control: no-store',
    'ratelimit-limit: 60',
    'ratelimit-remaining: 59',
    'ratelimit-reset: 7',
    'x-frame-options: DENY',
    'x-request-id: r-1',
  ])
})
