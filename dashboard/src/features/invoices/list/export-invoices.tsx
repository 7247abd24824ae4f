import { risiti } from '../../../api/client.ts'
import { useCountry } from '../../../session/country.ts'
import { ExportButton } from '../../../ui/export-button.tsx'
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
export function ExportInvoices({ search, total }: { readonly search: ListSearch; readonly total: number }) {
  const { authorityReferenceName } = useCountry()
  return (
    <ExportButton
      name="invoices"
      heads={[...heads, authorityReferenceName]}
      total={total}
      entries={() => risiti.invoices.list({ ...queryOf(search), page: undefined, limit: 100 })}
      row={(each) => [
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
      ]}
    />
  )
}
