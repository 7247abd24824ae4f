import type { Signal } from './fetch.ts'

/**
 * An operation: method, path and traits. `b` takes a body, `q` a query, `k` an Idempotency-Key, and `p` returns pages.
 */
export type Operation = readonly [verb: string, path: string, traits: string]
export type Operations = Readonly<Record<string, Readonly<Record<string, Operation>>>>

/** A reply with its metadata. */
export interface WithResponse<Data> {
  readonly data: Data
  readonly status: number
  readonly requestId: string
  /** version of the object, for `ifMatch` */
  readonly etag: string | undefined
  /** address of the object */
  readonly location: string | undefined
  /** true if this is the stored reply of an earlier request */
  readonly replayed: boolean
  readonly idempotencyKey: string | undefined
}

/** A call in progress. `await` returns the data. */
export interface Called<Data> extends Promise<Data> {
  /** the data with status, request id and version */
  withResponse(): Promise<WithResponse<Data>>
}

export interface RetrySettings {
  /** largest number of retries; 2 by default */
  readonly most: number
  /** wait before the first retry, in milliseconds; each further wait is twice as long */
  readonly firstMs: number
  readonly longestMs: number
}

export interface CallOptions {
  /** generated before the first attempt by default */
  readonly idempotencyKey?: string | undefined
  /** the ETag that you read: the change is refused if the object has changed since */
  readonly ifMatch?: string | undefined
  readonly signal?: Signal | undefined
  readonly timeoutMs?: number | undefined
  readonly tryTimeoutMs?: number | undefined
  readonly retry?: Partial<RetrySettings> | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}
