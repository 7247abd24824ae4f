import type { Caller } from '../../kernel/callers.ts'
import type { BuyerPayload } from '../../kernel/event-payloads.ts'
import { type EventOf, type MorePayload, payloadOf } from '../../kernel/events.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import type { Buyer } from './buyer.ts'

export function emitBuyerEvent<Type extends EventOf<'buyer'>>(
  { emit }: Pick<Inside<Caller>, 'emit'>,
  type: Type,
  { organisationId, mode }: Tenant,
  { id, version, name, taxId, taxIdType, taxIdStatus }: Buyer,
  ...further: MorePayload<Type, BuyerPayload>
): void {
  const payload: BuyerPayload = { buyerId: id, name, taxId, taxIdType, taxIdStatus }
  emit<EventOf<'buyer'>>(
    type,
    { organisationId, mode, objectId: id, version },
    payloadOf<Type, BuyerPayload>(payload, further),
  )
}
