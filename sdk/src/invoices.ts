import type { CallOptions } from './calls.ts'
import { pause } from './deadline.ts'
import { RisitiError, TimedOut } from './errors.ts'
import type { Signal } from './fetch.ts'
import type { Transport } from './transport.ts'

export interface WaitOptions {
  /** how long to wait in all, in milliseconds; 120,000 by default */
  readonly timeoutMs?: number | undefined
  readonly signal?: Signal | undefined
  /** called with each new status */
  readonly onStatus?: ((status: string) => void) | undefined
}

/** What the client adds to the operations of invoices. */
export interface InvoiceHelpers<Invoice> {
  /**
   * Waits until the tax authority has decided about a submitted document, and returns it: `accepted`, `rejected`, `failed` or `cancelled`.
   * Throws at once if the document was not submitted, and `TimedOut` if the decision takes longer than `timeoutMs`.
   */
  waitForOutcome(id: string, options?: WaitOptions): Promise<Invoice>
  /** The PDF of a document. Asks for a download link and follows it. */
  downloadPdf(id: string, options?: CallOptions): Promise<Uint8Array>
}

/** Methods under their American spelling. */
export interface AmericanNames<Finalise> {
  /** The same as `finalise`. */
  readonly finalize: Finalise
}

interface InvoiceCalls<Invoice> {
  get(id: string, options?: CallOptions): Promise<Invoice>
  download(id: string, query?: undefined, options?: CallOptions): Promise<{ readonly url: string }>
}

const decided = ['accepted', 'rejected', 'failed', 'cancelled']
const notSubmitted = ['draft', 'finalised']
const firstPauseMs = 250
const longestPauseMs = 5_000

export const invoiceHelpers = <Invoice extends { readonly status: string }>(
  calls: InvoiceCalls<Invoice>,
  transport: Pick<Transport, 'bytesAt'>,
): InvoiceHelpers<Invoice> => ({
  async waitForOutcome(id, { timeoutMs = 120_000, signal, onStatus } = {}) {
    const endsAt = performance.now() + timeoutMs
    let last: string | undefined
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 1.5)) {
      const invoice = await calls.get(id, { signal })
      const { status } = invoice
      if (status !== last) onStatus?.(status)
      last = status
      if (decided.includes(status)) return invoice
      if (notSubmitted.includes(status)) throw new RisitiError(`the document is ${status}: submit it first`)
      if (performance.now() + pauseMs > endsAt)
        throw new TimedOut(`the document is still ${status} after ${timeoutMs} ms`)
      await pause(pauseMs, signal)
    }
  },
  async downloadPdf(id, options) {
    const { url } = await calls.download(id, undefined, options)
    return await transport.bytesAt(url, options)
  },
})
