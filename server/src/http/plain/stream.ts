import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { networkOf } from '../../kernel/addresses.ts'
import type { UserCaller } from '../../kernel/callers.ts'
import type { EventNotice } from '../../kernel/event-notice.ts'
import { eventTypes, type ObjectKind } from '../../kernel/events.ts'
import { refuse } from '../../kernel/refusals.ts'
import { createLiveEvents, type LiveListener } from '../../platform/events/live-events.ts'
import { count } from '../request/counting.ts'
import { identify } from '../request/identify.ts'
import type { HttpParts } from '../server/mount.ts'
import { createStreams, type StreamLimits, streamHeaders } from '../server/open-streams.ts'

export interface StreamBounds extends StreamLimits {
  /** open streams of one person, of all people of one organisation, and from one network */
  readonly mostOfPerson: number
  readonly mostOfOrganisation: number
  readonly mostOfNetwork: number
  /** how often the session is checked */
  readonly checkMs: number
  /** events within this time are sent together */
  readonly batchMs: number
}

export const usualStreamBounds: StreamBounds = {
  most: 1_000,
  mostOfPerson: 8,
  mostOfOrganisation: 200,
  mostOfNetwork: 200,
  heartbeatMs: 20_000,
  checkMs: 1_000,
  batchMs: 150,
}

/** What a person may know of an event: the kinds of changed objects that the person may read, in the same mode or without a mode. */
export function kindsReadable(
  events: readonly EventNotice[],
  caller: Pick<UserCaller, 'tenant' | 'capabilities'>,
): Set<ObjectKind> {
  const readable = events.filter(
    ({ type, mode }) =>
      (mode === null || mode === caller.tenant.mode) && caller.capabilities.has(eventTypes[type].capability),
  )
  return new Set(readable.map(({ type }) => eventTypes[type].about))
}

/**
 * Notifies the pages of a signed-in person of changes, by server-sent events: `changed`, with the kinds of objects. The page then reads the
 * data in the usual way. A stream lives as long as its session.
 */
export function serveStream(server: FastifyInstance, parts: HttpParts, bounds: StreamBounds = usualStreamBounds): void {
  const { runtime } = parts
  const streams = createStreams(server, bounds)
  const liveEvents = createLiveEvents(runtime)
  server.addHook('preClose', () => liveEvents.stop())

  async function letIn(request: FastifyRequest, reply: FastifyReply): Promise<UserCaller> {
    const found = await identify(request, reply, parts)
    await count(found.limits, reply, parts)
    const { caller } = found
    if (caller.kind !== 'user') throw refuse('auth.users_only')
    if (!caller.emailVerified) throw refuse('auth.email_unverified')
    return caller
  }

  const ownersOf = ({ userId, tenant }: UserCaller, { clientAddress }: FastifyRequest) =>
    [
      { name: `person ${userId}`, most: bounds.mostOfPerson },
      { name: `organisation ${tenant.organisationId}`, most: bounds.mostOfOrganisation },
      { name: `network ${networkOf(clientAddress)}`, most: bounds.mostOfNetwork },
    ] as const

  function stream(caller: UserCaller, token: string, reply: FastifyReply): void {
    let batchTimer: NodeJS.Timeout | undefined
    let check: NodeJS.Timeout | undefined
    let listener: LiveListener | undefined
    const { say, end } = streams.open([...ownersOf(caller, reply.request)], reply, {}, () => {
      listener?.end()
      clearInterval(check)
      clearTimeout(batchTimer)
    })

    /** Capabilities are read again each time: a role may have been removed. */
    const whoNow = async (): Promise<UserCaller | undefined> => {
      try {
        const { caller: now } = await runtime.authentication.authenticate(token)
        return now.kind === 'user' ? now : undefined
      } catch {
        return undefined
      }
    }
    /** one of each type and mode is enough, so that a flood of events needs no memory */
    const waiting = new Map<string, EventNotice>()
    let isAllWaiting = false
    const sendChanges = async () => {
      batchTimer = undefined
      const [happened, isAll] = [[...waiting.values()], isAllWaiting]
      waiting.clear()
      isAllWaiting = false
      const now = await whoNow()
      if (!now) return end()
      const kinds = isAll ? ['everything'] : [...kindsReadable(happened, now)]
      if (kinds.length > 0) say(`event: changed\ndata: ${JSON.stringify({ kinds })}\n\n`)
    }
    listener = liveEvents.listen(caller.tenant.organisationId, (events) => {
      isAllWaiting ||= events === undefined
      for (const event of events ?? []) waiting.set(`${event.type} ${event.mode}`, event)
      batchTimer ??= setTimeout(sendChanges, bounds.batchMs).unref()
    })
    check = setInterval(async () => {
      if (!(await whoNow())) end()
    }, bounds.checkMs).unref()
    // Earlier events are not sent: the page reads everything again once the stream has started.
    listener.begun.then(() => say('event: begun\ndata: {}\n\n'))
  }

  server.get('/i/v1/stream', { config: { counted: true, unlogged: true } }, async (request, reply) => {
    const caller = await letIn(request, reply)
    const token = request.headers.authorization?.slice('bearer '.length).trim() ?? ''
    if (request.method === 'HEAD') return reply.headers(streamHeaders).send()
    // A client that disconnected meanwhile needs no reply.
    if (!reply.raw.destroyed) stream(caller, token, reply)
  })
}
