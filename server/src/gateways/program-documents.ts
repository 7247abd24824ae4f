import type { ProgramDocuments } from '../modules/programs/index.ts'
import { OutboundFailure } from '../platform/outbound/failures.ts'
import type { OutboundHttp } from '../platform/outbound/outbound-http.ts'
import type { UrlRules } from '../platform/outbound/public-urls.ts'

/** Room for a name and a few addresses. */
const mostBytes = 16 * 1024
/** A person waits for it. */
const overallMs = 5_000

/**
 * Reads documents of programs under the rules for addresses of strangers. Redirects are not followed. The first rules with the scheme of
 * the address count: plain HTTP is only for the machine of a developer.
 */
export function programDocuments(outbound: OutboundHttp, rules: readonly UrlRules[]): ProgramDocuments {
  const ways = rules.map((one) => ({
    schemes: one.schemes,
    addresses: outbound.public('program_documents', one, { mostBytes, overallMs, connections: 4, mostWaiting: 16 }),
  }))
  return {
    async read(url) {
      const way = ways.find(({ schemes }) => schemes.includes(new URL(url).protocol))
      if (!way) return undefined
      try {
        const headers = { accept: 'application/json' }
        const { status, body } = await way.addresses.send({ method: 'GET', url, headers })
        return status === 200 ? body.toString('utf8') : undefined
      } catch (error) {
        if (error instanceof OutboundFailure) return undefined
        throw error
      }
    },
  }
}
