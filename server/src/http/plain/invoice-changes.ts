import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { networkOf } from '../../kernel/addresses.ts'
import { publicCaller } from '../../kernel/callers.ts'
import { Refusal } from '../../kernel/refusals.ts'
import { documentOperations } from '../../modules/documents/index.ts'
import { createLiveEvents, type LiveListener } from '../../platform/events/live-events.ts'
import { KeptText } from '../reply/kept-text.ts'
import { countedByAddress } from '../request/counting.ts'
import type { HttpParts } from '../server/mount.ts'
import { createStreams, streamHeaders } from '../server/open-streams.ts'
import { pageScript } from '../shared-page/page-script.ts'
import { styles } from '../shared-page/styles.ts'

export interface StreamBounds {
  /** open streams, in total and for one household */
  readonly most: number
  readonly mostOfNetwork: number
  /** interval of the heartbeat: proxies close silent connections */
  readonly heartbeatMs: number
  /** then the stream is closed and the browser opens another, so that no client holds a slot forever */
  readonly lifeMs: number
}

export const usualStreamBounds: StreamBounds = {
  most: 1_000,
  mostOfNetwork: 12,
  heartbeatMs: 20_000,
  lifeMs: 10 * 60_000,
}

const noIndex = { 'x-robots-tag': 'noindex' }
/** A payment causes several events together; they are one reason to check. */
const batchMs = 50

type ChangesRequest = FastifyRequest<{ Params: { token: string }; Querystring: { seen?: unknown } }>

/**
 * Notifies the public page of an invoice that it is outdated, by server-sent events: above all when money has arrived. A page without
 * scripts is reloaded by hand. The stream reveals no event and no invisible change: it sends one word and ends.
 */
export function serveInvoiceChanges(
  server: FastifyInstance,
  parts: HttpParts,
  bounds: StreamBounds = usualStreamBounds,
): void {
  const { runner, runtime } = parts
  const { most, mostOfNetwork, heartbeatMs, lifeMs } = bounds
  const streams = createStreams(server, { most, heartbeatMs })
  const liveEvents = createLiveEvents(runtime)
  server.addHook('preClose', () => liveEvents.stop())

  const counted = countedByAddress(parts)

  // Static files: the same for everybody, and not counted.
  const script = new KeptText('text/javascript; charset=utf-8', () => pageScript)
  server.get('/s/page.js', (request, reply) =>
    script.send(request, reply.header('cache-control', 'public, max-age=3600')),
  )
  const sheet = new KeptText('text/css; charset=utf-8', () => styles)
  server.get('/s/page.css', (request, reply) =>
    sheet.send(request, reply.header('cache-control', 'public, max-age=31536000, immutable')),
  )

  /** What the page would show now; `undefined` if the page no longer exists. */
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
    return runner.run(documentOperations.watchSharedPage, {
      caller: publicCaller,
      origin,
      input: { token: request.params.token },
    })
  }

  function stream(request: ChangesRequest, reply: FastifyReply, page: Awaited<ReturnType<typeof shown>>): void {
    let batchTimer: NodeJS.Timeout | undefined
    let life: NodeJS.Timeout | undefined
    let listener: LiveListener | undefined
    const { say, end, isOver } = streams.open(
      [{ name: networkOf(request.clientAddress), most: mostOfNetwork }],
      reply,
      noIndex,
      () => {
        listener?.end()
        clearTimeout(life)
        clearTimeout(batchTimer)
      },
    )
    const look = async () => {
      batchTimer = undefined
      try {
        if (isOver() || (await versionNow(request)) === request.query.seen) return
        end('event: changed\ndata: {}\n\n')
      } catch {
        // The check failed. The browser connects again, and its version is compared then.
        end()
      }
    }
    listener = liveEvents.listen(page.organisationId, (events) => {
      if (events?.some(({ mode, objectId }) => mode === page.mode && objectId === page.id) ?? true)
        batchTimer ??= setTimeout(look, batchMs).unref()
    })
    life = setTimeout(() => end(), lifeMs).unref()
    say('retry: 5000\n\n')
    // The comparison finds changes between the page's load and the start of listening.
    listener.begun.then(look)
  }

  server.get<{ Params: { token: string }; Querystring: { seen?: unknown } }>(
    '/s/:token/changes',
    counted,
    async (request, reply) => {
      const page = await shown(request)
      if (request.method === 'HEAD') return reply.headers({ ...streamHeaders, ...noIndex }).send()
      // A client that disconnected meanwhile needs no reply.
      if (!reply.raw.destroyed) stream(request, reply, page)
    },
  )
}
