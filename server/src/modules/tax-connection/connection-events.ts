import type { Caller } from '../../kernel/callers.ts'
import type { ConnectionPayload } from '../../kernel/event-payloads.ts'
import { type EventOf, type MorePayload, payloadOf } from '../../kernel/events.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import type { Connection } from './connection.ts'

export function emitConnectionEvent<Type extends EventOf<'tax_connection'>>(
  { emit }: Pick<Inside<Caller>, 'emit'>,
  type: Type,
  { organisationId, mode }: Tenant,
  { id, status, businessId, serviceId, businessName, problem }: Connection,
  ...further: MorePayload<Type, ConnectionPayload>
): void {
  const payload: ConnectionPayload = { connectionId: id, status, businessId, serviceId, businessName, problem }
  emit<EventOf<'tax_connection'>>(
    type,
    { organisationId, mode, objectId: id },
    payloadOf<Type, ConnectionPayload>(payload, further),
  )
}
