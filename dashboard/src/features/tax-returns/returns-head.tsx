import type { ReactNode } from 'react'
import { PageHead, SubPages } from '../../ui/index.ts'

export const ReturnsHead = ({ children }: { readonly children?: ReactNode }) => (
  <>
    <PageHead title="Tax returns">{children}</PageHead>
    <SubPages
      label="Tax returns"
      pages={[
        ['/tax-returns', 'Months'],
        ['/tax-returns/rates', 'Exchange rates'],
      ]}
    />
  </>
)
