import type { EventType } from './events.ts'
import type { OrganisationId } from './ids.ts'
import type { Mode } from './tenant.ts'

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
