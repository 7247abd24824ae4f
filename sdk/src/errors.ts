import type { Code, Reason } from './form-a.gen.ts'

/** One thing that is wrong with a request. */
export interface Fault {
  /** where in the request, such as `lineItems[2].quantity` */
  readonly path: string
  /** the rule that was broken */
  readonly rule: string
  /** what to do about it */
  readonly message: string
}

/** Whatever went wrong with a call. */
export class RisitiError extends Error {
  override readonly name: string = 'RisitiError'
  /** names the request in the service's log; tell it when you ask about it */
  requestId: string | undefined
  /** under which the call was tried: with it, the same call can be made again later without doing anything twice */
  idempotencyKey: string | undefined
}

/** The service said no, and why. */
export class Refused extends RisitiError {
  override readonly name = 'Refused'
  readonly status: number
  /** the code of the refusal; several reasons may share one */
  readonly code: Code | undefined
  /** the exact reason; nothing where something between us and the service answered */
  readonly reason: Reason | undefined
  /** every fault, where there are several */
  readonly details: readonly Fault[]
  /** in how many seconds it makes sense to try again */
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

  /** Whether it was refused for one of these reasons. */
  is<R extends Reason>(...reasons: readonly R[]): this is Refused & { readonly reason: R } {
    return (reasons as readonly unknown[]).includes(this.reason)
  }
}

/** Nobody answered: no connection, or one that broke. Whether anything was done is not known. */
export class NoAnswer extends RisitiError {
  override readonly name = 'NoAnswer'
}

/** The time for the call was up. Whether anything was done is not known. */
export class TimedOut extends RisitiError {
  override readonly name = 'TimedOut'
}

/** A webhook that was not sent by the service, or not now. */
export class NotGenuine extends RisitiError {
  override readonly name = 'NotGenuine'
}

/** `Retry-After` as seconds from now, whether it names seconds or a moment. */
function secondsUntil(header: string | null): number | undefined {
  if (header === null) return undefined
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}
