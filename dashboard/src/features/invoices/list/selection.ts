import type { InvoiceSummary } from '@risiti/sdk'
import { filterNames, type ListSearch } from './list-search.ts'

/** What an action needs to know about a selected row. */
export type SelectedInvoice = Pick<InvoiceSummary, 'status' | 'invoiceType' | 'dueMinor'>

/**
 * The selected rows, also of other pages; or all that match. Rows that the page has not read, such as failed ones of an
 * earlier action, are `undefined`.
 */
export interface Selection {
  /** the filters under which the rows were selected: other filters drop the selection */
  readonly filters: string
  readonly rows: ReadonlyMap<string, SelectedInvoice | undefined>
  readonly isAll: boolean
}

/** The filters as one text, without order and page. */
export const filtersText = (search: ListSearch): string =>
  JSON.stringify(filterNames.map((name) => [name, search[name] ?? null]))

export const noSelection = (search: ListSearch): Selection => ({
  filters: filtersText(search),
  rows: new Map(),
  isAll: false,
})

/** The selection, unless the filters have changed since. */
export const selectionFor = (selection: Selection, search: ListSearch): Selection =>
  selection.filters === filtersText(search) ? selection : noSelection(search)

export function withRows(selection: Selection, rows: readonly InvoiceSummary[], isOn: boolean): Selection {
  const next = new Map(selection.rows)
  for (const row of rows) {
    if (isOn) next.set(row.id, row)
    else next.delete(row.id)
  }
  return { ...selection, rows: next, isAll: false }
}
