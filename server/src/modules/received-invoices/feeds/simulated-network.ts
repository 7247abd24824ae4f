import type { DocumentType } from '../../../kernel/invoice-document.ts'

/** An invoice that a simulated supplier sends. Missing fields are invented. */
export interface InvoiceFromOutside {
  readonly sellerName?: string | undefined
  readonly sellerTaxId?: string | undefined
  readonly number?: string | undefined
  readonly type?: Exclude<DocumentType, 'prepayment'> | undefined
  /** Reference of the document that a credit or debit note corrects. */
  readonly corrects?: string | undefined
  readonly issueDate?: string | undefined
  readonly dueDate?: string | undefined
  readonly currency?: string | undefined
  readonly lines?:
    | readonly {
        readonly description: string
        readonly quantity: number
        readonly unitPrice: number
        readonly hsnCode?: string | undefined
        readonly serviceCode?: string | undefined
      }[]
    | undefined
}

export type SentFromOutside =
  | { readonly kind: 'sent'; readonly reference: string }
  /** The document would be invalid for this reason. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'away' }

/** Simulated suppliers on the sandbox network. */
export interface SimulatedNetwork {
  send(
    invoice: InvoiceFromOutside & { readonly buyerTaxId: string; readonly buyerName: string },
    signal: AbortSignal,
  ): Promise<SentFromOutside>
}

declare module '../../../platform/operations/ports.ts' {
  interface Ports {
    /** Undefined if the sandbox is the authority's own test system. */
    readonly simulatedNetwork: SimulatedNetwork | undefined
  }
}
