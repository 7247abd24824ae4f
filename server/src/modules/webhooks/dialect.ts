import type { EventType } from '../../kernel/events.ts'
import type { OrganisationId } from '../../kernel/ids.ts'
import type { Mode } from '../../kernel/tenant.ts'

/** What an endpoint is told of an event. */
export interface ToldEvent {
  readonly id: string
  readonly type: EventType
  /** of the payload's form */
  readonly version: number
  /** nothing where it happened to the organisation as a whole */
  readonly mode: Mode | null
  readonly organisationId: OrganisationId
  readonly createdAt: Date
  readonly data: object
  /** a later change of the object has a higher one, so that what is stale can be dropped */
  readonly objectVersion: number | null
  readonly isTest: boolean
}

/** One attempt at a delivery, as far as what is sent depends on it. */
export interface Sending {
  readonly eventId: string
  /** what the type is called here */
  readonly name: string
  readonly body: string
  /** from 1 */
  readonly attempt: number
  readonly unixSeconds: number
  /** the current one first; a second one while it is being replaced */
  readonly secrets: readonly [string, ...string[]]
}

/** A way to speak to endpoints. Each endpoint has the one that it was made in, for as long as it lives. */
export interface Dialect {
  /** `null` where it has no word for it and tells nobody */
  nameOf(type: EventType): string | null
  /** names that may be asked for, although nothing that happens is told by them */
  readonly furtherNames?: readonly string[]
  /** Written once for each event; what is sent again are these very bytes. `mode` is the endpoint's. */
  bodyOf(event: ToldEvent, mode: Mode): string
  /** Made for every attempt: they say when it was sent, and prove who sent it. */
  headersOf(sending: Sending): Readonly<Record<string, string>>
}

export const dialectNames = ['a', 'b'] as const
export type DialectName = (typeof dialectNames)[number]
export type Dialects = Readonly<Record<DialectName, Dialect>>

declare module '../../platform/operations/ports.ts' {
  interface Ports {
    readonly webhookDialects: Dialects
  }
}
