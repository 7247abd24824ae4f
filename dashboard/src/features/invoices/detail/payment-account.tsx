import type { Invoice } from '@risiti/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { risiti } from '../../../api/client.ts'
import { useMay, useSession } from '../../../session/session.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Button, Dialog } from '../../../ui/index.ts'
import { LoadState } from '../../../ui/load-state.tsx'
import { decimalOf } from '../../../ui/money.ts'
import { Panel } from '../../../ui/panel.tsx'
import { say } from '../../../ui/toast.tsx'
import { OpenAccountForm } from '../../collection/open-account-form.tsx'
import { TransferDialog } from '../../collection/transfer-dialog.tsx'

/** The account number that the buyer pays this invoice into. A transfer there is matched by itself. */
export function PaymentAccount({ invoice }: { readonly invoice: Invoice }) {
  const { mode } = useSession()
  const mayManage = useMay('collection.manage')
  const client = useQueryClient()
  const [dialog, setDialog] = useState<'open' | 'pay'>()
  const close = () => setDialog(undefined)
  const accounts = useQuery({
    queryKey: ['collection', 'accounts', 'of-invoice', invoice.id],
    queryFn: async ({ signal }) =>
      (await risiti.collection.listAccounts({ invoiceId: invoice.id, status: 'active', pageSize: 1 }, { signal })).data,
  })
  const account = accounts.data?.[0]
  if (accounts.data && !account && !mayManage) return null
  return (
    <Panel
      title="Bank account for this invoice"
      action={
        account
          ? mayManage && mode === 'sandbox' && <Button onClick={() => setDialog('pay')}>Simulate a transfer</Button>
          : mayManage && accounts.data && <Button onClick={() => setDialog('open')}>Open an account</Button>
      }
    >
      <LoadState query={accounts} />
      {accounts.data && !account && (
        <p className="invoice-soft">
          The buyer can pay into an account of its own. A transfer there is matched by itself.
        </p>
      )}
      {account && (
        <Facts
          facts={[
            ['Account number', account.accountNumber],
            ['Bank', account.bankName],
            ['Account name', account.accountName],
          ]}
        />
      )}
      {dialog === 'open' && (
        <Dialog title={`Open an account for ${invoice.invoiceNumber}`} open onClose={close} wide>
          <OpenAccountForm
            invoice={invoice}
            onDone={async () => {
              close()
              say('The account is open.')
              await client.invalidateQueries({ queryKey: ['collection'] })
            }}
          />
        </Dialog>
      )}
      {dialog === 'pay' && account && (
        <TransferDialog account={account} amount={decimalOf(invoice.dueMinor, invoice.currency)} onClose={close} />
      )}
    </Panel>
  )
}
