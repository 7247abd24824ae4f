import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { nonsense, slowMs } from '../shared/faults.ts'
import { type Reply, type Request, type RequestRecord, readRequest, writeReply } from '../shared/http.ts'
import { type Listening, listen } from '../shared/listen.ts'
import { Failure, failure, tryLater, unavailable } from './envelope.ts'
import { dripMs, type Fault } from './faults.ts'

interface Parts {
  api(request: Request): Reply
  fault(): Fault | undefined
  record(request: RequestRecord): void
  now(): Date
}

const mostBytes = 1_048_576

export const serve = (port: number, { api, fault: faultNow, record, now }: Parts): Promise<Listening> =>
  listen(port, async (message, response, closing) => {
    const request = await readRequest(message, mostBytes)
    const fault = faultNow()
    const reply = fault === 'down' ? undefined : replyUnder(fault, () => api(request))
    const answered = fault === 'silent' ? undefined : reply
    record({ method: request.method, path: request.path, status: answered?.status ?? 0 })
    if (fault === 'down') response.socket?.resetAndDestroy()
    if (answered) await deliver(response, withUsualHeaders(answered, now()), fault, closing)
  })

function replyUnder(fault: Fault | undefined, work: () => Reply): Reply {
  if (fault === 'nonsense') return nonsense
  if (fault === 'error') return failure(unavailable())
  if (fault === 'busy') return failure(new Failure(400, tryLater))
  return work()
}

const withUsualHeaders = (reply: Reply, now: Date): Reply => ({
  ...reply,
  headers: { 'cache-control': 'private', 'last-modified': now.toUTCString(), ...reply.headers },
})

async function deliver(
  response: ServerResponse,
  reply: Reply,
  fault: Fault | undefined,
  closing: AbortSignal,
): Promise<void> {
  if (fault === 'drip') return await drip(response, reply, closing)
  if (fault === 'slow') await pause(slowMs, undefined, { signal: closing })
  const { body } = reply
  writeReply(response, fault === 'truncated' ? { ...reply, body: body.slice(0, body.length / 2) } : reply)
}

async function drip(response: ServerResponse, { status, headers, body }: Reply, closing: AbortSignal): Promise<void> {
  const bytes = Buffer.from(body)
  response.writeHead(status, { ...headers, 'content-length': bytes.length })
  for (const byte of bytes) {
    if (response.destroyed) return
    response.write(Buffer.of(byte))
    await pause(dripMs, undefined, { signal: closing })
  }
  response.end()
}
