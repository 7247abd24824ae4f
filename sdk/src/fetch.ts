import type { Outgoing } from './credentials.ts'

/** The part of `fetch` that the client uses. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>

/** The `AbortSignal` of the platform. Programs that compile without its types get our `Signal`. */
export type NativeSignal = typeof globalThis extends { AbortSignal: { prototype: infer Native } } ? Native : Signal

export interface FetchInit extends Outgoing {
  body?: string
  signal: NativeSignal
  redirect: 'manual'
}

export interface FetchResponse {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  text(): Promise<string>
  /** needed only for downloads */
  arrayBuffer?(): Promise<ArrayBuffer>
}

/** The part of an `AbortSignal` that the client uses. */
export interface Signal {
  readonly aborted: boolean
  readonly reason: unknown
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/** Looks up the global `fetch` for each request, so that a later replacement (a proxy, a test) applies. */
export const globalFetch: Fetch = (url, init) => fetch(url, init)
