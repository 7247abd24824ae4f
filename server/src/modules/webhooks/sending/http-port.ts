import type { Mode } from '../../../kernel/tenant.ts'
import type { Answer } from '../../../platform/outbound/one-request.ts'
import type { UrlFault } from '../../../platform/outbound/public-urls.ts'
import type { EndpointId } from '../endpoints/endpoint.ts'

export interface WebhookPost {
  readonly url: string
  /** Mode of the endpoint: each mode allows other addresses. */
  readonly mode: Mode
  /** Endpoints never share a connection, so that one cannot affect another. */
  readonly endpointId: EndpointId
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** For the whole request, from the name lookup to the end of the reply. */
  readonly timeoutMs: number
}

/** Sends requests to addresses of users, and checks which addresses are allowed. */
export interface WebhookHttp {
  faultOf(url: string, mode: Mode): UrlFault | undefined
  /** Rejects with `OutboundFailure` if there is no reply. */
  post(post: WebhookPost): Promise<Answer>
}

declare module '../../../platform/operations/ports.ts' {
  interface Ports {
    readonly webhookHttp: WebhookHttp
  }
}
