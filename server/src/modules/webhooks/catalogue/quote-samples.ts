import type { QuoteEventPayloads, QuotePayload } from '../../../kernel/quote-payloads.ts'

/** Samples of the events of quotes; `id` makes made-up ids that differ at the end. */
export function quoteSamples(id: (end: number) => string): QuoteEventPayloads {
  const quote: QuotePayload = {
    quoteId: id(15),
    quoteNumber: 'QUO000042',
    quoteType: 'quote',
    status: 'sent',
    versionNumber: 1,
    buyerId: id(2),
    currency: 'USD',
    payableMinor: 1_451_411,
    validUntil: '2026-12-15',
  }
  return {
    'quote.created': { ...quote, status: 'draft' },
    'quote.updated': { ...quote, versionNumber: 2 },
    'quote.sent': { ...quote, to: 'accounts@chidi.example' },
    'quote.shared': quote,
    'quote.unshared': { ...quote, status: 'cancelled' },
    'quote.accepted': {
      ...quote,
      status: 'accepted',
      decidedBy: 'Chidi Okafor',
      decidedThrough: 'page',
      remark: 'Please deliver on a Monday.',
    },
    'quote.declined': {
      ...quote,
      status: 'declined',
      decidedBy: 'Chidi Okafor',
      decidedThrough: 'seller',
      remark: null,
    },
    'quote.expired': { ...quote, status: 'expired' },
    'quote.converted': {
      ...quote,
      status: 'converted',
      invoiceId: id(1),
      invoiceNumber: 'INV0042',
      result: 'invoice',
    },
    'quote.cancelled': { ...quote, status: 'cancelled' },
  }
}
