import { once } from 'node:events'
import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'

export interface HostileRequest {
  readonly method?: string
  readonly path: string
  readonly token?: string
  readonly body?: string
  /** announces so many bytes, sends all but a kilobyte of them, and falls silent */
  readonly unfinished?: number
  /** keeps the answer open and reads what comes */
  readonly stays?: boolean
}

export interface Attack {
  readonly name: string
  readonly connections: number
  /** the address of this machine that it comes from */
  readonly from: string
  /** each connection begins with another one, and goes round */
  readonly requests: readonly HostileRequest[]
}

/** How an attack goes. */
export interface AttackFigures {
  readonly name: string
  /** how many answers there were of each status; 0 stands for none */
  readonly statuses: Readonly<Record<number, number>>
  /** requests under way */
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

/** In a thread of its own: whoever measures how others are served must not wait for the attackers. */
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

/** After a refusal: it is not the flood of requests that is tried, but what each of them costs. */
const restMs = 1_000
/** A connection is used so often at most. */
const mostRequests = 1_000

/** Many connections to one server on this machine that each ask again as soon as they may, until they are stopped. */
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

/** The status of the answer; 0 if there was none. */
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
