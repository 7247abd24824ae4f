import type { FastifyInstance } from 'fastify'
import { refuse } from '../../kernel/refusals.ts'
import { modes } from '../../kernel/tenant.ts'
import { isCollectionProvider, keepNotification } from '../../modules/collection/index.ts'
import { readBody } from '../body-reader.ts'
import { countStranger } from '../counting.ts'
import { hasStorableTexts } from '../json-body.ts'
import type { HttpParts } from '../mount.ts'

/** A notification names one transfer. */
const bodyLimit = 64 * 1024

/**
 * Where collection providers tell us that money came. The signature is over the bytes as they came, so they are read as they are.
 * What was told is stored, and answered at once; what it means is found out afterwards, by asking the provider. Whoever cannot sign is a
 * stranger, and counted as one.
 */
export function serveCollectionNotifications(server: FastifyInstance, parts: HttpParts): void {
  const { machine } = parts
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (request, _payload, done) => readBody(request, bodyLimit, done))
    scope.post<{ Params: { provider: string; mode: string }; Body: Buffer | undefined }>(
      '/notifications/collection/:provider/:mode',
      { bodyLimit },
      async (request, reply) => {
        const { provider: name } = request.params
        const mode = modes.find((one) => one === request.params.mode)
        const provider =
          mode && isCollectionProvider(name) ? machine.ports.collectionProviders.named(name, mode) : undefined
        if (!mode || !provider) {
          await countStranger(request, reply, parts)
          throw refuse('route.not_found')
        }
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        const notification = provider.readNotification(body, request.headers)
        if (!notification) {
          await countStranger(request, reply, parts)
          machine.log.warn('notification.not_theirs', {
            provider: name,
            address: request.clientAddress,
            requestId: request.id,
          })
          throw refuse('notification.not_signed')
        }
        if (notification === 'nothing to do') return { received: 'ignored' }
        if (!hasStorableTexts(notification)) throw refuse('request.malformed')
        return { received: await keepNotification(machine, { provider: provider.name, mode }, notification) }
      },
    )
  })
}
