import type { ReactNode } from 'react'
import './filter-row.css'

export const FilterRow = ({ children }: { readonly children: ReactNode }) => (
  <div className="filter-row">{children}</div>
)
