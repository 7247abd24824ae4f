import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { publicCaller } from '../../kernel/callers.ts'
import { Refusal } from '../../kernel/refusals.ts'
import { openDownload, openSharedInvoice, openSharedPdf, type Rendered } from '../../modules/documents/index.ts'
import type { Runner } from '../../platform/operations/runner.ts'
import { notSharedPage, sharedInvoicePage } from '../shared-page/page.ts'

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'x-robots-tag': 'noindex',
  'cache-control': 'private, no-store',
}

/** Browsers show a PDF as a page of their own making, which holds it as an object and has styles of its own. */
const fileHeaders = {
  'content-security-policy':
    "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
  'x-robots-tag': 'noindex',
  'cache-control': 'private, no-store',
}

const sendFile = (reply: FastifyReply, { bytes, contentType, fileName }: Rendered, how: 'attachment' | 'inline') =>
  reply
    .headers({
      'content-type': contentType,
      'content-disposition': `${how}; filename="${fileName}"`,
      ...fileHeaders,
    })
    .send(bytes)

const callOf = (request: FastifyRequest<{ Params: { token: string } }>) => ({
  caller: publicCaller,
  origin: { requestId: request.id, address: request.clientAddress, userAgent: request.headers['user-agent'] ?? '' },
  input: { token: request.params.token },
})

/** People open these links: they get a page, not an envelope. That there never was one is not told apart. */
async function orNotShared(reply: FastifyReply, answer: () => Promise<FastifyReply>): Promise<FastifyReply> {
  try {
    return await answer()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return reply.code(404).headers(pageHeaders).send(notSharedPage())
  }
}

/** Files behind signed links, and the public pages of shared invoices. The link is all that is asked for. */
export function serveDocuments(server: FastifyInstance, runner: Runner): void {
  server.get<{ Params: { token: string } }>('/downloads/:token', async (request, reply) =>
    sendFile(reply, await runner.run(openDownload, callOf(request)), 'attachment'),
  )
  server.get<{ Params: { token: string } }>('/s/:token', (request, reply) =>
    orNotShared(reply, async () => {
      const { document, letterhead, words } = await runner.run(openSharedInvoice, callOf(request))
      const page = sharedInvoicePage(document, letterhead, { pdf: `/s/${request.params.token}/pdf` }, words)
      return reply.headers(pageHeaders).send(page)
    }),
  )
  server.get<{ Params: { token: string } }>('/s/:token/pdf', (request, reply) =>
    orNotShared(reply, async () => sendFile(reply, await runner.run(openSharedPdf, callOf(request)), 'inline')),
  )
}
