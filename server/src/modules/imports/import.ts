import type { Capability } from '../../kernel/capabilities.ts'
import type { Id } from '../../kernel/ids.ts'
import type { ImportKind, MatchedColumn } from './columns.ts'

export type ImportId = Id<'import'>

/** `stopped`: credits ran out, whoever asked for it may no longer do it, or it went on failing; it can be gone on with. */
export const importStatuses = ['checking', 'checked', 'running', 'done', 'undoing', 'undone', 'stopped'] as const
export type ImportStatus = (typeof importStatuses)[number]

/** What it takes to make such a thing, and to take it back. */
export const rightsOf: Readonly<Record<ImportKind, { readonly make: Capability; readonly undo: Capability }>> = {
  buyers: { make: 'buyer.create', undo: 'buyer.delete' },
  items: { make: 'item.create', undo: 'item.archive' },
  invoices: { make: 'invoice.create', undo: 'invoice.delete_draft' },
}

/** What is wrong with a row of the file; no column where it is about the row as a whole. */
export interface RowFault {
  readonly row: number
  readonly column: string | null
  readonly message: string
}

/** One thing that an import makes: a row of the file, or the rows of one invoice. */
export interface ImportRecord {
  /** where it stands in the file */
  readonly row: number
  /** of an invoice: where each of its lines stands */
  readonly lineRows: readonly number[]
  /** the request that would make it */
  readonly body: Readonly<Record<string, unknown>>
  /** what it is called: the name, or the number of an invoice */
  readonly label: string
}

/** `unchecked` → ready or faulty; ready → made or faulty; made → undone, or kept where it is in use by now. */
export const recordStatuses = ['unchecked', 'ready', 'faulty', 'made', 'undone', 'kept'] as const
export type RecordStatus = (typeof recordStatuses)[number]

export interface Import {
  readonly id: ImportId
  readonly kind: ImportKind
  readonly fileName: string
  readonly status: ImportStatus
  readonly columns: readonly MatchedColumn[]
  readonly createdAt: Date
  readonly updatedAt: Date
  /** how many of what it makes stand where */
  readonly counts: Readonly<Record<RecordStatus, number>>
}

/** Then `purge-expired` deletes them. */
export const importsKeptMs = 30 * 24 * 3_600_000
