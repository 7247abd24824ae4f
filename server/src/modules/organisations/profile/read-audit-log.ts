import type { UserCaller } from '../../../kernel/callers.ts'
import type { PageRequest } from '../../../kernel/paging.ts'
import { type EventFilter, listEvents } from '../../../platform/events/events.store.ts'
import { type Outside, reading } from '../../../platform/operations/operation.ts'

/** Who did what, when, from where and to which object. */
export const readAuditLog = reading(
  { needs: ['organization.read'], refuses: [] },
  ({ db, caller }: Outside<UserCaller>, { filter, page }: { filter: EventFilter; page: PageRequest }) =>
    listEvents(db, caller.tenant.organisationId, filter, page),
)
