import { NoAnswer } from './sdk.ts'

/** Twice the largest reply of the service: a ZIP file with 200 PDFs. */
export const mostReplyBytes = 256 * 1024 * 1024

/** Like `fetch`, for replies of a bounded size: a body without end would take all memory of the machine. No redirect is followed. */
export async function boundedFetch(
  url: string,
  init: Omit<RequestInit, 'redirect'>,
  mostBytes = mostReplyBytes,
): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: 'manual' })
  if (response.body === null) return response
  let bytes = 0
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      bytes += piece.byteLength
      if (bytes > mostBytes) throw new NoAnswer(`the reply of ${new URL(url).origin} has more than ${mostBytes} bytes`)
      controller.enqueue(piece)
    },
  })
  const { headers } = response
  // Above 599 there is no status: who sends one is no service.
  const status = response.status > 599 ? 502 : response.status
  return new Response(response.body.pipeThrough(counting), { status, headers })
}
