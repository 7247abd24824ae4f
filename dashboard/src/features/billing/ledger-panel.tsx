import type { LedgerEntry } from '@risiti/sdk'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { risiti } from '../../api/client.ts'
import { wordsOf } from '../../api/queries.ts'
import { useMay } from '../../session/session.tsx'
import { count } from '../../ui/count.ts'
import { Button, ListTable, momentText, Notice, Panel } from '../../ui/index.ts'
import { Pagination } from '../../ui/pagination.tsx'
import { costsQuery } from './costs.ts'

const typeWords: Readonly<Record<LedgerEntry['type'], string>> = {
  charge: 'Used',
  refund: 'Returned',
  hold: 'Held',
  capture: 'Used (held before)',
  release: 'Released',
  grant: 'Granted',
  purchase: 'Bought',
  settlement: 'Debt paid',
  reversal: 'Reversed',
  debt: 'Owed',
  pool_out: 'To a child organisation',
  pool_in: 'From the parent organisation',
  pool_return_out: 'Returned to the parent organisation',
  pool_return_in: 'Returned by a child organisation',
}

export function LedgerPanel({ accountId }: { readonly accountId: string }) {
  const search = useSearch({ from: '/inside/billing' })
  const maySeeStatement = useMay('billing.statement.read')
  const ledger = useQuery({
    queryKey: ['billing', 'ledger', accountId, search.page],
    queryFn: async () => await risiti.billing.readLedger(accountId, { page: search.page, limit: 25 }),
    placeholderData: keepPreviousData,
  })
  // Uses the names of the cost list.
  const costs = useQuery(costsQuery).data ?? []
  const names = new Map(costs.flatMap(({ actions }) => actions.map(({ action, label }) => [action, label] as const)))
  const saving = useMutation({
    mutationFn: async () => {
      const text = await risiti.billing.readStatement(accountId, undefined, { as: 'text/csv' })
      const link = document.createElement('a')
      link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }))
      link.download = 'statement.csv'
      link.click()
      URL.revokeObjectURL(link.href)
    },
  })
  return (
    <Panel
      title="Ledger"
      action={
        maySeeStatement && (
          <Button busy={saving.isPending} onClick={() => saving.mutate()}>
            Export CSV
          </Button>
        )
      }
    >
      {(ledger.isError || saving.isError) && <Notice tone="bad">{wordsOf(ledger.error ?? saving.error)}</Notice>}
      {ledger.data && (
        <>
          <ListTable label="Ledger" heads={['When', 'Entry', 'For', ['Credits', 'amount'], ['Balance', 'amount']]}>
            {ledger.data.data.map(({ id, createdAt, type, action, credits, balanceAfter }) => (
              <tr key={id}>
                <td>{momentText(createdAt)}</td>
                <th scope="row">{typeWords[type]}</th>
                <td>{action ? (names.get(action) ?? action) : '–'}</td>
                <td className="table-amount">{count.format(credits)}</td>
                <td className="table-amount">{count.format(balanceAfter)}</td>
              </tr>
            ))}
          </ListTable>
          <Pagination
            {...ledger.data.pagination}
            link={(page, words, isCurrent) => (
              <Link to="/billing" search={{ page }} aria-current={isCurrent ? 'page' : undefined}>
                {words}
              </Link>
            )}
          />
        </>
      )}
    </Panel>
  )
}
