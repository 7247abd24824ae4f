import type { ReactNode } from 'react'
import './views.css'

/** Links to the few looks at a list that people want most, in a row. */
export const Views = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <nav className="views" aria-label={label}>
    {children}
  </nav>
)
