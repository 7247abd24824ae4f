import type { Invoice, NewInvoice } from '@risiti/sdk'

interface Text {
  readonly name: keyof Invoice & keyof NewInvoice
  readonly label: string
  /** the kind of field in the editor; without it, the text can only be set through the API */
  readonly field?: 'line' | 'paragraphs'
}

/** The texts that people write on an invoice: the editor and the details of an invoice follow this list. */
export const texts = [
  { name: 'purchaseOrderReference', label: 'Buyer’s order number', field: 'line' },
  { name: 'buyerReference', label: 'Buyer’s reference' },
  { name: 'contractReference', label: 'Contract', field: 'line' },
  { name: 'quoteReference', label: 'Quote', field: 'line' },
  { name: 'accountingCost', label: 'Buyer’s cost centre' },
  { name: 'paymentTerms', label: 'Payment terms', field: 'line' },
  { name: 'notes', label: 'Notes', field: 'paragraphs' },
] as const satisfies readonly Text[]

export type TextName = (typeof texts)[number]['name']
export type Texts<Value> = { readonly [Name in TextName]: Value }

/** The value of each text. */
export const textsWith = <Value>(make: (name: TextName) => Value) =>
  Object.fromEntries(texts.map(({ name }) => [name, make(name)])) as Texts<Value>
