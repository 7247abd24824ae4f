import type { ReactNode } from 'react'
import './more-fields.css'

/** Fields that most people leave empty. They are open if one of them has a fault. */
export const MoreFields = ({ isOpen, children }: { readonly isOpen: boolean; readonly children: ReactNode }) => (
  <details className="more-fields" open={isOpen}>
    <summary>More</summary>
    <div className="more-fields-all">{children}</div>
  </details>
)
