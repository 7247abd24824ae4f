import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { systemCaller } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refusals.ts'
import { billingOperations, type ProviderName, providerNames } from '../../modules/billing/index.ts'
import { collectionOperations } from '../../modules/collection/index.ts'
import { readBody } from '../request/body-reader.ts'
import { countNotification, countStranger, uncountNotification } from '../request/counting.ts'
import { hasStorableTexts } from '../request/json-body.ts'
import type { HttpParts } from '../server/mount.ts'

const isProvider = (name: string): name is ProviderName => (providerNames as readonly string[]).includes(name)

interface NotificationRoute {
  Params: { provider: string }
  Body: Buffer | undefined
}
type NotificationRequest = FastifyRequest<NotificationRoute>

/** In bytes. No provider sends more about one payment. */
const bodyLimit = 256 * 1024

/**
 * Receives notifications of payment providers. The signature covers the raw bytes, so the body is not parsed first. The notification is
 * stored and answered at once; a job then asks the provider. Requests count by address before they are read. A valid signature gives the
 * count back; an invalid one also counts as a stranger's request.
 */
export function serveProviderNotifications(server: FastifyInstance, parts: HttpParts): void {
  const { runtime, runner } = parts
  const providerOf = ({ params: { provider } }: NotificationRequest) =>
    isProvider(provider) ? runtime.ports.checkoutProviders.named(provider) : undefined
  /** Some providers also keep virtual accounts and notify about both at one address. Returns `undefined` if it is not a transfer. */
  async function keptForCollection(name: string, body: Buffer, headers: Readonly<Record<string, unknown>>) {
    const keeper = runtime.ports.collectionProviders.all.find((one) => one.name === name)
    const notification = keeper?.readNotification(body, headers)
    if (!keeper || notification === undefined || notification === 'nothing to do') return undefined
    if (!hasStorableTexts(notification)) throw refuse('request.malformed')
    return await collectionOperations.keepNotification(
      runtime,
      { provider: keeper.name, mode: keeper.mode },
      notification,
    )
  }
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (request, _payload, done) => readBody(request, bodyLimit, done))
    scope.post<NotificationRoute>(
      '/notifications/:provider',
      {
        bodyLimit,
        config: { counted: true },
        onRequest: async (request: NotificationRequest, reply: FastifyReply) => {
          if (!providerOf(request)) {
            await countStranger(request, reply, parts)
            throw refuse('route.not_found')
          }
          await countNotification(request, reply, parts)
        },
      },
      async (request, reply) => {
        const { provider: name } = request.params
        const provider = providerOf(request)
        if (!provider) throw refuse('route.not_found')
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        const transfer = await keptForCollection(name, body, request.headers)
        if (transfer !== undefined) {
          uncountNotification(request, parts)
          return { received: transfer }
        }
        const notification = provider.readNotification(body, request.headers)
        if (!notification) {
          await countStranger(request, reply, parts)
          runtime.log.warn('notification.not_theirs', {
            provider: name,
            address: request.clientAddress,
            requestId: request.id,
          })
          throw refuse('notification.not_signed')
        }
        uncountNotification(request, parts)
        if (!hasStorableTexts(notification)) throw refuse('request.malformed')
        const origin = {
          requestId: request.id,
          address: request.clientAddress,
          userAgent: request.headers['user-agent'] ?? '',
        }
        const input = { provider: provider.name, notification }
        return {
          received: await runner.run(billingOperations.receiveNotification, { caller: systemCaller, origin, input }),
        }
      },
    )
  })
}
