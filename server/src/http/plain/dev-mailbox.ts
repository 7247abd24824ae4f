import type { FastifyInstance } from 'fastify'
import { readMailbox } from '../../modules/messages/index.ts'
import type { Queryable } from '../../platform/database/database.ts'

/** What was mailed or texted, newest first. Exists only in a playground. */
export function serveDevMailbox(server: FastifyInstance, db: Queryable): void {
  server.get<{ Querystring: { to?: string } }>('/dev/mailbox', async ({ query }) => {
    const rows = await readMailbox(db, typeof query.to === 'string' && query.to !== '' ? query.to : undefined)
    return rows.map(({ channel, recipient, subject, textBody, htmlBody, attachments, createdAt }) => ({
      to: recipient,
      subject,
      text: textBody,
      html: htmlBody,
      attachments,
      createdAt,
      channel,
    }))
  })
}
