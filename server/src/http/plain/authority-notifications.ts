import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { systemCaller } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Mode, modes } from '../../kernel/tenant.ts'
import {
  findReceiversNamed,
  markNotifiedInvoices,
  receivedInvoiceOperations,
} from '../../modules/received-invoices/index.ts'
import { findTenantsNamed, markNotifiedDocuments } from '../../modules/submissions/index.ts'
import type { Origin } from '../../platform/operations/operation.ts'
import { readBody } from '../request/body-reader.ts'
import { countNotification, countStranger } from '../request/counting.ts'
import type { HttpParts } from '../server/mount.ts'
import { oneAtATime } from './one-at-a-time.ts'

interface NotificationRoute {
  Params: { country: string; mode: string }
  Body: Buffer | undefined
}
type NotificationRequest = FastifyRequest<NotificationRoute>

/** In bytes: a notification names one document. */
const bodyLimit = 64 * 1024
/** A shorter pause would gain nothing: the feed does not change more often. */
const restMs = 100
/** The most documents of one run. The others are checked on schedule. */
const mostNamed = 1_000
/** One anonymous caller: many notifications cause one run. */
const somebody: Origin = { requestId: 'authority-notifications', address: '', userAgent: '' }

/**
 * Receives notifications of a tax authority. They are not signed, so they are only hints: we ask the authority for new documents, and about
 * the named document if it is ours. A forged notification costs one request, a repeated one none. Notifications are counted by address
 * before they are read. Notifications that arrive together are handled together. A lost one is made up for within a minute.
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
      await runner.run(receivedInvoiceOperations.handleNotification, { ...call, input: { country, mode } })
      for (const tenant of await runner.run(findReceiversNamed, { ...call, input: { mode, references } }))
        await runner
          .run(markNotifiedInvoices, { ...call, input: { tenant, references } })
          // The payment status of received invoices is checked on schedule.
          .catch((error: unknown) => runtime.log.warn('received.notification_failed', { ...tenant, error }))
      const tenants = await runner.run(findTenantsNamed, { ...call, input: { country, mode, references } })
      for (const tenant of tenants)
        await runner
          .run(markNotifiedDocuments, { ...call, input: { tenant, country, references } })
          // What is not asked about now is asked about in its own time.
          .catch((error: unknown) => runtime.log.warn('submission.notification_failed', { ...tenant, error }))
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
