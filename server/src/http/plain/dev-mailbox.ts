import type { FastifyInstance } from 'fastify'
import { refuse } from '../../kernel/refusals.ts'
import { type Mailbox, readMailbox } from '../../modules/messages/index.ts'
import { framedHtml, type MailboxMessage } from '../mailbox-page/contents.ts'
import { mailboxPage, mailPage, scriptPath, stylesheetPath } from '../mailbox-page/page.ts'
import { script } from '../mailbox-page/script.ts'
import { styles } from '../mailbox-page/styles.ts'
import { KeptText } from '../reply/kept-text.ts'
import { preferredMedia } from '../request/accept.ts'

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; frame-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
  vary: 'accept',
}

/** A mail may contain words of a stranger, so it runs no script and loads nothing. Only the page of the mail may frame it. */
const framedHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; form-action 'none'; sandbox allow-popups allow-popups-to-escape-sandbox",
  'x-frame-options': 'SAMEORIGIN',
}

/** Sent mails and text messages, newest first: a page for people, JSON for programs. Exists only in a playground. */
export function serveDevMailbox(server: FastifyInstance, mailbox: Mailbox): void {
  server.get<{ Querystring: { to?: string } }>('/dev/mailbox', async ({ query, headers }, reply) => {
    const to = typeof query.to === 'string' && query.to !== '' ? query.to : undefined
    const messages = await readMailbox(mailbox, to)
    if (preferredMedia(headers.accept, ['application/json', 'text/html']) !== 'text/html')
      return reply.header('vary', 'accept').send(messages.map(({ id: _, ...message }) => message))
    const all = to === undefined ? messages : await readMailbox(mailbox, undefined)
    const recipients = [...new Set(all.map((message) => message.to))].sort()
    return reply.headers(pageHeaders).send(mailboxPage({ messages, recipients, to }))
  })

  const code = new KeptText('text/javascript; charset=utf-8', () => script)
  server.get(scriptPath, (request, reply) => code.send(request, reply))
  const sheet = new KeptText('text/css; charset=utf-8', () => styles)
  server.get(stylesheetPath, (request, reply) => sheet.send(request, reply))

  async function mailOf(id: string): Promise<MailboxMessage> {
    const mail = (await readMailbox(mailbox, undefined)).find((message) => message.id === id)
    if (!mail) throw refuse('route.not_found')
    return mail
  }
  server.get<{ Params: { id: string } }>('/dev/mailbox/:id', async ({ params }, reply) =>
    reply.headers(pageHeaders).send(mailPage(await mailOf(params.id))),
  )
  server.get<{ Params: { id: string } }>('/dev/mailbox/:id/html', async ({ params }, reply) =>
    reply.headers(framedHeaders).send(framedHtml(await mailOf(params.id))),
  )
  server.get<{ Params: { id: string; index: string } }>(
    '/dev/mailbox/:id/attachments/:index',
    async ({ params }, reply) => {
      const file = (await mailOf(params.id)).attachments[Number(params.index)]
      if (!file) throw refuse('route.not_found')
      const name = file.filename.replace(/[^\w.-]/g, '_')
      return reply
        .headers({ 'content-type': file.contentType, 'content-disposition': `attachment; filename="${name}"` })
        .send(Buffer.from(file.base64, 'base64'))
    },
  )
}
