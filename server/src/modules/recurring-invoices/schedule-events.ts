import type { Caller } from '../../kernel/callers.ts'
import { type EventOf, type MorePayload, payloadOf } from '../../kernel/events.ts'
import type { RecurringSchedulePayload } from '../../kernel/recurring-payloads.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import type { RecurringSchedule } from './recurring-schedule.ts'

export function emitScheduleEvent<Type extends EventOf<'recurring_schedule'>>(
  { emit }: Pick<Inside<Caller>, 'emit'>,
  type: Type,
  { organisationId, mode }: Tenant,
  { id, name, status, policy, nextOn, version, template }: RecurringSchedule,
  ...further: MorePayload<Type, RecurringSchedulePayload>
): void {
  const payload: RecurringSchedulePayload = {
    scheduleId: id,
    name,
    status,
    policy,
    buyerId: template.buyerId ?? null,
    nextOn,
  }
  emit<EventOf<'recurring_schedule'>>(
    type,
    { organisationId, mode, objectId: id, version },
    payloadOf<Type, RecurringSchedulePayload>(payload, further),
  )
}
