import type { SettlementAccount } from '@risiti/sdk'
import { useState } from 'react'
import { useMay } from '../../session/session.tsx'

import { Badge, Button, Dialog, EmptyState, ListTable } from '../../ui/index.ts'
import { LoadState } from '../../ui/load-state.tsx'

import { CollectionHead } from './collection-head.tsx'
import { confirmationWords, providerNames } from './payment-words.ts'
import { SettlementForm } from './settlement-form.tsx'
import { useSettlementAccounts } from './use-settlement.ts'
import './collection.css'

export function SettlementPage() {
  const mayManage = useMay('collection.manage')
  const settlements = useSettlementAccounts()
  const [isAsking, setAsking] = useState(false)
  const add = mayManage && (
    <Button kind="primary" onClick={() => setAsking(true)}>
      Add a bank account
    </Button>
  )
  const all = settlements.data?.data
  return (
    <>
      <CollectionHead>{add}</CollectionHead>
      <LoadState query={settlements} />
      {all?.length === 0 && (
        <EmptyState title="No bank account yet" action={add}>
          Your buyers’ payments are paid out to your bank account. Choose the account.
        </EmptyState>
      )}
      {all && all.length > 0 && (
        <ListTable label="Your bank accounts" heads={['Seller', 'Bank', 'Account', 'Account name', 'Confirmed by']}>
          {all.map(({ id, sellerName, bankName, accountNumber, accountName, providers }) => (
            <tr key={id}>
              <th scope="row">{sellerName}</th>
              <td>{bankName}</td>
              <td>{accountNumber}</td>
              <td>{accountName}</td>
              <td className="collection-wraps">
                {providers.map((one) => (
                  <ProviderAnswer key={one.provider} {...one} />
                ))}
              </td>
            </tr>
          ))}
        </ListTable>
      )}
      <Dialog title="Add a bank account" open={isAsking} onClose={() => setAsking(false)}>
        <SettlementForm onDone={() => setAsking(false)} />
      </Dialog>
    </>
  )
}

/** One provider's status of the settlement account, and money that still goes to the previous one. */
function ProviderAnswer({
  provider,
  status,
  reason,
  settlesToEnding,
  accountsWaiting,
}: SettlementAccount['providers'][number]) {
  const [tone, words] = confirmationWords[status]
  return (
    <div>
      {providerNames[provider]} <Badge tone={tone}>{words}</Badge>
      {reason && <div className="table-more">{reason}</div>}
      {status !== 'confirmed' && settlesToEnding && (
        <div className="table-more">Money still goes to the account that ends with {settlesToEnding}.</div>
      )}
      {status === 'confirmed' && accountsWaiting > 0 && (
        <div className="table-more">
          {accountsWaiting} of your buyers’ accounts still pay out to the previous bank account. The change takes a few
          minutes.
        </div>
      )}
    </div>
  )
}
