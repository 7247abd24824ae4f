import type { TObject } from 'typebox'
import type { TokenCaller } from '../../kernel/callers.ts'
import type { confirmationOperations } from '../../modules/confirmations/index.ts'
import type { Route } from '../definitions/describe-route.ts'
import type { AnyRouteDefinition } from '../definitions/route-definition.ts'
import type { CallOnce, CallSource, RouteResult, RouteValues } from '../server/call-route.ts'

/** An action that is stored until it is confirmed. */
export type PreparedAction = Parameters<(typeof confirmationOperations.prepareAction)['prepare']>[1]

export interface Listed extends Record<string, unknown> {
  readonly rows?: unknown
  readonly total?: number | undefined
  readonly nextCursor?: string | null | undefined
}

/** What a tool may use. */
export interface ToolContext {
  readonly source: CallSource
  /** calls a route as the caller */
  call(definition: AnyRouteDefinition, values: RouteValues, once?: CallOnce): Promise<RouteResult>
  /** the data of a route, with the words of others marked */
  data(definition: AnyRouteDefinition, values: RouteValues, once?: CallOnce): Promise<unknown>
  /** a list of a route, marked in the same way: its rows, how many there are, and where the next page begins */
  page(definition: AnyRouteDefinition, values: RouteValues): Promise<Listed>
  /** refuses values that the route would not take */
  check(definition: AnyRouteDefinition, values: RouteValues): void
  prepare(action: PreparedAction): Promise<{
    readonly token: string
    readonly expiresAt: Date
    readonly limits: { readonly isExceeded: boolean; readonly words: readonly string[] } | undefined
  }>
  /** takes a token: what was prepared, the key of its effect, and whether the effect may still begin */
  confirm(token: string): Promise<PreparedAction & { readonly key: string; readonly isInTime: boolean }>
  mayCall(definition: AnyRouteDefinition): boolean
  /** the business day of the caller */
  today(): string
}

/** A question for the person, which a client with forms can show. */
export interface Question {
  readonly token: string
  readonly text: string
}

/** What a tool answers: JSON, and a question if the tool asks the person to confirm. */
export interface ToolAnswer {
  readonly data: unknown
  readonly question?: Question
}

/** One thing that a program can do. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: TObject
  readonly reads: boolean
  /** cannot be undone */
  readonly destructive?: true
  run(context: ToolContext, input: Record<string, unknown>): Promise<ToolAnswer>
}

/** The routes of the form that the tools speak. */
export type RouteOf = (definition: AnyRouteDefinition) => Route

/** Makes the tool for a caller, or nothing if the caller may not use it: its choices are those that the caller may take. */
export type ToolMaker = (caller: TokenCaller, routeOf: RouteOf) => Tool | undefined
