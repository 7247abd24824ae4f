import type { EventType } from '../../kernel/events.ts'
import type { OrganisationId } from '../../kernel/ids.ts'
import type { Mode } from '../../kernel/tenant.ts'

/** Work in one lane never waits for work in another. */
export const laneNames = ['mail', 'money', 'authority', 'received', 'upkeep'] as const
export type LaneName = (typeof laneNames)[number]

/** A kind of background work: modules ask for it by this value, a file in `jobs/` does it. */
export interface Job<Payload> {
  readonly name: string
  readonly lane: LaneName
  readonly maxAttempts: number
  /** events that call for this work by themselves: how a module learns of what happened in one below it */
  readonly on: readonly EventType[]
  /** only for the types: what the work needs to know */
  readonly payload?: Payload
}

/** What a job or a consumer that listens to events is told. */
export interface EventNotice {
  readonly eventId: string
  readonly type: EventType
  /** of the payload's form */
  readonly version: number
  readonly organisationId: OrganisationId
  readonly mode: Mode | null
  readonly objectId: string
  /** which version of the object it tells of, where objects of its kind have some */
  readonly objectVersion: number | null
}

/** With the waits between them, work that goes on failing is given up after some days. */
const usualAttempts = 25

export const job = <Payload extends object>(
  name: string,
  lane: LaneName,
  { maxAttempts = usualAttempts } = {},
): Job<Payload> => ({
  name,
  lane,
  maxAttempts,
  on: [],
})

/** Work that each of these events calls for, once for each event, after its transaction has committed. */
export const jobOn = (name: string, lane: LaneName, on: readonly EventType[]): Job<EventNotice> => ({
  name,
  lane,
  maxAttempts: usualAttempts,
  on,
})

/** Does one kind of background work. It may be run again after a crash, so it must come to the same end twice. */
export interface JobHandler<Payload = object> {
  readonly job: Job<Payload>
  /** crontab line, for work that time alone calls for */
  readonly every?: string
  readonly handle: (payload: Payload, attempt: { readonly number: number; readonly last: boolean }) => Promise<void>
}

export const handler = <Payload extends object>(
  job: Job<Payload>,
  handle: JobHandler<Payload>['handle'],
  every?: string,
): JobHandler => ({ job, handle, ...(every === undefined ? {} : { every }) }) as unknown as JobHandler
