import type { Mode } from '../../kernel/tenant.ts'
import type { Answer, UrlFault } from '../../platform/outbound/outbound-http.ts'
import type { EndpointId } from './endpoint.ts'

export interface Post {
  readonly url: string
  /** of the endpoint: what may be called in one need not be what may be called in the other */
  readonly mode: Mode
  /** whom it is for: no two share a connection, whatever one of them leaves behind on it */
  readonly endpointId: EndpointId
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** for all of it, from looking up the name to the end of the answer */
  readonly timeoutMs: number
}

/** How requests reach the addresses that users give, and which addresses may be given. */
export interface WebhookDoor {
  faultOf(url: string, mode: Mode): UrlFault | undefined
  /** Rejects with `OutboundFailure` where there is no answer. */
  post(post: Post): Promise<Answer>
}

declare module '../../platform/operations/ports.ts' {
  interface Ports {
    readonly webhookDoor: WebhookDoor
  }
}
