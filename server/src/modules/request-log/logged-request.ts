import type { TokenCaller } from '../../kernel/callers.ts'
import type { Id } from '../../kernel/ids.ts'
import type { Fault } from '../../kernel/refusals.ts'
import type { Tenant } from '../../kernel/tenant.ts'

export type RequestId = Id<'logged-request'>

/** What a refusal said, as it was sent. */
export interface SaidError {
  readonly code?: string | undefined
  readonly message: string
  readonly details?: readonly Pick<Fault, 'path' | 'rule' | 'message'>[] | undefined
}

/** A request that was answered, as HTTP tells of it. */
export interface Answered {
  readonly caller: TokenCaller
  readonly method: string
  /** as it is listed; nothing where nothing is served */
  readonly route: string | undefined
  /** as it came, with its query */
  readonly url: string
  readonly status: number
  readonly durationMs: number
  readonly requestId: string
  readonly address: string
  readonly userAgent: string
  /** by its finer name, with what was said */
  readonly refused: { readonly reason: string; readonly error: SaidError } | undefined
}

export const actorTypes = ['user', 'api_key'] as const
export type ActorType = (typeof actorTypes)[number]

/** A request as it is kept. */
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
