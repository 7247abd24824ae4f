import type { Caller } from '../../kernel/callers.ts'
import type { EventPayloads, SellerPayload } from '../../kernel/event-payloads.ts'
import type { EventOf } from '../../kernel/events.ts'
import type { Mode } from '../../kernel/tenant.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import type { Seller } from './seller.ts'

type EmitContext = Pick<Inside<Caller>, 'emit'>
type CheckEventType = 'seller.tax_id_verified' | 'seller.tax_id_verification_failed'

const payloadFor = ({ id, name, taxId, isPrimary }: Seller): SellerPayload => ({ sellerId: id, name, taxId, isPrimary })

/** A seller event has no mode, because a seller exists in both. */
export function emitSellerEvent(
  { emit }: EmitContext,
  type: Exclude<EventOf<'seller'>, CheckEventType>,
  seller: Seller,
): void {
  emit(type, { organisationId: seller.organisationId, objectId: seller.id }, payloadFor(seller))
}

/** The result of a check belongs to one mode. */
export function emitCheckedSellerEvent(
  { emit }: EmitContext,
  type: CheckEventType,
  seller: Seller,
  mode: Mode,
  { status, registeredName }: Pick<EventPayloads[CheckEventType], 'status' | 'registeredName'>,
): void {
  emit(
    type,
    { organisationId: seller.organisationId, mode, objectId: seller.id },
    {
      ...payloadFor(seller),
      status,
      registeredName,
    },
  )
}
