import { useQuery } from '@tanstack/react-query'
import { risiti } from '../../api/client.ts'
import { useMay, useSession } from '../../session/session.tsx'
import { LoadState } from '../../ui/load-state.tsx'
import { BalancePanel } from './balance-panel.tsx'
import { BillingHead } from './billing-head.tsx'
import { LedgerPanel } from './ledger-panel.tsx'
import { OffersPanel } from './offers-panel.tsx'
import { PaymentNotice } from './payment-notice.tsx'
import { PaymentsPanel } from './payments-panel.tsx'
import { SubscriptionPanel } from './subscription-panel.tsx'
import { UsagePanel } from './usage-panel.tsx'
import './billing.css'

export function BillingPage() {
  const { mode } = useSession()
  const maySeeUsage = useMay('billing.usage.read')
  const maySeePlan = useMay('billing.subscription.read')
  const maySeePayments = useMay('billing.payment.read')
  const maySeeLedger = useMay('billing.ledger.read')
  const account = useQuery({ queryKey: ['billing', 'account', mode], queryFn: () => risiti.billing.getAccount() })
  return (
    <>
      <BillingHead />
      <PaymentNotice />
      <LoadState query={account} />
      {account.data && (
        <>
          <BalancePanel account={account.data} />
          {maySeeUsage && <UsagePanel accountId={account.data.id} />}
          {maySeePlan && <SubscriptionPanel />}
          <OffersPanel />
          {maySeePayments && mode === 'live' && <PaymentsPanel />}
          {maySeeLedger && <LedgerPanel accountId={account.data.id} />}
        </>
      )}
    </>
  )
}
