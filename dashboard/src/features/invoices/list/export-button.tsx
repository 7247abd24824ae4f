import { useState } from 'react'
import { risiti } from '../../../api/client.ts'
import { wordsOf } from '../../../api/queries.ts'
import { useCountry } from '../../../session/country.ts'
import { csv, saveFile } from '../../../ui/csv.ts'
import { Button } from '../../../ui/index.ts'
import { decimalOf } from '../../../ui/money.ts'
import { paymentWords, statusWords, typeWords } from '../status-words.ts'
import { type ListSearch, queryOf } from './list-search.ts'

const heads = [
  'Number',
  'Kind',
  'Date',
  'Due',
  'Buyer',
  'Buyer tax number',
  'Status',
  'Payment',
  'Currency',
  'Net',
  'Tax',
  'Payable',
  'Paid',
  'Still due',
]

/** Exports the whole list with the current filters and order. */
export function ExportButton({ search, total }: { readonly search: ListSearch; readonly total: number }) {
  const { authorityReferenceName } = useCountry()
  const [read, setRead] = useState<number>()
  const [fault, setFault] = useState<string>()
  async function save() {
    setRead(0)
    setFault(undefined)
    try {
      const rows: (string | number | null)[][] = [[...heads, authorityReferenceName]]
      const list = risiti.invoices.list({ ...queryOf(search), page: undefined, limit: 100 })
      for await (const each of list) {
        rows.push([
          each.invoiceNumber,
          typeWords[each.invoiceType],
          each.invoiceDate,
          each.dueDate,
          each.buyer?.name ?? null,
          each.buyer?.taxId ?? null,
          statusWords[each.status].words,
          paymentWords(each)?.words ?? null,
          each.currency,
          decimalOf(each.netMinor, each.currency),
          decimalOf(each.taxMinor, each.currency),
          decimalOf(each.payableMinor, each.currency),
          decimalOf(each.paidMinor, each.currency),
          decimalOf(each.dueMinor, each.currency),
          each.reporting.irn,
        ])
        if (rows.length % 100 === 0) setRead(rows.length)
      }
      // Spreadsheets recognise UTF-8 only by this mark.
      saveFile(new Blob([`\uFEFF${csv(rows)}`], { type: 'text/csv;charset=utf-8' }), 'invoices.csv')
    } catch (error) {
      setFault(wordsOf(error))
    } finally {
      setRead(undefined)
    }
  }
  return (
    <>
      <Button busy={read !== undefined} onClick={save}>
        {read ? `${read} of ${total}` : 'Export CSV'}
      </Button>
      {fault && <span role="alert">{fault}</span>}
    </>
  )
}
