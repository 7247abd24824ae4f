import type { Invoice } from '@risiti/sdk'
import { Badge, dayText, ListTable, money } from '../../../ui/index.ts'
import { Panel } from '../../../ui/panel.tsx'

type Instalment = NonNullable<Invoice['instalments']>[number]

const states: Readonly<
  Record<Instalment['status'], { readonly words: string; readonly tone?: 'good' | 'warn' | 'bad' }>
> = {
  unpaid: { words: 'Unpaid' },
  partially_paid: { words: 'Part paid', tone: 'warn' },
  paid: { words: 'Paid', tone: 'good' },
  overdue: { words: 'Overdue', tone: 'bad' },
}

/** What is due when. Payments and credit notes settle the oldest instalment first. */
export function Instalments({
  invoice: { currency, overdueMinor },
  instalments,
}: {
  readonly invoice: Invoice
  readonly instalments: readonly Instalment[]
}) {
  return (
    <Panel
      title="Instalments"
      about={overdueMinor > 0 ? `${money(overdueMinor, currency)} is overdue.` : 'Payments settle the oldest first.'}
    >
      <ListTable label="Instalments" heads={['Due', ['Amount', 'amount'], ['Still due', 'amount'], 'State']}>
        {instalments.map(({ dueDate, amountMinor, dueMinor, status }) => {
          const { words, tone } = states[status]
          return (
            <tr key={dueDate}>
              <th scope="row">{dayText(dueDate)}</th>
              <td className="table-amount">{money(amountMinor, currency)}</td>
              <td className="table-amount">{money(dueMinor, currency)}</td>
              <td>
                <Badge {...(tone && { tone })}>{words}</Badge>
              </td>
            </tr>
          )
        })}
      </ListTable>
    </Panel>
  )
}
