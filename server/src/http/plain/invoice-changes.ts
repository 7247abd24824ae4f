import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { publicCaller } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refusals.ts'
import { watchSharedPage } from '../../modules/documents/index.ts'
import { addressLimit, count } from '../counting.ts'
import type { HttpParts } from '../mount.ts'
import { createPageChanges } from '../shared-page/page-changes.ts'
import { pageScript } from '../shared-page/page-script.ts'

export interface StreamBounds {
  /** open at a time, in all and for one address */
  readonly most: number
  readonly mostOfAddress: number
  /** a sign of life so often: proxies close what is silent */
  readonly beatMs: number
  /** then it is closed, and the browser asks for another: nobody holds a place for good */
  readonly lifeMs: number
}

const usual: StreamBounds = { most: 1_000, mostOfAddress: 12, beatMs: 20_000, lifeMs: 10 * 60_000 }

const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
}
const changed = 'event: changed\ndata: {}\n\n'

/**
 * Tells the public page of an invoice when it shows something old, by server-sent events: above all when the money has come. A page without
 * scripts is read again by hand. What happened is not told, only that something did.
 */
export function serveInvoiceChanges(server: FastifyInstance, parts: HttpParts, bounds: StreamBounds = usual): void {
  const { runner, machine } = parts
  const changes = createPageChanges(machine)
  const open = new Map<string, Set<() => void>>()
  let inAll = 0

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

  server.get<{ Params: { token: string }; Querystring: { seen?: unknown } }>(
    '/s/:token/changes',
    { ...counted, exposeHeadRoute: false },
    async (request, reply) => {
      const address = request.clientAddress
      const origin = { requestId: request.id, address, userAgent: request.headers['user-agent'] ?? '' }
      const look = () =>
        runner.run(watchSharedPage, { caller: publicCaller, origin, input: { token: request.params.token } })
      const page = await look()
      const own = open.get(address) ?? new Set()
      if (inAll >= bounds.most || own.size >= bounds.mostOfAddress)
        throw refuse('limit.exceeded', { retryAfterSeconds: 60 })
      if (reply.raw.destroyed) return

      reply.hijack()
      const { raw } = reply
      raw.writeHead(200, streamHeaders)
      raw.write('retry: 5000\n\n')
      const say = (text: string) => {
        // Whoever does not read what is said is not told more and more.
        if (raw.writableLength > 4_096) raw.destroy()
        else raw.write(text)
      }
      const watching = changes.watch({ ...page, invoiceId: page.id }, () => say(changed))
      const beat = setInterval(() => say(':\n\n'), bounds.beatMs).unref()
      const end = () => raw.end()
      const life = setTimeout(end, bounds.lifeMs).unref()
      open.set(address, own.add(end))
      inAll++
      raw.once('close', () => {
        watching.end()
        clearInterval(beat)
        clearTimeout(life)
        inAll--
        own.delete(end)
        if (own.size === 0) open.delete(address)
      })
      // What happened between the page and this moment is seen by comparing, now that nothing can slip by any more.
      const now = await look().catch(() => undefined)
      if (now?.version !== request.query.seen) say(changed)
    },
  )

  // Before the server waits for its connections to end, which these would not by themselves.
  server.addHook('preClose', async () => {
    for (const streams of open.values()) for (const end of streams) end()
    await changes.stop()
  })
}
