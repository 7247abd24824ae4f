import type { ReactNode } from 'react'
import './filter-row.css'

/** The fields that narrow a list, side by side as far as there is room. */
export const FilterRow = ({ children }: { readonly children: ReactNode }) => (
  <div className="filter-row">{children}</div>
)
