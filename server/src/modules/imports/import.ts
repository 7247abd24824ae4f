import type { Capability } from '../../kernel/capabilities.ts'
import type { Id } from '../../kernel/ids.ts'
import type { ImportKind, MatchedColumn } from './columns.ts'

export type ImportId = Id<'import'>

/** `stopped`: credits ran out, the starter lost the permission, or the import kept failing; it can be continued. */
export const importStatuses = ['checking', 'checked', 'running', 'done', 'undoing', 'undone', 'stopped'] as const
export type ImportStatus = (typeof importStatuses)[number]

/** The capabilities to create and to delete such records. */
export const rightsOf: Readonly<Record<ImportKind, { readonly make: Capability; readonly undo: Capability }>> = {
  buyers: { make: 'buyer.create', undo: 'buyer.delete' },
  items: { make: 'item.create', undo: 'item.archive' },
  invoices: { make: 'invoice.create', undo: 'invoice.delete_draft' },
}

/** A fault in a row of the file; without a column if it concerns the whole row. */
export interface RowFault {
  readonly row: number
  readonly column: string | null
  readonly message: string
}

/** One object to create: a row of the file, or the rows of one invoice. */
export interface ImportRecord {
  /** row number in the file */
  readonly row: number
  /** row number of each line of an invoice */
  readonly lineRows: readonly number[]
  /** the API request that would create it */
  readonly body: Readonly<Record<string, unknown>>
  /** its name, or the number of an invoice */
  readonly label: string
}

/** `unchecked` → ready or faulty; ready → made or faulty; made → undone, or kept if it is in use. */
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
  /** number of records by status */
  readonly counts: Readonly<Record<RecordStatus, number>>
}

/** Afterwards `purge-expired` deletes them. */
export const importsKeptMs = 30 * 24 * 3_600_000
