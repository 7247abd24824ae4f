import type { Mode } from '../kernel/tenant.ts'
import type { WebhookHttp } from '../modules/webhooks/index.ts'
import type { OutboundHttp } from '../platform/outbound/outbound-http.ts'
import { namesAlone, readUrl, thisMachine, type UrlRules } from '../platform/outbound/public-urls.ts'

/** An address of our own that the rules would not allow: the receiver of the demo. */
export type OwnReceiver = () => string | undefined

/** Limit of an answer that is read and kept. */
const mostBytes = 64 * 1024
const keptBytes = 1_024

/**
 * Sends to addresses that users enter, under the rules for those. One deadline covers a whole attempt. The connection
 * limit per host equals the dispatcher's limit, so that a hanging path does not delay another path of the same host. A playground allows
 * sandbox endpoints on its own machine too.
 */
export function webhookHttp(
  outbound: OutboundHttp,
  rules: UrlRules,
  receiver: OwnReceiver = () => undefined,
  { allowsThisMachine = false }: { readonly allowsThisMachine?: boolean } = {},
): WebhookHttp {
  const options = {
    headersMs: 30_000,
    bodyMs: 30_000,
    overallMs: 10_000,
    mostBytes,
    keptBytes,
    connections: 256,
    mostWaiting: 1_024,
    mostOrigins: 4_096,
  }
  // In live mode the URL needs a host name with a valid certificate. In the sandbox an IP address is allowed.
  const rulesIn = { sandbox: rules, live: namesAlone(rules) }
  const strangersIn = {
    sandbox: outbound.public('webhooks', rulesIn.sandbox, options),
    live: outbound.public('webhooks', rulesIn.live, options),
  }
  /** A program of the developer on the machine of the playground. */
  const onThisMachine = outbound.public('webhooks', thisMachine, options)
  const isOnThisMachine = (url: string, mode: Mode): boolean =>
    allowsThisMachine && mode === 'sandbox' && readUrl(url, thisMachine) instanceof URL
  const own = outbound.party('webhooks-receiver', { ...options, baseUrl: () => receiver() ?? '' })
  const isOwn = (url: string): boolean => {
    const base = receiver()
    return base !== undefined && URL.parse(url)?.origin === base
  }
  return {
    faultOf(url, mode) {
      if (isOwn(url) || isOnThisMachine(url, mode)) return undefined
      const read = readUrl(url, rulesIn[mode])
      return read instanceof URL ? undefined : read
    },
    post({ url, mode, endpointId, headers, body, timeoutMs }) {
      const asked = { url, method: 'POST', headers, body, overallMs: timeoutMs, apart: endpointId } as const
      if (!isOwn(url)) return (isOnThisMachine(url, mode) ? onThisMachine : strangersIn[mode]).send(asked)
      const { pathname, search } = new URL(url)
      return own.send({ ...asked, path: `${pathname}${search}` })
    },
  }
}
