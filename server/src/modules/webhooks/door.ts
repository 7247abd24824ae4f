import type { Answer, UrlFault } from '../../platform/outbound/outbound-http.ts'

export interface Post {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** for all of it, from looking up the name to the end of the answer */
  readonly timeoutMs: number
}

/** How requests reach the addresses that users give, and which addresses may be given. */
export interface WebhookDoor {
  faultOf(url: string): UrlFault | undefined
  /** Rejects with `OutboundFailure` where there is no answer. */
  post(post: Post): Promise<Answer>
}

declare module '../../platform/operations/ports.ts' {
  interface Ports {
    readonly webhookDoor: WebhookDoor
  }
}
