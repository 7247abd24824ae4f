import type { TokenCaller } from '../../kernel/callers.ts'
import type { Id } from '../../kernel/ids.ts'
import type { Fault } from '../../kernel/refusals.ts'
import type { Tenant } from '../../kernel/tenant.ts'

export type RequestId = Id<'logged-request'>

/** The error in the reply. */
export interface ReplyError {
  readonly code?: string | undefined
  readonly message: string
  readonly details?: readonly Pick<Fault, 'path' | 'rule' | 'message'>[] | undefined
}

/** An answered request, as HTTP saw it. */
export interface AnsweredRequest {
  readonly caller: TokenCaller
  readonly method: string
  /** As listed in the reference. `undefined` if there is no such route. */
  readonly route: string | undefined
  /** With its query, as received. */
  readonly url: string
  readonly status: number
  readonly durationMs: number
  readonly requestId: string
  readonly address: string
  readonly userAgent: string
  /** Finer name of the refusal, and the error in the reply. */
  readonly refused: { readonly reason: string; readonly error: ReplyError } | undefined
}

export const actorTypes = ['user', 'api_key'] as const
export type ActorType = (typeof actorTypes)[number]

/** A request as stored. */
export interface LoggedRequest extends Tenant {
  readonly id: RequestId
  readonly answeredAt: Date
  readonly method: string
  readonly route: string | null
  readonly path: string
  readonly status: number
  readonly reason: string | null
  /** `SaidError` as JSON */
  readonly error: string | null
  readonly durationMs: number
  readonly actorType: ActorType
  readonly actorId: string
  readonly actorName: string
  readonly requestId: string
  readonly address: string
  readonly userAgent: string
}
