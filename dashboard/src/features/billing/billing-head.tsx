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
          ['/billing/costs', 'What it costs'],
          ...(maySeePlans ? ([['/billing/plans', 'Plans so far']] as const) : []),
        ]}
      />
    </>
  )
}
