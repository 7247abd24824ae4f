import { Refused } from '@risiti/sdk'
import type { QueryClient } from '@tanstack/react-query'
import { fetchWithSession } from './client.ts'

/** What is read again when objects of a kind change, by the first words of its keys. */
const keysOf: Readonly<Record<string, readonly string[]>> = {
  invoice: ['invoices'],
  inbound_invoice: ['received'],
  buyer: ['buyers'],
  seller: ['sellers'],
  item: ['items'],
  received_payment: ['collection', 'invoices'],
  virtual_account: ['collection'],
  settlement_account: ['collection'],
  payment: ['billing', 'billing-payment'],
  balance: ['billing'],
  billing_account: ['billing'],
  subscription: ['billing'],
  tax_connection: ['tax-connection', 'sellers'],
  webhook_endpoint: ['webhooks'],
  api_key: ['api-keys'],
  organization: ['organisation', 'organisations'],
  member: ['members', 'session'],
  invitation: ['invitations'],
  role: ['roles', 'session'],
}

const place = 'risiti-live'
/** What the windows of a browser tell each other when the session has ended. */
const signedOut = 'signed-out'
const shortestPauseMs = 1_000
const longestPauseMs = 60_000

/** What was said, once it is whole: messages end with an empty line. */
async function* messagesOf(answer: Response): AsyncGenerator<{ readonly event: string; readonly data: string }> {
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let heard = ''
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const [rest = '', ...whole] = (heard + decoder.decode(part.value, { stream: true })).split('\n\n').reverse()
    heard = rest
    for (const message of whole.reverse()) {
      const field = (name: string) =>
        message
          .split('\n')
          .find((line) => line.startsWith(`${name}: `))
          ?.slice(name.length + 2)
      const event = field('event')
      if (event !== undefined) yield { event, data: field('data') ?? '{}' }
    }
  }
}

/** Listens for as long as it is wanted. A stream that ends is opened again, later each time it did not last. */
async function follow(signal: AbortSignal, tell: (kinds: readonly string[]) => void): Promise<void> {
  let pauseMs = shortestPauseMs
  let refusals = 0
  while (!signal.aborted) {
    try {
      for await (const { event, data } of messagesOf(await fetchWithSession('/i/v1/stream', signal))) {
        pauseMs = shortestPauseMs
        refusals = 0
        // Nothing is missed from here on; what happened before is not told.
        tell(event === 'begun' ? ['everything'] : (JSON.parse(data) as { kinds: readonly string[] }).kinds)
      }
    } catch (error) {
      // Once may be a network that came back in the middle of it.
      refusals = error instanceof Refused && error.status === 401 ? refusals + 1 : 0
      if (refusals > 1) return tell([signedOut])
      pauseMs = Math.min(pauseMs * 2, longestPauseMs)
    }
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pauseMs)
      signal.addEventListener('abort', () => {
        clearTimeout(timer)
        resolve()
      })
    })
  }
}

/**
 * Has everything that is shown read again when it changes elsewhere. Of all windows of a browser one listens and tells the others: a browser
 * opens few connections to one host, and windows that each kept one would soon have none left to ask with.
 */
export function listenForChanges(queries: QueryClient): () => void {
  // Without these, on pages that do not come over https, what is shown is as old as it was read.
  if (!('locks' in navigator) || !('BroadcastChannel' in globalThis)) return () => undefined
  const stopping = new AbortController()
  const channel = new BroadcastChannel(place)
  function hear(kinds: readonly string[]): void {
    // Nothing that was read stays on a page that somebody left open.
    if (kinds.includes(signedOut))
      location.assign(`/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`)
    const keys = new Set(kinds.flatMap((kind) => keysOf[kind] ?? []))
    const isAll = kinds.includes('everything')
    void queries.invalidateQueries({
      // What somebody is writing is theirs until they save it.
      predicate: ({ queryKey: [of, what] }) => what !== 'draft' && (isAll || keys.has(String(of))),
    })
  }
  channel.onmessage = ({ data }) => hear(data as readonly string[])
  const tell = (kinds: readonly string[]) => {
    hear(kinds)
    channel.postMessage(kinds)
  }
  const listening = navigator.locks.request(place, { signal: stopping.signal }, () => follow(stopping.signal, tell))
  listening.catch(() => undefined)
  return () => {
    stopping.abort()
    channel.close()
  }
}
