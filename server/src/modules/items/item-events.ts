import type { Caller } from '../../kernel/callers.ts'
import type { EventType } from '../../kernel/events.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import type { Item } from './item.ts'

export function tellOfItem(
  { emit }: Pick<Inside<Caller>, 'emit'>,
  type: EventType,
  tenant: Tenant,
  { id, name, sku, itemType }: Item,
): void {
  emit(type, { ...tenant, objectId: id }, { itemId: id, name, sku, itemType })
}
