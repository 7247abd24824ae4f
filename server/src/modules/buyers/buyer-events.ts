import type { Caller } from '../../kernel/callers.ts'
import type { EventType } from '../../kernel/events.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import type { Buyer } from './buyer.ts'

export function tellOfBuyer(
  { emit }: Pick<Inside<Caller>, 'emit'>,
  type: EventType,
  tenant: Tenant,
  { id, name, taxId, taxIdType, taxIdStatus }: Buyer,
  more: object = {},
): void {
  emit(type, { ...tenant, objectId: id }, { buyerId: id, name, taxId, taxIdType, taxIdStatus, ...more })
}
