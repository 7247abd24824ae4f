import type { Caller } from '../../kernel/callers.ts'
import type { EventType } from '../../kernel/events.ts'
import type { Mode } from '../../kernel/tenant.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import type { Seller } from './seller.ts'

/** A seller is the same in both modes; what the authority says about it belongs to one. */
export function tellOfSeller(
  { emit }: Pick<Inside<Caller>, 'emit'>,
  type: EventType,
  { organisationId, id, name, taxId, isPrimary }: Seller,
  { mode, ...more }: { mode?: Mode; [name: string]: unknown } = {},
): void {
  emit(
    type,
    { organisationId, objectId: id, ...(mode === undefined ? {} : { mode }) },
    { sellerId: id, name, taxId, isPrimary, ...more },
  )
}
