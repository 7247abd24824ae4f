import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { networkOf } from '../../kernel/addresses.ts'
import { publicCaller } from '../../kernel/callers.ts'
import { personNamePattern } from '../../kernel/links.ts'
import { isProse, isSingleLine } from '../../kernel/plain-text.ts'
import { Refusal, refuse } from '../../kernel/refusals.ts'
import { quoteOperations, type quotes } from '../../modules/quotes/index.ts'
import { readBody } from '../request/body-reader.ts'
import { countedByAddress } from '../request/counting.ts'
import type { HttpParts } from '../server/mount.ts'
import { pageHeaders } from '../shared-page/page-headers.ts'
import { type AnswerForm, sharedQuotePage } from '../shared-page/quote-page.ts'
import { answerPeople, callOf, chosenLanguage, inLanguage, type LinkRequest, send, sendFile } from './documents.ts'

/** The form goes to this page only, and no other site can show the page inside its own. */
const headers = {
  ...pageHeaders,
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
}

/** In bytes: the longest remark in a script that takes nine bytes for each letter in a form. */
const formLimit = 16 * 1024
const longestName = 100
const longestRemark = 1_000
/** A buyer needs one or two. */
const answersPerHour = 20

const isName = new RegExp(personNamePattern)

interface Answer {
  readonly decision: quotes.QuoteDecision['decision']
  readonly versionNumber: number
  readonly payableMinor: bigint
  readonly name: string
  readonly remark: string
}

/** The fields of the form. A browser sends the hidden ones as the page had them. */
function answerIn(body: unknown): Answer {
  const fields = new URLSearchParams(Buffer.isBuffer(body) ? body.toString('utf8') : '')
  const text = (name: string) => (fields.get(name) ?? '').toWellFormed().trim()
  const decision = text('decision')
  const [version, total] = [text('version'), text('total')]
  const isDecision = decision === 'accepted' || decision === 'declined'
  if (!isDecision || !/^[1-9]\d{0,2}$/.test(version) || !/^\d{1,18}$/.test(total)) throw refuse('request.malformed')
  return {
    decision,
    versionNumber: Number(version),
    payableMinor: BigInt(total),
    name: text('name'),
    remark: text('remark').replaceAll('\r\n', '\n'),
  }
}

/** A remark that is too long is refused: a buyer's condition at its end must not get lost. A browser stops at this length. */
const isRemarkFit = (remark: string): boolean => remark.length <= longestRemark && isProse(remark)
const isNameFit = (name: string): boolean =>
  name !== '' && name.length <= longestName && isSingleLine(name) && isName.test(name)

/** The public page of a quote, where the buyer accepts or declines. The link is the only credential. */
export function serveSharedQuotes(server: FastifyInstance, parts: HttpParts): void {
  const { runner, runtime } = parts
  const forPeople = { ...countedByAddress(parts), errorHandler: answerPeople }

  async function page(request: LinkRequest, reply: FastifyReply, form?: AnswerForm) {
    const { input, ...call } = callOf(request, reply)
    const language = chosenLanguage(request)
    const at = `/s/quote/${input.token}`
    const links = { pdf: inLanguage(`${at}/pdf`, language), answer: inLanguage(at, language) }
    const write = (shared: quotes.SharedQuote) => sharedQuotePage(shared, links, form)
    return await runner.run(quoteOperations.openSharedQuote, { ...call, input: { ...input, language, write } })
  }

  /** Counted by link and network, so that a stranger cannot use up the tries of the buyer. */
  async function countAnswer({ params: { token }, clientAddress }: LinkRequest): Promise<void> {
    const subject = `quote answer:${hash('sha256', token)} from ${networkOf(clientAddress)}`
    const limit = { subject, perWindow: answersPerHour, windowSeconds: 3_600 }
    const { allowed, resetSeconds } = await runtime.limiter.takeExactly(limit)
    if (!allowed) throw refuse('limit.exceeded', { retryAfterSeconds: resetSeconds })
  }

  server.get<{ Params: { token: string } }>('/s/quote/:token', forPeople, async (request, reply) =>
    send(request, reply, await page(request, reply), headers),
  )
  server.get<{ Params: { token: string } }>('/s/quote/:token/pdf', forPeople, async (request, reply) => {
    const { input, ...call } = callOf(request, reply)
    const open = { ...call, input: { ...input, language: chosenLanguage(request) } }
    return sendFile(request, reply, await runner.run(quoteOperations.openSharedQuotePdf, open), 'inline')
  })
  server.get<{ Params: { token: string } }>(
    '/downloads/quote/:token',
    countedByAddress(parts),
    async (request, reply) =>
      sendFile(
        request,
        reply,
        await runner.run(quoteOperations.openQuoteDownload, callOf(request, reply)),
        'attachment',
      ),
  )

  async function answer(request: LinkRequest & FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { token } = request.params
    const given = answerIn(request.body)
    await countAnswer(request)
    const { name, remark } = given
    const again = async (status: number, fault?: AnswerForm['fault']) => {
      const { bytes } = await page(request, reply, { name, remark, ...(fault && { fault }) })
      return reply.code(status).headers(headers).send(bytes)
    }
    if (!isNameFit(name)) return await again(400, 'name')
    if (!isRemarkFit(remark)) return await again(400, 'remark')
    const { caller, origin } = { ...callOf(request, reply), caller: publicCaller }
    try {
      const input = { token, ...given, remark: remark === '' ? null : remark }
      await runner.run(quoteOperations.decideOnPage, { caller, origin, input })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (error.refusal === 'quote.decide.version_changed') return await again(409, 'changed')
      // Somebody was faster, or the time is over: the page shows it.
      if (error.refusal === 'quote.decide.not_open') return await again(409)
      throw error
    }
    // A reload of the next page sends nothing again.
    return reply
      .code(303)
      .header('location', inLanguage(`/s/quote/${token}`, chosenLanguage(request)))
      .send()
  }

  server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/x-www-form-urlencoded', (request, _payload, done) =>
      readBody(request, formLimit, done),
    )
    scope.post<{ Params: { token: string } }>('/s/quote/:token', { ...forPeople, bodyLimit: formLimit }, answer)
  })
}
