import { once } from 'node:events'
import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'

export interface HostileRequest {
  readonly method?: string
  readonly path: string
  readonly token?: string
  readonly body?: string
  /** announces this many bytes, sends all but one kilobyte and then stops */
  readonly unfinished?: number
  /** keeps the reply open and reads it */
  readonly stays?: boolean
}

export interface Attack {
  readonly name: string
  readonly connections: number
  /** the local address of the client */
  readonly from: string
  /** each connection starts with another request and repeats the list */
  readonly requests: readonly HostileRequest[]
}

/** The current results of an attack. */
export interface AttackFigures {
  readonly name: string
  /** number of replies per status; 0 means no reply */
  readonly statuses: Readonly<Record<number, number>>
  /** requests in progress */
  readonly underWay: number
}

interface RunningAttack {
  figures(): AttackFigures
  stop(): Promise<void>
}

export interface Hostility {
  figures(): Promise<readonly AttackFigures[]>
  stop(): Promise<void>
}

/** Runs the attacks in a separate thread, so that they do not delay the measurements in this one. */
export function startAttacks(url: string, attacks: readonly Attack[]): Hostility {
  const worker = new Worker(new URL('hostile-thread.ts', import.meta.url), { workerData: { url, attacks } })
  const ask = async (what: 'figures' | 'stop'): Promise<readonly AttackFigures[]> => {
    worker.postMessage(what)
    const [figures] = await once(worker, 'message')
    return figures
  }
  return {
    figures: () => ask('figures'),
    async stop() {
      await ask('stop')
      await worker.terminate()
    },
  }
}

/** Pause after a refusal, because the test is about the cost of each request, not about a flood. */
const restMs = 1_000
/** Requests per connection at most. */
const mostRequests = 1_000

/** Opens many connections to a local server. Each sends its next request as soon as possible, until stopped. */
export function attack(url: string, { name, connections, from, requests }: Attack): RunningAttack {
  const statuses: Record<number, number> = {}
  const stopping = new AbortController()
  const { signal } = stopping
  const agent = new Agent({ keepAlive: true, maxSockets: connections, localAddress: from })
  let underWay = 0

  async function work(connection: number): Promise<void> {
    for (let times = 0; times < mostRequests && !signal.aborted; times++) {
      underWay++
      const asked = requests[(connection + times) % requests.length] as HostileRequest
      const status = await askOnce(url, agent, asked, signal)
      underWay--
      statuses[status] = (statuses[status] ?? 0) + 1
      if (status === 0 || status >= 400) await wait(restMs, undefined, { signal }).catch(() => {})
    }
  }
  const working = Array.from({ length: connections }, (_, connection) => work(connection))
  return {
    figures: () => ({ name, statuses, underWay }),
    async stop() {
      stopping.abort()
      agent.destroy()
      await Promise.all(working)
    },
  }
}

const blanks = Buffer.alloc(5 * 1024 * 1024, ' ')

/** Returns the status of the reply, or 0 without a reply. */
function askOnce(url: string, agent: Agent, asked: HostileRequest, signal: AbortSignal): Promise<number> {
  const { method = 'GET', path, token, body, unfinished, stays } = asked
  const headers: OutgoingHttpHeaders = {
    'accept-encoding': 'identity',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
    ...(unfinished === undefined ? {} : { 'content-length': unfinished }),
  }
  return new Promise((resolve) => {
    const sent = request(`${url}${path}`, { method, agent, headers, signal }, (answer: IncomingMessage) => {
      const status = answer.statusCode ?? 0
      answer.resume()
      answer.on('close', () => resolve(status))
      if (unfinished !== undefined) sent.destroy()
      if (stays && status === 200) answer.on('end', () => resolve(status))
    })
    sent.on('error', () => resolve(0))
    if (unfinished === undefined) sent.end(body)
    else sent.write(blanks.subarray(0, unfinished - 1_024))
  })
}
