import type { KeyCaller, PublicCaller, TokenCaller, UserCaller } from '../../kernel/callers.ts'
import type { AnyOperation } from '../../platform/operations/operation.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Who may call at all, before capabilities are looked at. */
export type Who = 'public' | 'user' | 'key' | 'token'

export type CallerOf<W extends Who> = W extends 'public'
  ? PublicCaller
  : W extends 'user'
    ? UserCaller
    : W extends 'key'
      ? KeyCaller
      : TokenCaller

export interface RouteNotes {
  readonly summary: string
  readonly description?: string
  /** people who have not verified their email address yet may call it */
  readonly unverified?: true
  /** answers on a beat, so that the time it took tells nothing about whether an account exists */
  readonly steady?: true
  /** honours Idempotency-Key although its method or path would say otherwise, or the other way round */
  readonly idempotent?: boolean
  /** does not stand in the request log: reading that would fill it */
  readonly unlogged?: true
}

/** An operation that HTTP serves, with its usual verb and path. Each form describes its own schemas for it. */
export interface RouteDefinition<W extends Who, Input, Output> extends RouteNotes {
  readonly method: Method
  readonly path: string
  readonly who: W
  readonly operation: AnyOperation<CallerOf<W>, Input, Output>
}

export function defineRoute<W extends Who, Input, Output>(
  method: Method,
  path: string,
  who: W,
  operation: AnyOperation<CallerOf<W>, Input, Output>,
  notes: RouteNotes,
): RouteDefinition<W, Input, Output> {
  return { method, path, who, operation, ...notes }
}

/** A route definition of any input and output, as routers and documents see it. */
export interface AnyRouteDefinition extends RouteNotes {
  readonly method: Method
  readonly path: string
  readonly who: Who
  readonly operation: AnyOperation<never, never, unknown>
}

/** Route definitions by module and name. */
export type RouteDefinitions = Readonly<Record<string, Readonly<Record<string, AnyRouteDefinition>>>>
