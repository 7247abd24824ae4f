import type { FastifyInstance } from 'fastify'

/** Redirects to the page of the webhook receiver, which has a port of its own. Exists only in a playground. */
export function serveDevWebhooks(server: FastifyInstance, receiverUrl: string): void {
  server.get('/dev/webhooks', async (_, reply) => reply.redirect(`${receiverUrl}/`, 302))
}
