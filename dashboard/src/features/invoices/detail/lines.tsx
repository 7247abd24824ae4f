import type { Invoice } from '@risiti/sdk'
import { ListTable } from '../../../ui/index.ts'
import { numberLocale } from '../../../ui/locale.ts'
import { money, priceText } from '../../../ui/money.ts'
import { unitNameFor } from '../../../ui/units.ts'

const number = new Intl.NumberFormat(numberLocale, { maximumFractionDigits: 6 })

/** Formats decimal text with thousands separators and keeps all its digits. */
export const grouped = (decimal: string): string => number.format(decimal as unknown as number)

export const Lines = ({ invoice }: { readonly invoice: Pick<Invoice, 'lineItems' | 'currency'> }) => (
  <ListTable
    label="Lines"
    heads={['Description', ['Quantity', 'amount'], ['Price', 'amount'], ['Tax', 'amount'], ['Net', 'amount']]}
  >
    {invoice.lineItems.map((line, index) => (
      <tr key={index}>
        <th scope="row" className="invoice-line-words">
          {line.itemName ?? line.description}
          {line.itemName && line.itemName !== line.description && <small>{line.description}</small>}
        </th>
        <td className="table-amount">
          {grouped(line.quantity)} {unitNameFor(line.quantity, line.unitCode)}
        </td>
        <td className="table-amount">{priceText(line.unitPrice, invoice.currency)}</td>
        <td className="table-amount">{grouped(line.taxPercent)} %</td>
        <td className="table-amount">{money(line.netMinor, invoice.currency)}</td>
      </tr>
    ))}
  </ListTable>
)
