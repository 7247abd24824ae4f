import type { EventType } from './events.ts'
import type { OrganisationId } from './ids.ts'
import type { Mode } from './tenant.ts'

/** An event as jobs and consumers receive it. */
export interface EventNotice {
  readonly eventId: string
  readonly type: EventType
  /** Version of the payload. */
  readonly version: number
  readonly organisationId: OrganisationId
  readonly mode: Mode | null
  readonly objectId: string
  /** Version of the object after the event. Null if objects of this kind have no version. */
  readonly objectVersion: number | null
}
