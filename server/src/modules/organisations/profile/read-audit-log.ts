import type { UserCaller } from '../../../kernel/callers.ts'
import { readableData, readableTypes } from '../../../kernel/events.ts'
import type { PageRequest } from '../../../kernel/paging.ts'
import { faultsOfRange } from '../../../kernel/ranges.ts'
import { invalid } from '../../../kernel/refusals.ts'
import { type EventFilter, type LoggedEvent, listEvents } from '../../../platform/events/event-log.store.ts'
import { type Outside, reading } from '../../../platform/operations/operation.ts'

/**
 * The log must not bypass capabilities. The query leaves out what the caller may not read, so that pages and totals
 * reveal nothing.
 */
export const readAuditLog = reading(
  { time: 'real', needs: ['organization.read'], refuses: ['request.invalid'] },
  async ({ db, caller }: Outside<UserCaller>, { filter, page }: { filter: EventFilter; page: PageRequest }) => {
    const faults = faultsOfRange('from', filter.from, filter.to)
    if (faults.length > 0) throw invalid(faults)
    const { tenant, capabilities } = caller
    const found = await listEvents(db, tenant.organisationId, readableTypes(capabilities), filter, page)
    return { ...found, rows: found.rows.map((event) => asSeenBy(caller, event)) }
  },
)

/** Identity and address of other members are shown only to callers who may read members. */
function asSeenBy({ userId, capabilities }: UserCaller, event: LoggedEvent): LoggedEvent {
  const data = readableData(event.type, event.data, capabilities)
  const isOthers = event.actorKind === 'user' && event.actorId !== userId
  if (!isOthers || capabilities.has('member.read')) return { ...event, data }
  return { ...event, data, actorName: '', address: '', userAgent: '' }
}
