import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { jsonReply, type Reply, type Request, readRequest, writeReply } from '../shared/http.ts'
import { openStore } from '../shared/json-store.ts'
import { listen } from '../shared/listen.ts'
import type { Arrival } from './arrival.ts'
import { arrivalsPage } from './page.ts'

export interface ReceiverSimulatorOptions {
  /** a free one when absent; the host is always 127.0.0.1 */
  readonly port?: number
  /** keeps what arrived over a restart; without it, memory only */
  readonly storeFile?: string
  readonly now?: () => Date
  /** for how long a caller of `/asleep` waits for nothing */
  readonly sleepMs?: number
  /** how many of the newest are kept */
  readonly mostKept?: number
}

export interface ReceiverSimulator {
  /** its page, and below it every address that takes something */
  readonly url: string
  /** the newest first */
  arrivals(): readonly Arrival[]
  close(): Promise<void>
}

const mostBytes = 256 * 1024
const keptCharacters = 8_000
const saveMs = 500

const thanks: Reply = { status: 200, headers: { 'content-type': 'text/plain' }, body: 'thank you\n' }
const otherReplies: Readonly<Record<string, Reply>> = {
  refuses: { status: 503, headers: { 'content-type': 'text/plain' }, body: 'down for maintenance\n' },
  gone: { status: 410, headers: { 'content-type': 'text/plain' }, body: 'nobody listens here any more\n' },
}

const textOf = (headers: IncomingHttpHeaders, ...names: readonly string[]): string | null => {
  for (const name of names) {
    const value = headers[name]
    if (typeof value === 'string') return value.slice(0, 300)
  }
  return null
}

/** The type in the body. `null` if the body is not JSON or has no type. */
function typeIn(body: string): string | null {
  try {
    const { type } = JSON.parse(body) as { type?: unknown }
    return typeof type === 'string' ? type : null
  } catch {
    return null
  }
}

/** A webhook receiver: accepts every request, answers as the path says, and shows the requests on a page. */
export async function startReceiverSimulator(options: ReceiverSimulatorOptions = {}): Promise<ReceiverSimulator> {
  const { now = () => new Date(), sleepMs = 30_000, mostKept = 1_000 } = options
  const store = openStore<{ arrivals: Arrival[] }>(options.storeFile, { arrivals: [] })
  let saving: NodeJS.Timeout | undefined

  function keep({ path, headers, body }: Request, status: number | null): void {
    store.state.arrivals.unshift({
      at: now().toISOString(),
      path,
      type: typeIn(body),
      id: textOf(headers, 'webhook-id', 'x-webhook-id'),
      attempt: textOf(headers, 'x-webhook-delivery-attempt'),
      signature: textOf(headers, 'risiti-signature', 'x-webhook-signature'),
      status,
      body: body.slice(0, keptCharacters),
    })
    store.state.arrivals.splice(mostKept)
    // Many requests come at once, so saves are combined. The file is for the next start.
    saving ??= setTimeout(() => {
      saving = undefined
      store.save()
    }, saveMs).unref()
  }

  const server = await listen(options.port ?? 0, async (message, response, closing) => {
    const request = await readRequest(message, mostBytes)
    const { method, path, headers } = request
    if (request.tooLong) return writeReply(response, jsonReply(413, { error: 'the body is too long' }))
    if (method !== 'POST') {
      if (method !== 'GET' || path !== '/') return writeReply(response, jsonReply(404, { error: 'not found' }))
      const wantsJson = headers.accept?.includes('application/json') ?? false
      const { arrivals } = store.state
      return writeReply(
        response,
        wantsJson ? jsonReply(200, arrivals) : arrivalsPage(arrivals, request.query.get('path')),
      )
    }
    const [, first = ''] = path.split('/')
    if (first === 'asleep') {
      keep(request, null)
      await pause(sleepMs, undefined, { signal: closing })
      response.destroy()
      return
    }
    const reply = Object.hasOwn(otherReplies, first) ? (otherReplies[first] as Reply) : thanks
    keep(request, reply.status)
    writeReply(response, reply)
  })
  return {
    url: server.url,
    arrivals: () => store.state.arrivals,
    async close() {
      clearTimeout(saving)
      if (saving) store.save()
      await server.close()
    },
  }
}
