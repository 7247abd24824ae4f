import type { ImportKind, MatchedColumn } from './columns.ts'
import type { RowFault } from './import.ts'
import type { ReadRecord } from './records.ts'

/** The unique field of each kind. Rows with the same invoice number are one invoice. */
const unique: Readonly<Record<ImportKind, string | undefined>> = { buyers: 'taxId', items: 'sku', invoices: undefined }

/** Adds a fault to every record whose unique value an earlier one has. */
export function repeatedIn(
  kind: ImportKind,
  records: readonly ReadRecord[],
  matched: readonly MatchedColumn[],
): ReadRecord[] {
  const field = unique[kind]
  if (field === undefined) return [...records]
  const firstRows = new Map<string, number>()
  return records.map((record) => {
    const value = record.body[field]
    if (typeof value !== 'string') return record
    // Compared as on saving: punctuation does not count.
    const key = field === 'taxId' ? value.replace(/[\s./-]/g, '').toUpperCase() : value
    const first = firstRows.get(key)
    if (first === undefined) {
      firstRows.set(key, record.row)
      return record
    }
    const column = matched.find((one) => one.field === field)?.column ?? field
    const fault: RowFault = { row: record.row, column, message: `is already in row ${first}` }
    return { ...record, faults: [...record.faults, fault] }
  })
}
