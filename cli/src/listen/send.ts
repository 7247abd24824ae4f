import { request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'

/**
 * How the program at the address took an event: it replied; nothing listens there; or the connection broke after the event was sent, so
 * the program may have it.
 */
export type SendResult =
  | { readonly kind: 'replied'; readonly status: number; readonly ms: number }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'broken'; readonly reason: string }

const neverArrived = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EHOSTDOWN)$/

/** Sends one event. The address is used as it was given, with its query. */
export function send(
  address: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  { replyMs, signal }: { readonly replyMs: number; readonly signal: AbortSignal },
): Promise<SendResult> {
  const beganAt = performance.now()
  const request = address.startsWith('https:') ? secureRequest : plainRequest
  return new Promise((resolve, reject) => {
    const sending = request(
      address,
      {
        method: 'POST',
        headers: { ...headers, 'content-length': Buffer.byteLength(body), 'user-agent': 'risiti-listen' },
        signal,
        agent: false,
      },
      (response) => {
        clearTimeout(timer)
        response.resume()
        const ms = Math.round(performance.now() - beganAt)
        resolve({ kind: 'replied', status: response.statusCode ?? 0, ms })
        // The status is what counts. A body without end must not keep the connection open.
        response.once('error', () => {})
        const ending = setTimeout(() => response.destroy(), replyMs).unref()
        // A timer of each event would keep its reply in memory.
        response.once('close', () => clearTimeout(ending))
      },
    )
    const timer = setTimeout(() => sending.destroy(new Error(`no reply within ${replyMs / 1_000} seconds`)), replyMs)
    sending.once('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer)
      if (signal.aborted) return reject(error)
      const reason = error.code ?? error.message
      resolve({ kind: neverArrived.test(reason) ? 'refused' : 'broken', reason })
    })
    sending.end(body)
  })
}
