import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Jurisdiction } from '../../jurisdictions/port.ts'
import { networkOf } from '../../kernel/addresses.ts'
import { publicCaller } from '../../kernel/callers.ts'
import { type Decimal, parseDecimal } from '../../kernel/decimal.ts'
import { Refusal, refuse } from '../../kernel/refusals.ts'
import { submissionOperations } from '../../modules/submissions/index.ts'
import type { RateLimit } from '../../platform/limits/rate-limits.ts'
import { countedByAddress } from '../request/counting.ts'
import { userAgentOf } from '../request/note-request.ts'
import type { HttpParts } from '../server/mount.ts'
import { pageHeaders } from '../shared-page/page-headers.ts'
import { parameterOf } from '../shared-page/page-words.ts'
import { type VerifyAnswer, type VerifyAsked, verifyPage } from '../shared-page/verify-page.ts'
import { answerPeople } from './documents.ts'

/** The input becomes part of the address: it must not leak to other sites or caches. */
const headers = {
  ...pageHeaders,
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
}

/**
 * A holder of the document needs one try at its total. A network has ten tries per hour for one reference. After thirty tries from all networks
 * together, somebody is guessing: each network then has three. So guessing is hopeless from any number of networks, and a stranger cannot
 * lock out a holder.
 */
const triesOfNetwork = 10
const triesOfAll = 30
const triesWhileGuessed = 3

const triesAt = (reference: string, network: string, perWindow: number): RateLimit => ({
  subject: `verify:${reference}${network === '' ? '' : ` from ${network}`}`,
  perWindow,
  windowSeconds: 3_600,
})

const longest = 80
const textIn = (value: unknown): string => (typeof value === 'string' ? value.trim().slice(0, longest) : '')

/** As people write amounts: with a sign or code before it, and separators for thousands. */
export function amountOf(text: string): Decimal | undefined {
  const bare = text.replace(/^(?:[A-Za-z]{3}|[^\d.,\s-])?\s*/, '').replace(/\s*[A-Za-z]{3}$/, '')
  if (!/^(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d{1,2})?$/.test(bare)) return undefined
  return parseDecimal(bare.replaceAll(',', ''))
}

/** Where a holder of an invoice checks that it was reported. Counted by address and by number, because both can be guessed. */
export function serveVerification(server: FastifyInstance, parts: HttpParts): void {
  const { runner, runtime } = parts
  const countries = runtime.ports.jurisdictions.all
  // The page asks in the words of the first country that is served.
  const [
    {
      words: { reference: words },
    },
  ] = countries as [Jurisdiction]
  async function countTry(reference: string, network: string): Promise<void> {
    const own = await runtime.limiter.takeExactly(triesAt(reference, network, triesOfNetwork))
    const isGuessed = !(await runtime.limiter.takeExactly(triesAt(reference, '', triesOfAll))).allowed
    const ownTries = triesOfNetwork - own.remaining
    if (!own.allowed || (isGuessed && ownTries > triesWhileGuessed))
      throw refuse('limit.exceeded', { retryAfterSeconds: own.resetSeconds })
  }

  async function answerTo(asked: VerifyAsked, request: FastifyRequest): Promise<VerifyAnswer> {
    const reference = asked.reference.toUpperCase()
    const total = amountOf(asked.total)
    const faults = {
      ...(countries.some(({ reporting }) => reporting.isReference(reference))
        ? {}
        : { reference: `${words.shape}, such as ${words.example}` }),
      ...(total === undefined ? { total: 'An amount, such as 45,150.00' } : {}),
    }
    if (total === undefined || Object.keys(faults).length > 0) return { kind: 'unreadable', faults }
    // Counted whether or not the invoice is known, so that a refusal reveals nothing.
    await countTry(reference, networkOf(request.clientAddress))
    const origin = { requestId: request.id, address: request.clientAddress, userAgent: userAgentOf(request) }
    try {
      const input = { reference, total }
      return {
        kind: 'known',
        facts: await runner.run(submissionOperations.verifyReported, { caller: publicCaller, origin, input }),
      }
    } catch (error) {
      if (error instanceof Refusal && error.refusal === 'resource.not_found') return { kind: 'unknown' }
      throw error
    }
  }

  server.get('/verify', { ...countedByAddress(parts), errorHandler: answerPeople }, async (request, reply) => {
    const { total, ...query } = request.query as Record<string, unknown>
    const reference = countries
      .map(({ words }) => query[parameterOf(words.reference.name)])
      .find((text) => text !== undefined)
    const asked = { reference: textIn(reference), total: textIn(total) }
    // A link from a document contains the reference, and the reader types the total.
    const answer: VerifyAnswer =
      reference === undefined || total === undefined ? { kind: 'none' } : await answerTo(asked, request)
    const status = { none: 200, known: 200, unreadable: 400, unknown: 404 }[answer.kind]
    return reply
      .code(status)
      .headers(headers)
      .send(verifyPage(asked, answer, words))
  })
}
