import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { publicCaller } from '../../kernel/callers.ts'
import { languageIn } from '../../kernel/languages/languages.ts'
import { Refusal } from '../../kernel/refusals.ts'
import type { StatementDocument } from '../../kernel/statement-of-account.ts'
import { bulkJobOperations, zipOf } from '../../modules/bulk-jobs/index.ts'
import { buyerAccountOperations } from '../../modules/buyer-accounts/index.ts'
import { documentOperations, type RenderedFile, type SharedInvoice } from '../../modules/documents/index.ts'
import { taxReturnOperations } from '../../modules/tax-returns/index.ts'
import { isNotModified } from '../reply/entity-tag.ts'
import { sendPacked } from '../reply/packed-reply.ts'
import { statementCsv } from '../reply/statement-csv.ts'
import { taxReturnCsv } from '../reply/tax-return-csv.ts'
import { giveReason } from '../reply/unavailable.ts'
import { countedByAddress } from '../request/counting.ts'
import { goneSignalOf } from '../server/gone-callers.ts'
import type { HttpParts } from '../server/mount.ts'
import { laterPage, notSharedPage, sharedInvoicePage } from '../shared-page/page.ts'
import { pageHeaders, privately } from '../shared-page/page-headers.ts'
import { sharedStatementPage } from '../shared-page/statement-page.ts'

/** Browsers show a PDF inside a page of their own, with an object element and styles. */
const fileHeaders = {
  'content-security-policy':
    "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
  ...privately,
}

export type LinkRequest = FastifyRequest<{ Params: { token: string } }>

/** The language that a reader chose on a public page; `undefined` for the buyer's own. */
export const chosenLanguage = ({ query }: LinkRequest) =>
  languageIn((query as { readonly language?: unknown }).language)
/** The same page or file in the chosen language. */
export const inLanguage = (path: string, language: string | undefined) =>
  language === undefined ? path : `${path}?language=${language}`

/** A 304 for a client with the same bytes. */
export function send(
  request: LinkRequest,
  reply: FastifyReply,
  { bytes, sha256 }: Pick<RenderedFile, 'bytes' | 'sha256'>,
  headers: Record<string, string>,
): FastifyReply {
  const etag = `"${sha256}"`
  if (isNotModified(request.headers['if-none-match'], etag))
    return reply
      .code(304)
      .headers({ etag, ...privately })
      .send()
  reply.headers({ ...headers, etag })
  // A PDF is compressed already.
  return headers['content-type'] === 'application/pdf' ? reply.send(bytes) : sendPacked(request, reply, bytes)
}

export const sendFile = (
  request: LinkRequest,
  reply: FastifyReply,
  file: RenderedFile,
  how: 'attachment' | 'inline',
) => {
  const { contentType, fileName } = file
  const headers = {
    'content-type': contentType,
    'content-disposition': `${how}; filename="${fileName}"`,
    ...fileHeaders,
  }
  return send(request, reply, file, headers)
}

export const callOf = (request: LinkRequest, reply: FastifyReply) => ({
  caller: publicCaller,
  origin: { requestId: request.id, address: request.clientAddress, userAgent: request.headers['user-agent'] ?? '' },
  input: { token: request.params.token },
  signal: goneSignalOf(request, reply),
})

const nothingThere: readonly string[] = [
  'resource.not_found',
  'jurisdiction.unsupported',
  'statement_of_account.too_long',
  'tax_return.too_long',
]

/** Temporary refusals, and their status. */
const passing: Readonly<Record<string, number>> = {
  'limit.exceeded': 429,
  'document.not_drawn': 503,
  'dependency.unavailable': 503,
}

