import type { FastifyInstance } from 'fastify'

/** Leads to the page of the receiver that webhooks can be sent to, which stands on a port of its own. Exists only in a playground. */
export function serveDevWebhooks(server: FastifyInstance, receiverUrl: string): void {
  server.get('/dev/webhooks', async (_, reply) => reply.redirect(`${receiverUrl}/`, 302))
}
