import type { ReactNode } from 'react'
import { PageHeading } from '../../ui/page-heading.tsx'
import './outside-page.css'

export const OutsidePage = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <main className="outside-page">
    <p className="outside-name">Risiti</p>
    <PageHeading>{title}</PageHeading>
    {children}
  </main>
)