/** People open these links, so they get a page instead of an envelope. Unknown and expired links look the same. */
export function answerPeople(error: unknown, _request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!(error instanceof Refusal)) throw error
  if (nothingThere.includes(error.refusal)) return reply.code(404).headers(pageHeaders).send(notSharedPage())
  const status = passing[error.refusal]
  if (status === undefined) throw error
  if (status === 503) giveReason(reply, { reason: error.away ?? error.refusal })
  const seconds = error.retryAfterSeconds ?? 2
  return reply
    .code(status)
    .headers({ ...pageHeaders, 'retry-after': seconds, 'risiti-reason': error.refusal })
    .send(laterPage(seconds))
}

/** Files behind signed links, and the public pages of shared invoices and statements of account. The link is the only credential; requests are counted by address. */
export function serveDocuments(server: FastifyInstance, parts: HttpParts): void {
  const { runner } = parts
  const counted = countedByAddress(parts)
  const forPeople = { ...counted, errorHandler: answerPeople }
  server.get<{ Params: { token: string } }>('/downloads/:token', counted, async (request, reply) =>
    sendFile(request, reply, await runner.run(documentOperations.openDownload, callOf(request, reply)), 'attachment'),
  )
  server.get<{ Params: { token: string } }>('/downloads/zip/:token', counted, async (request, reply) => {
    const { fileName, files } = await runner.run(bulkJobOperations.downloadArchive, callOf(request, reply))
    reply.headers({
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="${fileName}"`,
      ...fileHeaders,
    })
    return reply.send(Readable.from(zipOf(files, parts.runtime.clock.now())))
  })
  server.get<{ Params: { token: string } }>('/s/:token', forPeople, async (request, reply) => {
    const { input, ...call } = callOf(request, reply)
    const language = chosenLanguage(request)
    const at = `/s/${input.token}`
    const pdf = inLanguage(`${at}/pdf`, language)
    const write = ({ document, letterhead, words, version }: SharedInvoice) =>
      sharedInvoicePage(document, letterhead, { pdf, changes: `${at}/changes?seen=${version}` }, words)
    return send(
      request,
      reply,
      await runner.run(documentOperations.openSharedPage, { ...call, input: { ...input, language, write } }),
      pageHeaders,
    )
  })
  server.get<{ Params: { token: string } }>('/downloads/statement/:token', counted, async (request, reply) => {
    const { input, ...call } = callOf(request, reply)
    const open = { ...call, input: { ...input, csvOf: statementCsv } }
    return sendFile(request, reply, await runner.run(buyerAccountOperations.openStatementDownload, open), 'attachment')
  })
  server.get<{ Params: { token: string } }>('/downloads/tax-return/:token', counted, async (request, reply) => {
    const { input, ...call } = callOf(request, reply)
    const open = { ...call, input: { ...input, csvOf: taxReturnCsv } }
    return sendFile(request, reply, await runner.run(taxReturnOperations.openTaxReturnDownload, open), 'attachment')
  })
  server.get<{ Params: { token: string } }>('/s/account/:token', forPeople, async (request, reply) => {
    const { input, ...call } = callOf(request, reply)
    const language = chosenLanguage(request)
    const pdf = inLanguage(`/s/account/${input.token}/pdf`, language)
    const write = (statement: StatementDocument) => sharedStatementPage(statement, { pdf })
    const open = { ...call, input: { ...input, language, write } }
    return send(request, reply, await runner.run(buyerAccountOperations.openSharedStatement, open), pageHeaders)
  })
  server.get<{ Params: { token: string } }>('/s/account/:token/pdf', forPeople, async (request, reply) => {
    const { input, ...call } = callOf(request, reply)
    const open = { ...call, input: { ...input, language: chosenLanguage(request) } }
    const file = await runner.run(buyerAccountOperations.openSharedStatementPdf, open)
    return sendFile(request, reply, file, 'inline')
  })
  server.get<{ Params: { token: string } }>('/s/:token/pdf', forPeople, async (request, reply) => {
    const { input, ...call } = callOf(request, reply)
    const open = { ...call, input: { ...input, language: chosenLanguage(request) } }
    return sendFile(request, reply, await runner.run(documentOperations.openSharedPdf, open), 'inline')
  })
}
