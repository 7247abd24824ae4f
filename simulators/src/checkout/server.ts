import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { type Fault, slowMs } from './faults.ts'
import { jsonReply, type Reply, type Request, readRequest, writeReply } from './http.ts'

export interface RequestRecord {
  readonly method: string
  /** without the query */
  readonly path: string
  /** 0 when nothing was answered */
  readonly status: number
}

/** Who answers what; found by how the path begins. */
interface Parts {
  readonly apis: Readonly<Record<string, (request: Request) => Reply>>
  pages(request: Request): Reply
  fault(): Fault | undefined
  record(request: RequestRecord): void
}

export interface Listening {
  readonly url: string
  close(): Promise<void>
}

const nonsense: Reply = {
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: '<!doctype html><title>Welcome</title><p>It works!</p>',
}

export async function listen(port: number, parts: Parts): Promise<Listening> {
  const closing = new AbortController()
  const server = createServer(async (message, response) => {
    try {
      await answer(await readRequest(message), response, parts, closing.signal)
    } catch (error) {
      if (!response.headersSent && !response.destroyed)
        writeReply(response, jsonReply(500, { error: { message: `the simulator failed: ${error}` } }))
    }
  })
  await new Promise<void>((listening, failed) => {
    server.once('error', failed)
    server.listen(port, '127.0.0.1', listening)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      closing.abort()
      const closed = new Promise((done) => server.close(done))
      server.closeAllConnections()
      await closed
    },
  }
}

async function answer(request: Request, response: ServerResponse, parts: Parts, closing: AbortSignal): Promise<void> {
  const [, first = ''] = request.path.split('/')
  const api = parts.apis[first]
  if (api === undefined) return writeReply(response, parts.pages(request))
  const { method, path } = request
  const reply = await underFault(parts.fault(), () => api(request), closing)
  parts.record({ method, path, status: typeof reply === 'string' ? 0 : reply.status })
  if (reply === 'reset') response.socket?.resetAndDestroy()
  else if (reply !== 'nothing') writeReply(response, reply)
}

async function underFault(
  fault: Fault | undefined,
  work: () => Reply,
  closing: AbortSignal,
): Promise<Reply | 'reset' | 'nothing'> {
  if (fault === 'down') return 'reset'
  if (fault === 'nonsense') return nonsense
  const reply = work()
  if (fault === 'late_reply') return 'nothing'
  if (fault === 'error_after')
    return jsonReply(500, {
      status: false,
      message: 'An error occurred',
      error: { type: 'api_error', message: 'An error occurred' },
    })
  if (fault === 'slow') await pause(slowMs, undefined, { signal: closing })
  return reply
}
