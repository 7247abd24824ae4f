import type { ReactNode } from 'react'
import { PageHeading } from './page-heading.tsx'
import './empty-state.css'

export const EmptyState = ({
  title,
  isPage = false,
  children,
  action,
}: {
  readonly title: string
  /** the state is the whole page, so its title is the heading of the page */
  readonly isPage?: boolean
  readonly children: ReactNode
  readonly action?: ReactNode
}) => (
  <div className="empty-state">
    {isPage ? <PageHeading>{title}</PageHeading> : <h2>{title}</h2>}
    <p>{children}</p>
    {action}
  </div>
)
