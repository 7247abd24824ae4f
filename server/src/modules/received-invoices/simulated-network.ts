import type { DocumentType } from '../../kernel/invoice-document.ts'

/** An invoice that somebody else is made to send, in the sandbox. What is not said is made up. */
export interface InvoiceFromOutside {
  readonly sellerName?: string | undefined
  readonly sellerTaxId?: string | undefined
  readonly number?: string | undefined
  readonly type?: Exclude<DocumentType, 'prepayment'> | undefined
  /** the reference of what a note corrects */
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
  /** it would be no document; the words say why */
  | { readonly kind: 'refused'; readonly told: string }
  | { readonly kind: 'away' }

/** Other businesses on a simulated authority's network. */
export interface SimulatedNetwork {
  send(
    invoice: InvoiceFromOutside & { readonly buyerTaxId: string; readonly buyerName: string },
    signal: AbortSignal,
  ): Promise<SentFromOutside>
}

declare module '../../platform/operations/ports.ts' {
  interface Ports {
    /** nothing where the sandbox is the authority's own test system */
    readonly simulatedNetwork: SimulatedNetwork | undefined
  }
}
