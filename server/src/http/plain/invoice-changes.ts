import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { networkOf } from '../../kernel/addresses.ts'
import { publicCaller } from '../../kernel/callers.ts'
import { Refusal, refuse } from '../../kernel/refusals.ts'
import { watchSharedPage } from '../../modules/documents/index.ts'
import { addressLimit, count } from '../counting.ts'
import type { HttpParts } from '../mount.ts'
import { createPageChanges } from '../shared-page/page-changes.ts'
import { pageScript } from '../shared-page/page-script.ts'

export interface StreamBounds {
  /** open at a time, in all and for one household */
  readonly most: number
  readonly mostOfNetwork: number
  /** a sign of life so often: proxies close what is silent */
  readonly beatMs: number
  /** then it is closed, and the browser asks for another: nobody holds a place for good */
  readonly lifeMs: number
}

export const usualStreamBounds: StreamBounds = { most: 1_000, mostOfNetwork: 12, beatMs: 20_000, lifeMs: 10 * 60_000 }

const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  // Whoever packs it on the way would hold it back until there is enough to pack.
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
  'x-robots-tag': 'noindex',
}
/** Several events of one payment come together, and are one reason to look. */
const gatherMs = 50
/** Whoever does not read what is said is not told more and more. */
const mostUnreadBytes = 4_096

type ChangesRequest = FastifyRequest<{ Params: { token: string }; Querystring: { seen?: unknown } }>

/**
 * Tells the public page of an invoice that it shows something old, by server-sent events: above all when the money has come. A page without
 * scripts is read again by hand. What happened is not told, nor that something did which the page does not show: one word, and the stream ends.
 */
export function serveInvoiceChanges(
  server: FastifyInstance,
  parts: HttpParts,
  bounds: StreamBounds = usualStreamBounds,
): void {
  const { runner, machine } = parts
  const changes = createPageChanges(machine)
  /** how each open stream is ended, by household */
  const open = new Map<string, Set<() => void>>()
  let inAll = 0
  let isClosing = false

  const counted = {
    config: { counted: true },
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      await count([addressLimit(request.clientAddress, parts.config.limits.address)], reply, parts)
    },
  }

  server.get('/s/page.js', counted, async (_request, reply) =>
    reply
      .headers({ 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'public, max-age=3600' })
      .send(pageScript),
  )

  /** What the page would show now; nothing where there is no page any more. */
  async function versionNow(request: ChangesRequest): Promise<string | undefined> {
    try {
      return (await shown(request)).version
    } catch (error) {
      if (error instanceof Refusal && error.refusal === 'resource.not_found') return undefined
      throw error
    }
  }
  const shown = (request: ChangesRequest) => {
    const origin = {
      requestId: request.id,
      address: request.clientAddress,
      userAgent: request.headers['user-agent'] ?? '',
    }
    return runner.run(watchSharedPage, { caller: publicCaller, origin, input: { token: request.params.token } })
  }

  function stream(request: ChangesRequest, reply: FastifyReply, page: Awaited<ReturnType<typeof shown>>): void {
    const network = networkOf(request.clientAddress)
    const own = open.get(network) ?? new Set()
    if (isClosing || inAll >= bounds.most || own.size >= bounds.mostOfNetwork)
      throw refuse('limit.exceeded', { retryAfterSeconds: 60 })

    reply.hijack()
    const { raw } = reply
    const isOver = () => raw.destroyed || raw.writableEnded
    const end = (last?: string) => {
      if (!isOver()) raw.end(last)
    }
    const say = (text: string) => {
      if (isOver()) return
      if (raw.writableLength > mostUnreadBytes) raw.destroy()
      else raw.write(text)
    }
    let gathering: NodeJS.Timeout | undefined
    const look = async () => {
      gathering = undefined
      try {
        if (isOver() || (await versionNow(request)) === request.query.seen) return
        end('event: changed\ndata: {}\n\n')
      } catch {
        // It cannot be told now. The browser comes again, and what it has seen is compared then.
        end()
      }
    }
    const watching = changes.watch({ organisationId: page.organisationId, mode: page.mode, invoiceId: page.id }, () => {
      gathering ??= setTimeout(look, gatherMs).unref()
    })
    const beat = setInterval(() => say(':\n\n'), bounds.beatMs).unref()
    const life = setTimeout(end, bounds.lifeMs).unref()
    open.set(network, own.add(end))
    inAll++
    raw.on('error', () => raw.destroy())
    raw.once('close', () => {
      watching.end()
      clearInterval(beat)
      clearTimeout(life)
      clearTimeout(gathering)
      inAll--
      own.delete(end)
      if (own.size === 0) open.delete(network)
    })
    raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string | number>), ...streamHeaders })
    say('retry: 5000\n\n')
    // What happened between the page and the moment from which all is heard is seen by comparing.
    watching.begun.then(look)
  }

  server.get<{ Params: { token: string }; Querystring: { seen?: unknown } }>(
    '/s/:token/changes',
    counted,
    async (request, reply) => {
      const page = await shown(request)
      if (request.method === 'HEAD') return reply.headers(streamHeaders).send()
      // Whoever left meanwhile needs no answer.
      if (!reply.raw.destroyed) stream(request, reply, page)
    },
  )

  // Before the server waits for its connections to end, which these would not by themselves.
  server.addHook('preClose', async () => {
    isClosing = true
    for (const streams of open.values()) for (const end of streams) end()
    await changes.stop()
  })
}
