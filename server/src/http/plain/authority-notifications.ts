import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { systemCaller } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Mode, modes } from '../../kernel/tenant.ts'
import { findReceiversNamed, hearNotification, hearOfReceived } from '../../modules/received-invoices/index.ts'
import { findTenantsNamed, hearOfDocuments } from '../../modules/submissions/index.ts'
import type { Origin } from '../../platform/operations/operation.ts'
import { readBody } from '../body-reader.ts'
import { countNotification, countStranger } from '../counting.ts'
import type { HttpParts } from '../mount.ts'
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
 * notification is a bell, after which the authority is asked: what is under way to those whom we serve, and about the document that is
 * named, where it is one of ours. A forged one costs a question, and a repeated one not even that. They are
 * counted by address before they are read, and those that come together, from however many addresses, are heard together; a bell that is
 * not heard is made up for within a minute.
 */
export function serveAuthorityNotifications(server: FastifyInstance, parts: HttpParts): void {
  const { runtime, runner } = parts
  function authorityOf({ params }: NotificationRequest) {
    const mode = modes.find((one) => one === params.mode)
    const jurisdiction = runtime.ports.jurisdictions.of(params.country.toUpperCase())
    return mode && jurisdiction && { jurisdiction, mode }
  }
  interface Bell {
    readonly ring: () => Promise<void>
    /** what was named since it was heard last */
    readonly named: Set<string>
  }
  const bells = new Map<string, Bell>()
  function createBell(country: string, mode: Mode): Bell {
    const named = new Set<string>()
    const ring = oneAtATime(async () => {
      const references = [...named]
      named.clear()
      const heard = { caller: systemCaller, origin: somebody }
      await runner.run(hearNotification, { ...heard, input: { country, mode } })
      for (const tenant of await runner.run(findReceiversNamed, { ...heard, input: { mode, references } }))
        await runner
          .run(hearOfReceived, { ...heard, input: { tenant, references } })
          // The payment status of received invoices is asked for again in its own time.
          .catch((error: unknown) => runtime.log.warn('received.not_heard_of', { ...tenant, error }))
      const tenants = await runner.run(findTenantsNamed, { ...heard, input: { country, mode, references } })
      for (const tenant of tenants)
        await runner
          .run(hearOfDocuments, { ...heard, input: { tenant, country, references } })
          // What is not asked about now is asked about in its own time.
          .catch((error: unknown) => runtime.log.warn('submission.not_heard_of', { ...tenant, error }))
    }, restMs)
    return { ring, named }
  }
  function bellOf(country: string, mode: Mode): Bell {
    const name = `${country} ${mode}`
    const bell = bells.get(name) ?? createBell(country, mode)
    bells.set(name, bell)
    return bell
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
        const told = jurisdiction.reporting.readNotification(body)
        if (!told) throw refuse('request.malformed')
        const { ring, named } = bellOf(jurisdiction.country, mode)
        if (named.size < mostNamed) named.add(told.reference)
        await ring()
        return { received: true }
      },
    )
  })
}
