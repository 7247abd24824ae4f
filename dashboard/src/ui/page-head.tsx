import type { ReactNode } from 'react'
import { PageHeading } from './page-heading.tsx'
import './page-head.css'

export const PageHead = ({
  title,
  about,
  children,
}: {
  readonly title: ReactNode
  readonly about?: ReactNode
  readonly children?: ReactNode
}) => (
  <header className="page-head">
    <div className="page-head-words">
      <PageHeading>{title}</PageHeading>
      {about}
    </div>
    {children && <div className="page-head-actions">{children}</div>}
  </header>
)
