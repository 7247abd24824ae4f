import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

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
  /** what each connection asks for, over and over */
  readonly ask: (connection: number, times: number) => HostileRequest
}

export interface RunningAttack {
  /** how many answers there were of each status */
  readonly statuses: ReadonlyMap<number, number>
  /** requests under way */
  underWay(): number
  stop(): Promise<void>
}

/** After a refusal: it is not the flood of requests that is tried, but what each of them costs. */
const restMs = 1_000
/** A connection is used so often at most. */
const mostRequests = 1_000

/** Many connections to one server on this machine that each ask again as soon as they may, until they are stopped. */
export function attack(url: string, { connections, from, ask }: Attack): RunningAttack {
  const statuses = new Map<number, number>()
  const stopping = new AbortController()
  const { signal } = stopping
  const agent = new Agent({ keepAlive: true, maxSockets: connections, localAddress: from })
  let underWay = 0

  async function work(connection: number): Promise<void> {
    for (let times = 0; times < mostRequests && !signal.aborted; times++) {
      underWay++
      const status = await once(url, agent, ask(connection, times), signal)
      underWay--
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status === 0 || status >= 400) await wait(restMs, undefined, { signal }).catch(() => {})
    }
  }
  const working = Array.from({ length: connections }, (_, connection) => work(connection))
  return {
    statuses,
    underWay: () => underWay,
    async stop() {
      stopping.abort()
      agent.destroy()
      await Promise.all(working)
    },
  }
}

/** The status of the answer; 0 if there was none. */
function once(url: string, agent: Agent, asked: HostileRequest, signal: AbortSignal): Promise<number> {
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
    else sent.write(Buffer.alloc(unfinished - 1_024, ' '))
  })
}
