import { useMay } from '../../session/session.tsx'
import { PageHead, SubPages } from '../../ui/index.ts'

export function BillingHead() {
  const maySeePlans = useMay('billing.subscription.read')
  return (
    <>
      <PageHead title="Billing" />
      <SubPages
        label="Billing"
        pages={[
          ['/billing', 'Credits'],
          ['/billing/costs', 'Prices'],
          ...(maySeePlans ? ([['/billing/plans', 'Plan history']] as const) : []),
        ]}
      />
    </>
  )
}
