import { type ImportKind, type MatchedColumn, matchColumns } from './columns.ts'
import { type ReadRecord, recordsOf } from './records.ts'
import { repeatedIn } from './repeated-records.ts'
import { readCsv } from './tables/csv.ts'
import { readXlsx } from './tables/xlsx.ts'

/** A file as it came. */
export interface FileToRead {
  readonly kind: ImportKind
  /** the text of a CSV file, or the bytes of a workbook */
  readonly content: string | Uint8Array
  /** nothing: columns are matched by their names */
  readonly columns: readonly MatchedColumn[] | undefined
}

/** What stands in it: which column fills which field, and what each row would make. */
export interface ReadFile {
  readonly columns: readonly MatchedColumn[]
  readonly records: readonly ReadRecord[]
}

export async function readFile({ kind, content, columns }: FileToRead): Promise<ReadFile> {
  const table =
    typeof content === 'string'
      ? readCsv(content)
      : await readXlsx(Buffer.from(content.buffer, content.byteOffset, content.byteLength))
  const matched = columns ?? matchColumns(kind, table.header)
  return { columns: matched, records: repeatedIn(kind, recordsOf(kind, table, matched), matched) }
}
