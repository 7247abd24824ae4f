import type { Caller } from '../../kernel/callers.ts'
import type { EventOf } from '../../kernel/events.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import type { Item } from './item.ts'

export function emitItemEvent(
  { emit }: Pick<Inside<Caller>, 'emit'>,
  type: EventOf<'item'>,
  { organisationId, mode }: Tenant,
  { id, version, name, sku, itemType }: Item,
): void {
  emit(type, { organisationId, mode, objectId: id, version }, { itemId: id, name, sku, itemType })
}
