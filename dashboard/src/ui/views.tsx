import type { ReactNode } from 'react'
import './views.css'

export const Views = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <nav className="views" aria-label={label}>
    {children}
  </nav>
)
