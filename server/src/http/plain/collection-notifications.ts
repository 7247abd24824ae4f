import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refuse } from '../../kernel/refusals.ts'
import { modes } from '../../kernel/tenant.ts'
import { collectionOperations, isCollectionProvider } from '../../modules/collection/index.ts'
import { readBody } from '../request/body-reader.ts'
import { countNotification, countStranger, uncountNotification } from '../request/counting.ts'
import { hasStorableTexts } from '../request/json-body.ts'
import type { HttpParts } from '../server/mount.ts'

interface NotificationRoute {
  Params: { provider: string; mode: string }
  Body: Buffer | undefined
}
type NotificationRequest = FastifyRequest<NotificationRoute>

/** In bytes: a notification names one transfer. */
const bodyLimit = 64 * 1024

/**
 * Receives notifications of collection providers. The signature covers the raw bytes, so the body is not parsed first. The notification is
 * stored and answered at once; a job then asks the provider. Requests count by address before they are read. A valid signature gives the
 * count back; an invalid one also counts as a stranger's request.
 */
export function serveCollectionNotifications(server: FastifyInstance, parts: HttpParts): void {
  const { runtime } = parts
  function keeperOf({ params }: NotificationRequest) {
    const mode = modes.find((one) => one === params.mode)
    const { provider } = params
    const keeper =
      mode && isCollectionProvider(provider) ? runtime.ports.collectionProviders.named(provider, mode) : undefined
    return mode && keeper && { keeper, mode }
  }
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (request, _payload, done) => readBody(request, bodyLimit, done))
    scope.post<NotificationRoute>(
      '/notifications/collection/:provider/:mode',
      {
        bodyLimit,
        config: { counted: true },
        onRequest: async (request: NotificationRequest, reply: FastifyReply) => {
          if (!keeperOf(request)) {
            await countStranger(request, reply, parts)
            throw refuse('route.not_found')
          }
          await countNotification(request, reply, parts)
        },
      },
      async (request, reply) => {
        const { keeper, mode } = keeperOf(request) ?? {}
        if (!keeper || !mode) throw refuse('route.not_found')
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        const notification = keeper.readNotification(body, request.headers)
        if (!notification) {
          await countStranger(request, reply, parts)
          runtime.log.warn('notification.not_theirs', {
            provider: keeper.name,
            address: request.clientAddress,
            requestId: request.id,
          })
          throw refuse('notification.not_signed')
        }
        uncountNotification(request, parts)
        if (notification === 'nothing to do') return { received: 'ignored' }
        if (!hasStorableTexts(notification)) throw refuse('request.malformed')
        return {
          received: await collectionOperations.keepNotification(runtime, { provider: keeper.name, mode }, notification),
        }
      },
    )
  })
}
