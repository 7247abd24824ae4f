import type { FastifyInstance, FastifyReply } from 'fastify'
import { refuse } from '../../kernel/refusals.ts'

export interface StreamLimits {
  /** open streams in total */
  readonly most: number
  /** interval of the heartbeat: proxies close silent connections */
  readonly heartbeatMs: number
}

export const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  // A compressing proxy would delay the events until it has enough to compress.
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
}
/** A client that does not read gets no further events. */
const mostUnreadBytes = 16_384

export interface OpenStream {
  say(text: string): void
  end(last?: string): void
  isOver(): boolean
}

/** An owner with a limit on streams: a person, an organisation, a network. */
export interface StreamOwner {
  readonly name: string
  readonly most: number
}

export interface Streams {
  /**
   * Takes over the reply as server-sent events; refuses if one of its owners has too many streams. The last owner is the network. If all
   * slots are taken, the network with the most streams loses its oldest one to a network with fewer.
   */
  open(
    owners: readonly [...StreamOwner[], StreamOwner],
    reply: FastifyReply,
    headers: Readonly<Record<string, string>>,
    over: () => void,
  ): OpenStream
}

/** How to end each open stream, the oldest first. */
type Ends = Set<() => void>

/** A bounded set of open replies. Each lasts until the client disconnects, the stream is ended or the server stops. */
export function createStreams(server: FastifyInstance, { most, heartbeatMs }: StreamLimits): Streams {
  const byOwner = new Map<string, Ends>()
  const byNetwork = new Map<string, Ends>()
  let inAll = 0
  let isClosing = false

  // Ended before the server waits for its connections, because streams do not end by themselves.
  server.addHook('preClose', async () => {
    isClosing = true
    for (const ends of [...byNetwork.values()]) for (const end of [...ends]) end()
  })

  const refused = () => refuse('limit.exceeded', { retryAfterSeconds: 60 })

  function makeRoomFor(network: string): void {
    let longest: Ends = new Set()
    for (const ends of byNetwork.values()) if (ends.size > longest.size) longest = ends
    const [oldest] = longest
    if (!oldest || longest.size <= (byNetwork.get(network)?.size ?? 0) + 1) throw refused()
    oldest()
  }

  return {
    open(owners, reply, headers, over) {
      const network = (owners.at(-1) as StreamOwner).name
      if (isClosing || owners.some(({ name, most }) => (byOwner.get(name)?.size ?? 0) >= most)) throw refused()
      if (inAll >= most) makeRoomFor(network)
      reply.hijack()
      const { raw } = reply
      const isOver = () => raw.destroyed || raw.writableEnded
      const groups = owners.map(({ name }) => [byOwner, name] as const).concat([[byNetwork, network]])
      let hasLeft = false
      const leave = () => {
        if (hasLeft) return
        hasLeft = true
        inAll--
        for (const [map, name] of groups) remove(map, name, endSilently)
      }
      const end = (last?: string) => {
        leave()
        if (!isOver()) raw.end(last)
      }
      const endSilently = () => end()
      const say = (text: string) => {
        if (isOver()) return
        if (raw.writableLength > mostUnreadBytes) raw.destroy()
        else raw.write(text)
      }
      const heartbeat = setInterval(() => say(':\n\n'), heartbeatMs).unref()
      for (const [map, name] of groups) map.set(name, (map.get(name) ?? new Set()).add(endSilently))
      inAll++
      raw.on('error', () => raw.destroy())
      raw.once('close', () => {
        clearInterval(heartbeat)
        leave()
        over()
      })
      raw.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string | number>),
        ...streamHeaders,
        ...headers,
      })
      return { say, end, isOver }
    },
  }
}

function remove(map: Map<string, Ends>, name: string, end: () => void): void {
  const ends = map.get(name)
  ends?.delete(end)
  if (ends?.size === 0) map.delete(name)
}
