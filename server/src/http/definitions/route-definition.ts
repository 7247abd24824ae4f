import type { KeyCaller, ProgramCaller, PublicCaller, TokenCaller, UserCaller } from '../../kernel/callers.ts'
import type { AnyOperation } from '../../platform/operations/operation.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Who may call a route, before capabilities are checked. `token` is everybody with a token. What is for people alone, such as their account
 * and their programs, is for `user`, so that no program reaches it.
 */
export type Who = 'public' | 'user' | 'user_or_program' | 'key' | 'token'

export type CallerOf<W extends Who> = W extends 'public'
  ? PublicCaller
  : W extends 'user'
    ? UserCaller
    : W extends 'user_or_program'
      ? UserCaller | ProgramCaller
      : W extends 'key'
        ? KeyCaller
        : TokenCaller

export interface RouteNotes {
  readonly summary: string
  readonly description?: string
  /** open to people who have not verified their email address yet */
  readonly unverified?: true
  /** a constant-time reply, so that its time does not reveal whether an account exists */
  readonly constantTime?: true
  /** overrides the default of whether the route honours Idempotency-Key */
  readonly idempotent?: boolean
  /** excluded from the request log: reading the log would fill it */
  readonly unlogged?: true
}

/** An operation that HTTP serves, with its usual verb and path. Each form has its own schemas for it. */
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

/** A route definition without the types of its input and output, for routers and documents. */
export interface AnyRouteDefinition extends RouteNotes {
  readonly method: Method
  readonly path: string
  readonly who: Who
  readonly operation: AnyOperation<never, never, unknown>
}

/** Route definitions by module and name. */
export type RouteDefinitions = Readonly<Record<string, Readonly<Record<string, AnyRouteDefinition>>>>
