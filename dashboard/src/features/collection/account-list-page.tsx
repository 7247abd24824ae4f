import type { VirtualAccount } from '@risiti/sdk'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { risiti } from '../../api/client.ts'
import { useMay, useSession } from '../../session/session.tsx'
import { ExportButton } from '../../ui/export-button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Badge, Button, ConfirmDialog, Dialog, EmptyState, momentText, money } from '../../ui/index.ts'
import { ListFrame } from '../../ui/list-frame.tsx'
import { decimalOf } from '../../ui/money.ts'
import { CollectionHead } from './collection-head.tsx'
import { OpenAccountForm } from './open-account-form.tsx'
import { accountWords } from './payment-words.ts'
import { TransferDialog } from './transfer-dialog.tsx'
import './collection.css'

type OpenDialog = { readonly what: 'open' } | { readonly what: 'close' | 'pay'; readonly account: VirtualAccount }

const modeWords = { persistent: 'For all payments', dynamic: 'For one amount' } as const

const statuses = Object.keys(accountWords) as VirtualAccount['status'][]

export function AccountListPage() {
  const search = useSearch({ from: '/inside/collection/accounts' })
  const navigate = useNavigate()
  const client = useQueryClient()
  const { mode } = useSession()
  const mayManage = useMay('collection.manage')
  const [dialog, setDialog] = useState<OpenDialog>()
  const status = statuses.find((each) => each === search.status)
  const accounts = useQuery({
    queryKey: ['collection', 'accounts', search],
    queryFn: async () => await risiti.collection.listAccounts({ status, page: search.page, pageSize: 25 }),
    placeholderData: keepPreviousData,
  })
  const close = () => setDialog(undefined)
  const changed = async () => {
    close()
    await client.invalidateQueries({ queryKey: ['collection'] })
  }
  const filter = (chosen: string | undefined) =>
    navigate({ to: '/collection/accounts', search: { status: chosen }, replace: true })
  const open = mayManage && (
    <Button kind="primary" onClick={() => setDialog({ what: 'open' })}>
      <Icon name="plus" />
      Open an account
    </Button>
  )
  return (
    <>
      <CollectionHead>{open}</CollectionHead>
      <ListFrame
        label="Accounts"
        list={accounts}
        filterBar={{
          filters: [
            {
              kind: 'choice',
              name: 'Status',
              value: status,
              options: statuses.map((each) => [each, accountWords[each][1]] as const),
              onChange: (chosen) => filter(chosen),
            },
          ],
          onClear: () => filter(undefined),
        }}
        heads={['Account', 'For', 'Kind', 'Status', 'Opened', 'actions']}
        tools={(total) => (
          <ExportButton
            name="accounts"
            heads={['Account', 'Bank', 'Account name', 'For', 'Kind', 'Status', 'Currency', 'Amount', 'Opened']}
            total={total}
            entries={() => risiti.collection.listAccounts({ status, pageSize: 100 })}
            row={(account) => [
              account.accountNumber,
              account.bankName,
              account.accountName,
              account.customer.name,
              modeWords[account.mode],
              accountWords[account.status][1],
              account.currency,
              account.amountMinor === null ? null : decimalOf(account.amountMinor, account.currency),
              account.createdAt,
            ]}
          />
        )}
        isFiltered={status !== undefined}
        nothingYet={
          <EmptyState title="No accounts yet" action={open}>
            Each buyer or invoice can have its own account number. You see at once who paid, and for which invoice.
          </EmptyState>
        }
        nothingFound={
          <EmptyState
            title="Nothing found"
            action={
              <Link to="/collection/accounts" search={{}}>
                Show all accounts
              </Link>
            }
          >
            No account has this status.
          </EmptyState>
        }
        link={(page, words, isCurrent) => (
          <Link to="/collection/accounts" search={{ ...search, page }} aria-current={isCurrent ? 'page' : undefined}>
            {words}
          </Link>
        )}
        row={(account) => {
          const [tone, words] = accountWords[account.status]
          return (
            <tr key={account.id}>
              <th scope="row">
                {account.accountNumber}
                <div className="table-more">
                  {account.bankName}, {account.accountName}
                </div>
              </th>
              <td>{account.customer.name}</td>
              <td>
                {modeWords[account.mode]}
                {account.amountMinor !== null && (
                  <div className="table-more">{money(account.amountMinor, account.currency)}</div>
                )}
              </td>
              <td>
                <Badge tone={tone}>{words}</Badge>
              </td>
              <td>{momentText(account.createdAt)}</td>
              <td>
                <div className="table-actions">
                  {mayManage && account.status === 'active' && (
                    <>
                      {mode === 'sandbox' && (
                        <Button
                          aria-label={`Simulate a transfer to ${account.accountNumber}`}
                          onClick={() => setDialog({ what: 'pay', account })}
                        >
                          Simulate a transfer
                        </Button>
                      )}
                      <Button
                        kind="danger"
                        aria-label={`Close ${account.accountNumber}`}
                        onClick={() => setDialog({ what: 'close', account })}
                      >
                        Close
                      </Button>
                    </>
                  )}
                </div>
              </td>
            </tr>
          )
        }}
      />
      <Dialog title="Open an account" open={dialog?.what === 'open'} onClose={close} wide>
        <OpenAccountForm onDone={changed} />
      </Dialog>
      {dialog?.what === 'pay' && <TransferDialog account={dialog.account} onClose={close} />}
      {dialog?.what === 'close' && (
        <ConfirmDialog
          title={`Close ${dialog.account.accountNumber}?`}
          action="Close the account"
          open
          onClose={close}
          onConfirm={async () => {
            await risiti.collection.deactivateAccount(dialog.account.id, {})
            await changed()
          }}
        >
          The account accepts no more transfers and cannot be opened again. Earlier payments stay unchanged.
        </ConfirmDialog>
      )}
    </>
  )
}
