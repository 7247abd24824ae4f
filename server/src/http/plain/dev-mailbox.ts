import type { FastifyInstance } from 'fastify'
import { type Mailbox, readMailbox } from '../../modules/messages/index.ts'

/** Sent mails and text messages, newest first. Exists only in a playground. */
export function serveDevMailbox(server: FastifyInstance, mailbox: Mailbox): void {
  server.get<{ Querystring: { to?: string } }>('/dev/mailbox', async ({ query }) => {
    const messages = await readMailbox(mailbox, typeof query.to === 'string' && query.to !== '' ? query.to : undefined)
    return messages.map(({ id: _, ...message }) => message)
  })
}
