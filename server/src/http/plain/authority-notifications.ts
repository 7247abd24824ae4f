import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { systemCaller } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Mode, modes } from '../../kernel/tenant.ts'
import { findReceiversNamed, hearNotification, hearOfReceived } from '../../modules/received-invoices/index.ts'
import { findTenantsNamed, markNotifiedDocuments } from '../../modules/submissions/index.ts'
import type { Origin } from '../../platform/operations/operation.ts'
import type { HttpParts } from '../kernel/mount.ts'
import { readBody } from '../request/body-reader.ts'
import { countNotification, countStranger } from '../request/counting.ts'
import { oneAtATime } from './one-at-a-time.ts'

interface NotificationRoute {
  Params: { country: string; mode: string }
  Body: Buffer | undefined
}
type NotificationRequest = FastifyRequest<NotificationRoute>

/** A notification names one document. */
const bodyLimit = 64 * 1024
/** Ten looks a second are more than the feed has answers for. */
const restMs = 100
/** So many documents are named together at most. What is not noted is asked about in its own time. */
const mostNamed = 1_000
/** Nobody in particular: what many say is heard once. */
const somebody: Origin = { requestId: 'authority-notifications', address: '', userAgent: '' }

/**
 * Where a tax authority tells us that something happened. It does not sign what it says, so what it says is not believed: a
 * notification is only a hint, after which we ask the authority: for new documents to our customers, and for the document that is
 * named, if it is one of ours. A forged notification costs one request, a repeated one none. Notifications are counted by address before
 * they are read. Those that arrive together are handled together; a lost one is made up for within a minute.
 */
export function serveAuthorityNotifications(server: FastifyInstance, parts: HttpParts): void {
  const { runtime, runner } = parts
  function authorityOf({ params }: NotificationRequest) {
    const mode = modes.find((one) => one === params.mode)
    const jurisdiction = runtime.ports.jurisdictions.of(params.country.toUpperCase())
    return mode && jurisdiction && { jurisdiction, mode }
  }
  interface PendingNotifications {
    readonly handle: () => Promise<void>
    /** the references named since the last run */
    readonly named: Set<string>
  }
  const pending = new Map<string, PendingNotifications>()
  function createPending(country: string, mode: Mode): PendingNotifications {
    const named = new Set<string>()
    const handle = oneAtATime(async () => {
      const references = [...named]
      named.clear()
      const call = { caller: systemCaller, origin: somebody }
      await runner.run(hearNotification, { ...call, input: { country, mode } })
      for (const tenant of await runner.run(findReceiversNamed, { ...call, input: { mode, references } }))
        await runner
          .run(hearOfReceived, { ...call, input: { tenant, references } })
          // The payment status of received invoices is asked for again in its own time.
          .catch((error: unknown) => runtime.log.warn('received.not_heard_of', { ...tenant, error }))
      const tenants = await runner.run(findTenantsNamed, { ...call, input: { country, mode, references } })
      for (const tenant of tenants)
        await runner
          .run(markNotifiedDocuments, { ...call, input: { tenant, country, references } })
          // What is not asked about now is asked about in its own time.
          .catch((error: unknown) => runtime.log.warn('submission.not_heard_of', { ...tenant, error }))
    }, restMs)
    return { handle, named }
  }
  function pendingOf(country: string, mode: Mode): PendingNotifications {
    const name = `${country} ${mode}`
    const own = pending.get(name) ?? createPending(country, mode)
    pending.set(name, own)
    return own
  }
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (request, _payload, done) => readBody(request, bodyLimit, done))
    scope.post<NotificationRoute>(
      '/notifications/authority/:country/:mode',
      {
        bodyLimit,
        config: { counted: true },
        onRequest: async (request: NotificationRequest, reply: FastifyReply) => {
          if (!authorityOf(request)) {
            await countStranger(request, reply, parts)
            throw refuse('route.not_found')
          }
          await countNotification(request, reply, parts)
        },
      },
      async (request) => {
        const { jurisdiction, mode } = authorityOf(request) ?? {}
        if (!jurisdiction || !mode) throw refuse('route.not_found')
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        const notification = jurisdiction.reporting.readNotification(body)
        if (!notification) throw refuse('request.malformed')
        const { handle, named } = pendingOf(jurisdiction.country, mode)
        if (named.size < mostNamed) named.add(notification.reference)
        await handle()
        return { received: true }
      },
    )
  })
}
