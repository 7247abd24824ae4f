import type { Static, TObject, TSchema } from 'typebox'
import type { TokenCaller } from '../../kernel/callers.ts'
import type { Cursor } from '../../kernel/cursors.ts'
import type { EventNotice } from '../../kernel/event-notice.ts'
import type { Fault } from '../../kernel/refusals.ts'
import type { JsonText } from '../reply/json-text.ts'
import type { AnyRouteDefinition, CallerOf, Method, RouteDefinition, Who } from './route-definition.ts'

export interface PageFigures {
  readonly page: number
  readonly limit: number
  readonly total: number
  /** the cursor after the last entry, if there are more; lists without pages have none */
  readonly next?: Cursor | null
}

/** A request that passed the schemas of its route. */
export interface ValidRequest<P, Q, B, C> {
  readonly params: P
  readonly query: Q
  readonly body: B
  readonly caller: C
  /** the version in If-Match, if the route reads it and the caller sent one */
  readonly expectedVersion: number | undefined
}

/** The time and place of a reply: some of its values depend on the day. */
export interface Moment {
  /** the business day of the caller's country */
  today(): string
  now(): Date
}

/** How a route waits for events before it answers. */
export interface Waiting<Input, Output> {
  readonly waitMs: (input: Input) => number
  /** an empty result is worth waiting */
  readonly isEmpty: (output: Output) => boolean
  /** whether an event of the caller's organisation may change the result */
  readonly concerns: (event: EventNotice, input: Input, caller: TokenCaller) => boolean
}

type ValueOf<S> = S extends TSchema ? Static<S> : undefined

/** How a form serves a route: its schemas, and the two functions between the schemas and the core. */
export interface RouteDescription<W extends Who, Input, Output, P, Q, B, R extends TSchema> {
  /** this form's own verb or path, if it has one */
  readonly method?: Method
  readonly path?: string
  readonly status: number
  /** a status that depends on the result, among `status` and those listed */
  readonly otherStatuses?: readonly number[]
  readonly statusOf?: (output: Output) => number
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  /** the faults of a body that a schema cannot express, listed together with the others */
  readonly checkBody?: (body: unknown) => readonly Fault[]
  /** the value of `data` */
  readonly reply: R
  readonly decode: (request: ValidRequest<ValueOf<P>, ValueOf<Q>, ValueOf<B>, CallerOf<W>>) => Input
  readonly encode: (output: Output, moment: Moment) => Static<R> | JsonText
  /** the same result in other media types, by Accept: the bytes as sent, without the envelope */
  readonly alsoAs?: Readonly<Record<string, (output: Output) => string>>
  readonly pagination?: (output: Output) => PageFigures
  readonly location?: (output: Output) => string
  readonly version?: (output: Output) => number
  /** changes with the reply, for clients that have it already; the reply is compressed if the caller accepts that */
  readonly tag?: (output: Output) => string
  readonly readsIfMatch?: true
  /** the reply also depends on the time or on other objects, so nobody gets 304 for the current version */
  readonly alwaysWhole?: true
  /** a reading that may wait for events */
  readonly waits?: Waiting<Input, Output>
  /** the same reply without secrets that are shown only once */
  readonly withoutSecret?: (data: Static<R>) => Static<R>
  /** in bytes; 1 MiB by default */
  readonly bodyLimit?: number
  /** refusals have no code here */
  readonly codeless?: true
  /** this form's names for fields in the core's faults */
  readonly fieldNames?: Readonly<Record<string, string>>
}

/** A described route as the mount uses it, without the types of input and output. */
export interface Route {
  readonly method: Method
  readonly path: string
  readonly definition: AnyRouteDefinition
  readonly statuses: readonly number[]
  readonly params: TObject | undefined
  readonly query: TObject | undefined
  readonly body: TSchema | undefined
  readonly checkBody: ((body: unknown) => readonly Fault[]) | undefined
  readonly reply: TSchema
  readonly decode: (request: ValidRequest<unknown, unknown, unknown, unknown>) => unknown
  readonly encode: (output: unknown, moment: Moment) => unknown
  readonly statusOf: (output: unknown) => number
  readonly alsoAs: Readonly<Record<string, (output: unknown) => string>>
  readonly pagination: ((output: unknown) => PageFigures) | undefined
  readonly location: ((output: unknown) => string) | undefined
  readonly version: ((output: unknown) => number) | undefined
  readonly tag: ((output: unknown) => string) | undefined
  readonly readsIfMatch: boolean
  readonly alwaysWhole: boolean
  readonly waits: Waiting<unknown, unknown> | undefined
  readonly withoutSecret: ((data: unknown) => unknown) | undefined
  readonly bodyLimit: number | undefined
  readonly codeless: boolean
  readonly fieldNames: Readonly<Record<string, string>>
}

export interface DescribedRoute<E> {
  readonly definition: E
  readonly route: Route
}

/** The other form serves the route; `where` is its address. */
export interface Elsewhere {
  readonly elsewhere: true
}

export const elsewhere: Elsewhere = { elsewhere: true }

type PartsOf<E> =
  E extends RouteDefinition<infer W, infer Input, infer Output> ? { who: W; input: Input; output: Output } : never

export function describeRoute<
  E extends AnyRouteDefinition,
  R extends TSchema,
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
  B extends TSchema | undefined = undefined,
>(
  definition: E,
  description: RouteDescription<PartsOf<E>['who'], PartsOf<E>['input'], PartsOf<E>['output'], P, Q, B, R>,
): DescribedRoute<E> {
  const untyped = description as unknown as RouteDescription<
    Who,
    unknown,
    unknown,
    TObject | undefined,
    TObject | undefined,
    TSchema | undefined,
    TSchema
  >
  return {
    definition,
    route: {
      method: description.method ?? definition.method,
      path: description.path ?? definition.path,
      definition,
      statuses: [description.status, ...(description.otherStatuses ?? [])],
      params: untyped.params,
      query: untyped.query,
      body: untyped.body,
      checkBody: untyped.checkBody,
      reply: description.reply,
      decode: untyped.decode as Route['decode'],
      encode: untyped.encode as Route['encode'],
      statusOf: untyped.statusOf ?? (() => description.status),
      alsoAs: untyped.alsoAs ?? {},
      pagination: untyped.pagination,
      location: untyped.location,
      version: untyped.version,
      tag: untyped.tag,
      readsIfMatch: description.readsIfMatch ?? false,
      alwaysWhole: description.alwaysWhole ?? false,
      waits: untyped.waits as Route['waits'],
      withoutSecret: untyped.withoutSecret as Route['withoutSecret'],
      bodyLimit: description.bodyLimit,
      codeless: description.codeless ?? false,
      fieldNames: description.fieldNames ?? {},
    },
  }
}

/** A form must list every route: described, or `elsewhere` if only the other form serves it. */
export type FormRoutes<E> = {
  readonly [Module in keyof E]: { readonly [Name in keyof E[Module]]: DescribedRoute<E[Module][Name]> | Elsewhere }
}
