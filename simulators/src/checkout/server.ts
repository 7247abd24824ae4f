import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { nonsense, slowMs } from '../shared/faults.ts'
import { jsonReply, type Reply, type Request, type RequestRecord, readRequest, writeReply } from '../shared/http.ts'
import { type ListeningServer, listen } from '../shared/listen.ts'
import type { Fault } from './faults.ts'

/** Who answers what; found by how the path begins. */
interface Parts {
  readonly apis: Readonly<Record<string, (request: Request) => Reply>>
  pages(request: Request): Reply
  fault(): Fault | undefined
  record(request: RequestRecord): void
}

const mostBytes = 1_000_000

export const serve = (port: number, parts: Parts): Promise<ListeningServer> =>
  listen(port, async (message, response, closing) => {
    try {
      await answer(await requestIn(message), response, parts, closing)
    } catch (error) {
      if (!response.headersSent && !response.destroyed)
        writeReply(response, jsonReply(500, { error: { message: `the simulator failed: ${error}` } }))
    }
  })

async function requestIn(message: IncomingMessage): Promise<Request> {
  const request = await readRequest(message, mostBytes)
  if (request.tooLong) throw new Error('the body is too long')
  // not the path as sent: `..` and whole addresses are understood, as browsers understand them
  const { pathname, searchParams } = new URL(message.url ?? '/', 'http://simulator')
  return { ...request, path: pathname, query: searchParams }
}

async function answer(request: Request, response: ServerResponse, parts: Parts, closing: AbortSignal): Promise<void> {
  const [, first = ''] = request.path.split('/')
  const api = Object.hasOwn(parts.apis, first) ? parts.apis[first] : undefined
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
