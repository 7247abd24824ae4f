import type { Invoice, NewInvoice } from '@risiti/sdk'
import { dayText } from '../../ui/dates.ts'

interface WrittenField {
  readonly name: keyof Invoice & keyof NewInvoice
  readonly label: string
  /** the kind of field in the editor; without it, the field can only be set through the API */
  readonly field?: 'day' | 'line' | 'paragraphs'
}

/** The written fields of an invoice: the editor and the details of an invoice follow this list. */
export const writtenFields = [
  { name: 'periodStart', label: 'Period from', field: 'day' },
  { name: 'periodEnd', label: 'Period to', field: 'day' },
  { name: 'purchaseOrderReference', label: 'Buyer’s order number', field: 'line' },
  { name: 'buyerReference', label: 'Buyer’s reference' },
  { name: 'contractReference', label: 'Contract', field: 'line' },
  { name: 'quoteReference', label: 'Quote', field: 'line' },
  { name: 'accountingCost', label: 'Buyer’s cost centre' },
  { name: 'paymentTerms', label: 'Payment terms', field: 'line' },
  { name: 'notes', label: 'Notes', field: 'paragraphs' },
] as const satisfies readonly WrittenField[]

/** A row with a field in the editor. */
export interface EditedField extends WrittenField {
  readonly name: WrittenFieldName
  readonly field: NonNullable<WrittenField['field']>
}

const rows: readonly (WrittenField & { readonly name: WrittenFieldName })[] = writtenFields
export const editedFields = rows.filter((row): row is EditedField => row.field !== undefined)

export type WrittenFieldName = (typeof writtenFields)[number]['name']
export type WrittenValues<Value> = { readonly [Name in WrittenFieldName]: Value }

/** The value of each written field. */
export const writtenWith = <Value>(make: (name: WrittenFieldName) => Value) =>
  Object.fromEntries(writtenFields.map(({ name }) => [name, make(name)])) as WrittenValues<Value>

/** The label and the shown value of each written field. */
export const factsOf = (of: WrittenValues<string | null>) =>
  rows.map(({ name, label, field }) => {
    const value = of[name]
    return [label, field === 'day' && value ? dayText(value) : value] as const
  })

/** Days belong to one document: a copy of it has none. */
export const withoutDays: Partial<WrittenValues<undefined>> = Object.fromEntries(
  rows.filter(({ field }) => field === 'day').map(({ name }) => [name, undefined]),
)

/**
 * The written fields of a request. An empty one is left out if it was empty before, because a service of the previous
 * version refuses fields that it does not know.
 */
export const sentFields = (
  typedIn: (name: WrittenFieldName) => string | undefined,
  before: Partial<WrittenValues<string | null | undefined>> = {},
) =>
  writtenWith((name) => {
    const typed = typedIn(name)
    if (typed === undefined) return before[name] ?? undefined
    return typed.trim() || (before[name] ? null : undefined)
  })
