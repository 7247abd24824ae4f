import type { FastifyInstance, FastifyReply } from 'fastify'
import { refuse } from '../kernel/refusals.ts'

export interface StreamLimits {
  /** open at a time, in all and for one owner, such as a person or a household */
  readonly most: number
  readonly mostOfOwner: number
  /** a sign of life so often: proxies close what is silent */
  readonly beatMs: number
}

export const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  // Whoever packs it on the way would hold it back until there is enough to pack.
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
}
/** Whoever does not read what is said is not told more and more. */
const mostUnreadBytes = 16_384

export interface OpenStream {
  say(text: string): void
  end(last?: string): void
  isOver(): boolean
}

export interface Streams {
  /** Takes the answer over as server-sent events; refuses where there are too many already. */
  open(owner: string, reply: FastifyReply, headers: Readonly<Record<string, string>>, over: () => void): OpenStream
}

/** Answers that stay open, as many as there may be, until whoever asked leaves, they are ended, or the server is. */
export function createStreams(server: FastifyInstance, { most, mostOfOwner, beatMs }: StreamLimits): Streams {
  /** how each is ended, by owner */
  const streams = new Map<string, Set<() => void>>()
  let inAll = 0
  let isClosing = false

  // Before the server waits for its connections to end, which these would not by themselves.
  server.addHook('preClose', async () => {
    isClosing = true
    for (const own of streams.values()) for (const end of own) end()
  })

  return {
    open(owner, reply, headers, over) {
      const own = streams.get(owner) ?? new Set()
      if (isClosing || inAll >= most || own.size >= mostOfOwner)
        throw refuse('limit.exceeded', { retryAfterSeconds: 60 })
      reply.hijack()
      const { raw } = reply
      const isOver = () => raw.destroyed || raw.writableEnded
      const end = (last?: string) => {
        if (!isOver()) raw.end(last)
      }
      const endSilently = () => end()
      const say = (text: string) => {
        if (isOver()) return
        if (raw.writableLength > mostUnreadBytes) raw.destroy()
        else raw.write(text)
      }
      const beat = setInterval(() => say(':\n\n'), beatMs).unref()
      streams.set(owner, own.add(endSilently))
      inAll++
      raw.on('error', () => raw.destroy())
      raw.once('close', () => {
        clearInterval(beat)
        inAll--
        own.delete(endSilently)
        if (own.size === 0 && streams.get(owner) === own) streams.delete(owner)
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
