import type { ImportWords } from '../../jurisdictions/port.ts'
import { readCsv } from '../../kernel/tables/csv.ts'
import { type ImportKind, type MatchedColumn, matchColumns } from './columns.ts'
import { type ReadRecord, recordsOf } from './records.ts'
import { repeatedIn } from './repeated-records.ts'
import { readXlsx } from './tables/xlsx.ts'

/** An uploaded file. */
export interface FileToRead {
  readonly kind: ImportKind
  /** the text of a CSV file, or the bytes of a workbook */
  readonly content: string | Uint8Array
  /** `undefined`: columns are matched by their names */
  readonly columns: readonly MatchedColumn[] | undefined
  /** the words of the organisation's country */
  readonly words: ImportWords | undefined
}

/** The contents of a file: the field of each column, and the record of each row. */
export interface ReadFile {
  readonly columns: readonly MatchedColumn[]
  readonly records: readonly ReadRecord[]
}

export async function readFile({ kind, content, columns, words }: FileToRead): Promise<ReadFile> {
  const table =
    typeof content === 'string'
      ? readCsv(content)
      : await readXlsx(Buffer.from(content.buffer, content.byteOffset, content.byteLength))
  const matched = columns ?? matchColumns(kind, table.header, words)
  return { columns: matched, records: repeatedIn(kind, recordsOf(kind, table, matched, words), matched) }
}
