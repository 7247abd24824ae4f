import type { ReactNode } from 'react'
import { PageHead, SubPages } from '../../ui/index.ts'

export const CollectionHead = ({ children }: { readonly children?: ReactNode }) => (
  <>
    <PageHead title="Collection">{children}</PageHead>
    <SubPages
      label="Collection"
      pages={[
        ['/collection', 'Payments'],
        ['/collection/exceptions', 'To be matched'],
        ['/collection/accounts', 'Accounts'],
        ['/collection/credits', 'Buyer credit'],
        ['/collection/payouts', 'Payouts'],
        ['/collection/settlement', 'Bank accounts'],
      ]}
    />
  </>
)
