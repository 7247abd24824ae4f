import type { ReactNode } from 'react'
import './empty-state.css'

export const EmptyState = ({
  title,
  children,
  action,
}: {
  readonly title: string
  readonly children: ReactNode
  readonly action?: ReactNode
}) => (
  <div className="empty-state">
    <h2>{title}</h2>
    <p>{children}</p>
    {action}
  </div>
)
