/** Payload of every event about a quote or proforma invoice. */
export interface QuotePayload {
  readonly quoteId: string
  readonly quoteNumber: string
  readonly quoteType: 'quote' | 'proforma'
  readonly status: 'draft' | 'sent' | 'accepted' | 'declined' | 'expired' | 'converted' | 'cancelled'
  readonly versionNumber: number
  readonly buyerId: string | null
  readonly currency: string
  readonly payableMinor: number
  readonly validUntil: string | null
}

/** Who decided about a quote, and where. */
interface QuoteDecisionPayload {
  readonly decidedBy: string
  readonly decidedThrough: 'page' | 'seller'
  readonly remark: string | null
}

export interface QuoteEventPayloads {
  'quote.created': QuotePayload
  'quote.updated': QuotePayload
  /** `to` is null if no mail was wanted. */
  'quote.sent': QuotePayload & { readonly to: string | null; readonly revised?: true }
  'quote.shared': QuotePayload
  'quote.unshared': QuotePayload
  'quote.accepted': QuotePayload & QuoteDecisionPayload
  'quote.declined': QuotePayload & QuoteDecisionPayload
  'quote.expired': QuotePayload
  'quote.converted': QuotePayload & {
    readonly invoiceId: string
    readonly invoiceNumber: string
    readonly result: 'invoice' | 'deposit' | 'final'
  }
  'quote.cancelled': QuotePayload
}
