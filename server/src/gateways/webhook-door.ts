import type { WebhookDoor } from '../modules/webhooks/index.ts'
import { namesAlone, type OutboundHttp, readUrl, type UrlRules } from '../platform/outbound/outbound-http.ts'

/** An address of our own that is reached although the rules would not allow it: the receiver of a playground. */
export type OwnReceiver = () => string | undefined

/** More of an answer is not read, and this much of it is kept. */
const mostBytes = 64 * 1024
const keptBytes = 1_024

/**
 * Sends to addresses that users give, under the rules for those. Each attempt has one deadline for all of it. Connections to one
 * host are as many as the sender may have under way: a path that hangs does not hold up another path of the same host.
 */
export function webhookDoor(
  outbound: OutboundHttp,
  rules: UrlRules,
  receiver: OwnReceiver = () => undefined,
): WebhookDoor {
  const manner = {
    headersMs: 30_000,
    bodyMs: 30_000,
    overallMs: 10_000,
    mostBytes,
    keptBytes,
    connections: 256,
    mostWaiting: 1_024,
    mostOrigins: 4_096,
  }
  // Who is told of what really happened has a name that its certificate is for; to try things out an address will do.
  const rulesIn = { sandbox: rules, live: namesAlone(rules) }
  const strangersIn = {
    sandbox: outbound.public('webhooks', rulesIn.sandbox, manner),
    live: outbound.public('webhooks', rulesIn.live, manner),
  }
  const own = outbound.party('webhooks-receiver', { ...manner, baseUrl: () => receiver() ?? '' })
  const isOwn = (url: string): boolean => {
    const base = receiver()
    return base !== undefined && URL.parse(url)?.origin === base
  }
  return {
    faultOf(url, mode) {
      if (isOwn(url)) return undefined
      const read = readUrl(url, rulesIn[mode])
      return read instanceof URL ? undefined : read
    },
    post({ url, mode, endpointId, headers, body, timeoutMs }) {
      const asked = { url, method: 'POST', headers, body, overallMs: timeoutMs, apart: endpointId } as const
      if (!isOwn(url)) return strangersIn[mode].send(asked)
      const { pathname, search } = new URL(url)
      return own.send({ ...asked, path: `${pathname}${search}` })
    },
  }
}
