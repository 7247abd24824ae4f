import type { ReactNode } from 'react'
import './outside-page.css'

export const OutsidePage = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <main className="outside-page">
    <p className="outside-name">Risiti</p>
    <h1>{title}</h1>
    {children}
  </main>
)
