import { Refused } from '@risiti/sdk'
import type { QueryClient } from '@tanstack/react-query'
import { fetchWithSession } from './client.ts'

/** The query keys to refetch when objects of a kind change, by their first word. */
const keysOf: Readonly<Record<string, readonly string[]>> = {
  invoice: ['invoices', 'reminders', 'tax-returns'],
  reminder_plan: ['reminders'],
  quote: ['quotes'],
  recurring_schedule: ['recurring'],
  bulk_job: ['bulk-jobs'],
  inbound_invoice: ['received', 'tax-returns'],
  test_clock_move: ['test-clock'],
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
  connected_program: ['connected-programs'],
  tax_return: ['tax-returns'],
  // Events of the organisation are also about exchange rates.
  organization: ['organisation', 'organisations', 'tax-returns'],
  member: ['members', 'session'],
  invitation: ['invitations'],
  role: ['roles', 'session'],
}

const place = 'risiti-live'
/** The message between a browser's windows when the session has ended. */
const signedOut = 'signed-out'
const shortestPauseMs = 1_000
/** Pages show changes again soon after a restart of the service. */
const longestPauseMs = 5_000

/** Yields complete messages: each ends with an empty line. */
async function* messagesOf(answer: Response): AsyncGenerator<{ readonly event: string; readonly data: string }> {
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let unread = ''
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const [rest = '', ...whole] = (unread + decoder.decode(part.value, { stream: true })).split('\n\n').reverse()
    unread = rest
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

/** Listens until aborted. Reopens an ended stream, with a growing delay if the stream was short. */
async function follow(signal: AbortSignal, tell: (kinds: readonly string[]) => void): Promise<void> {
  let pauseMs = shortestPauseMs
  let refusals = 0
  while (!signal.aborted) {
    try {
      for await (const { event, data } of messagesOf(await fetchWithSession('/i/v1/stream', signal))) {
        pauseMs = shortestPauseMs
        refusals = 0
        // The stream reports no earlier changes, so everything is refetched once when it begins.
        tell(event === 'begun' ? ['everything'] : (JSON.parse(data) as { kinds: readonly string[] }).kinds)
      }
    } catch (error) {
      // A single 401 may come from a network that just came back.
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
 * Refetches shown data when it changes elsewhere. Only one window of a browser listens and informs the others, because
 * a browser opens few connections per host.
 */
export function listenForChanges(queries: QueryClient): () => void {
  // Pages without https lack these features, so their data stays as it was read.
  if (!('locks' in navigator) || !('BroadcastChannel' in globalThis)) return () => undefined
  const stopping = new AbortController()
  const channel = new BroadcastChannel(place)
  function refresh(kinds: readonly string[]): void {
    // After a sign-out, no data stays on a page that is still open.
    if (kinds.includes(signedOut))
      location.assign(`/sign-in?next=${encodeURIComponent(location.pathname + location.search)}&ended=true`)
    const keys = new Set(kinds.flatMap((kind) => keysOf[kind] ?? []))
    const isAll = kinds.includes('everything')
    void queries.invalidateQueries({
      // A draft that a person is editing must not be overwritten.
      predicate: ({ queryKey: [of, what] }) => what !== 'draft' && (isAll || keys.has(String(of))),
    })
  }
  channel.onmessage = ({ data }) => refresh(data as readonly string[])
  const tell = (kinds: readonly string[]) => {
    refresh(kinds)
    channel.postMessage(kinds)
  }
  const listening = navigator.locks.request(place, { signal: stopping.signal }, () => follow(stopping.signal, tell))
  listening.catch(() => undefined)
  return () => {
    stopping.abort()
    channel.close()
  }
}
