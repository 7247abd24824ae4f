import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { nonsense, slowMs } from '../shared/faults.ts'
import { type Reply, type Request, type RequestRecord, readRequest, writeReply } from '../shared/http.ts'
import { type ListeningServer, listen } from '../shared/listen.ts'
import type { Behaviour } from './behaviour.ts'
import { Failure, failure, tryLater, unavailable } from './envelope.ts'
import { dripMs, type Fault } from './faults.ts'
import type { RouteReply } from './routes.ts'

interface Parts {
  api(request: Request): RouteReply
  fault(): Fault | undefined
  /** resolves when the behaviour changes */
  otherwise(): Promise<void>
  behaviour(): Behaviour
  record(request: RequestRecord): void
  now(): Date
}

const mostBytes = 1_048_576

export const serve = (
  port: number,
  { api, fault: faultNow, otherwise, behaviour, record, now }: Parts,
): Promise<ListeningServer> =>
  listen(port, async (message, response, closing) => {
    const request = await readRequest(message, mostBytes)
    // Control routes always work, even during a fault.
    if (request.path.startsWith('/control/')) return writeReply(response, api(request))
    const { outage, latencyMs, ...shares } = behaviour()
    const fault = faultNow() ?? (outage ? 'down' : undefined)
    const released = otherwise()
    const reply =
      fault === 'down'
        ? undefined
        : changed(
            request,
            replyUnder(fault, () => api(request)),
            shares,
          )
    const { hangs, isCut, afterMs = 0 } = reply?.behaviour ?? {}
    const answered = fault === 'silent' || hangs || isCut ? undefined : reply
    record({ method: request.method, path: request.path, status: answered?.status ?? 0 })
    if (latencyMs + afterMs > 0) await pause(latencyMs + afterMs, undefined, { signal: closing })
    if (fault === 'held') await Promise.race([released, once(closing, 'abort')])
    if (fault === 'down' || isCut) response.socket?.resetAndDestroy()
    if (answered) await deliver(response, withUsualHeaders(answered, now()), fault, closing)
  })

function replyUnder(fault: Fault | undefined, work: () => RouteReply): RouteReply {
  if (fault === 'nonsense') return nonsense
  if (fault === 'error') return failure(unavailable())
  if (fault === 'busy') return failure(new Failure(400, tryLater))
  return work()
}

/** Failures after a change was carried out. Reads have none of them. */
function changed(
  { method }: Request,
  reply: RouteReply,
  { lostReplies, appliedThen500 }: Pick<Behaviour, 'lostReplies' | 'appliedThen500'>,
): RouteReply {
  if (method === 'GET' || reply.status >= 300 || lostReplies + appliedThen500 === 0) return reply
  const chance = Math.random()
  if (chance < lostReplies) return { ...reply, behaviour: { isCut: true } }
  return chance < lostReplies + appliedThen500 ? failure(unavailable()) : reply
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
