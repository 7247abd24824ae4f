import type { Caller } from '../../kernel/callers.ts'
import { type EventOf, type MorePayload, payloadOf } from '../../kernel/events.ts'
import type { QuotePayload } from '../../kernel/quote-payloads.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import type { Quote } from './quote.ts'

export function emitQuoteEvent<Type extends EventOf<'quote'>>(
  { emit }: Pick<Inside<Caller>, 'emit'>,
  type: Type,
  { organisationId, mode }: Tenant,
  quote: Quote,
  ...further: MorePayload<Type, QuotePayload>
): void {
  const payload: QuotePayload = {
    quoteId: quote.id,
    quoteNumber: quote.number,
    quoteType: quote.type,
    status: quote.status,
    versionNumber: quote.versionNumber,
    buyerId: quote.buyerId,
    currency: quote.currency,
    payableMinor: Number(quote.payableMinor),
    validUntil: quote.validUntil,
  }
  emit<EventOf<'quote'>>(
    type,
    { organisationId, mode, objectId: quote.id, version: quote.version },
    payloadOf<Type, QuotePayload>(payload, further),
  )
}
