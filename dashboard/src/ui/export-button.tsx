import { useState } from 'react'
import { wordsOf } from '../api/queries.ts'
import { Button } from './button.tsx'
import { count } from './count.ts'
import { csv, saveFile } from './csv.ts'
import { Icon } from './icons.tsx'
import './list-tool.css'

type Cell = string | number | null

/** Saves a whole list as CSV, with the current filters and order. */
export function ExportButton<Entry>({
  name,
  heads,
  entries,
  row,
  total,
}: {
  /** of the file, without its ending */
  readonly name: string
  readonly heads: readonly string[]
  /** reads the list page by page */
  readonly entries: () => AsyncIterable<Entry>
  readonly row: (entry: Entry) => readonly Cell[] | Promise<readonly Cell[]>
  readonly total: number
}) {
  const [read, setRead] = useState<number>()
  const [fault, setFault] = useState<string>()
  async function save() {
    setRead(0)
    setFault(undefined)
    try {
      const rows: (readonly Cell[])[] = [heads]
      for await (const entry of entries()) {
        rows.push(await row(entry))
        if (rows.length % 100 === 0) setRead(rows.length)
      }
      // Spreadsheets recognise UTF-8 only by this mark.
      saveFile(new Blob([`\uFEFF${csv(rows)}`], { type: 'text/csv;charset=utf-8' }), `${name}.csv`)
    } catch (error) {
      setFault(wordsOf(error))
    } finally {
      setRead(undefined)
    }
  }
  return (
    <>
      <Button className="list-tool" busy={read !== undefined} onClick={save}>
        <Icon name="download" />
        <span>{read ? `${count.format(read)} of ${count.format(total)}` : 'Export CSV'}</span>
      </Button>
      {fault && <span role="alert">{fault}</span>}
    </>
  )
}
