import type { EventType } from '../../kernel/events.ts'
import type { OrganisationId } from '../../kernel/ids.ts'
import type { Mode } from '../../kernel/tenant.ts'

/** A kind of background work: modules ask for it by this value, a file in `jobs/` does it. */
export interface Job<Payload> {
  readonly name: string
  readonly maxAttempts: number
  /** events that call for this work by themselves: how a module learns of what happened in one below it */
  readonly on: readonly EventType[]
  /** one that waits stands for all events that come meanwhile; two never run beside each other */
  readonly collapsed: boolean
  /** only for the types: what the work needs to know */
  readonly payload?: Payload
}

/** What a job that listens to events is told. */
export interface EventNotice {
  readonly eventId: string
  readonly type: EventType
  readonly organisationId: OrganisationId
  readonly mode: Mode | null
  readonly objectId: string
}

export const job = <Payload extends object>(name: string, { maxAttempts = 25 } = {}): Job<Payload> => ({
  name,
  maxAttempts,
  on: [],
  collapsed: false,
})

/** Work that each of these events calls for, once for each event, after its transaction has committed. */
export function jobOn(name: string, on: readonly EventType[]): Job<EventNotice>
/** The same, once for many events: it is told of none of them. */
export function jobOn(name: string, on: readonly EventType[], options: { collapsed: true }): Job<object>
export function jobOn(name: string, on: readonly EventType[], options?: { collapsed: true }): Job<object> {
  return { name, maxAttempts: 25, on, collapsed: options?.collapsed ?? false }
}
