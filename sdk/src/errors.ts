import type { Code, Reason } from './form-a.gen.ts'

/** One fault of a request. */
export interface Fault {
  /** position in the request, such as `lineItems[2].quantity` */
  readonly path: string
  /** the violated rule */
  readonly rule: string
  /** what to do about the fault */
  readonly message: string
}

/** Base class of all errors of a call. */
export class RisitiError extends Error {
  override readonly name: string = 'RisitiError'
  /** id of the request in the service's log; include it in support questions */
  requestId: string | undefined
  /** the key of the call; repeat the call with it later without a second effect */
  idempotencyKey: string | undefined
}

/** The service refused the request. */
export class Refused extends RisitiError {
  override readonly name = 'Refused'
  readonly status: number
  /** code of the refusal; several reasons may share a code */
  readonly code: Code | undefined
  /** the exact reason; undefined if a proxy answered instead of the service */
  readonly reason: Reason | undefined
  /** all faults of the request */
  readonly details: readonly Fault[]
  /** seconds until a retry makes sense */
  readonly retryAfterSeconds: number | undefined

  constructor(status: number, headers: { get(name: string): string | null }, body: unknown) {
    const { error, meta } = (body ?? {}) as {
      error?: { code?: Code; reason?: Reason; message?: string; details?: Fault[] }
      meta?: { requestId?: string }
    }
    super(typeof error?.message === 'string' ? error.message : `the answer was ${status}`)
    this.status = status
    this.code = error?.code
    this.reason = error?.reason ?? (headers.get('risiti-reason') as Reason | null) ?? undefined
    this.details = Array.isArray(error?.details) ? error.details : []
    this.retryAfterSeconds = secondsUntil(headers.get('retry-after'))
    this.requestId = meta?.requestId ?? headers.get('x-request-id') ?? undefined
  }

  /** Whether the refusal has one of these reasons. */
  is<R extends Reason>(...reasons: readonly R[]): this is Refused & { readonly reason: R } {
    return (reasons as readonly unknown[]).includes(this.reason)
  }
}

/** No reply: the connection failed or broke. The request may have taken effect. */
export class NoAnswer extends RisitiError {
  override readonly name = 'NoAnswer'
}

/** The time limit of the call was reached. The request may have taken effect. */
export class TimedOut extends RisitiError {
  override readonly name = 'TimedOut'
}

/** A webhook with a wrong signature, or with a time too far from now. */
export class NotGenuine extends RisitiError {
  override readonly name = 'NotGenuine'
}

/** `Retry-After` in seconds, from a number or a date. */
function secondsUntil(header: string | null): number | undefined {
  if (header === null) return undefined
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}
